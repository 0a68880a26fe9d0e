package instance

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/capconform/capconform/schemas"
)

func texts(inputs []Input) []string {
	var all []string
	for _, input := range inputs {
		all = append(all, input.Note+" "+textOf(input.Value))
	}
	return all
}

func TestValidObject(t *testing.T) {
	tests := map[string]struct {
		schema string
		want   []string
	}{
		"required and optional": {
			`{"type":"object","properties":{"message":{"type":"string"},"repeat":{"type":"integer","minimum":1}},"required":["message"]}`,
			[]string{`minimal {"message":"example"}`, `fuller {"message":"example","repeat":1}`},
		},
		"nothing required": {`{"type":"object","properties":{},"additionalProperties":false}`, []string{`minimal {}`}},
		"example at the top": {`{"required":["q"],"examples":[{"q":"how"}]}`,
			[]string{`example {"q":"how"}`, `minimal {"q":"example"}`}},
		"invalid example": {`{"required":["q"],"examples":[{"p":"how"}]}`, []string{`minimal {"q":"example"}`}},
		"default of a member": {`{"required":["a"],"properties":{"a":{"type":"string","default":"d"}}}`,
			[]string{`minimal {"a":"d"}`}},
		"invalid default": {`{"required":["a"],"properties":{"a":{"type":"string","default":5}}}`,
			[]string{`minimal {"a":"example"}`}},
		"example with pattern": {`{"required":["a"],"properties":{"a":{"type":"string","pattern":"^(?=.*[0-9])[a-z0-9]+$","examples":["x","x1"]}}}`, []string{`minimal {"a":"x1"}`}},
		"formats":              {`{"required":["a","b"],"properties":{"a":{"type":"string","format":"date-time"},"b":{"type":"string","format":"uuid"}}}`, []string{`minimal {"a":"2026-01-15T10:30:00Z","b":"123e4567-e89b-42d3-a456-426614174000"}`}},
		"branch that is not null": {`{"required":["a"],"properties":{"a":{"anyOf":[{"type":"null"},{"type":"boolean"}]}}}`,
			[]string{`minimal {"a":true}`}},
		"lengths": {`{"required":["a","b"],"properties":{"a":{"type":"string","maxLength":3},"b":{"type":"string","minLength":9}}}`, []string{`minimal {"a":"exa","b":"exampleaa"}`}},
		"bounds":  {`{"required":["a","b","c"],"properties":{"a":{"type":"integer","exclusiveMinimum":-3,"maximum":-1,"multipleOf":2},"b":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":0.1},"c":{"type":"integer","minimum":100}}}`, []string{`minimal {"a":-2,"b":0.05,"c":100}`}},
		"no type": {`{"required":["a"],"properties":{"a":{"items":{"minimum":7}}}}`,
			[]string{`minimal {"a":[]}`, `fuller {"a":[7]}`}},
		"dependency":          {`{"required":["a"],"dependentRequired":{"a":["b"]},"properties":{"a":{"const":1},"b":{"const":2}}}`, []string{`minimal {"a":1,"b":2}`}},
		"dependent subschema": {`{"required":["a"],"dependentSchemas":{"a":{"required":["b"]}},"properties":{"a":{"const":1},"b":{"const":2}}}`, []string{`minimal {"a":1,"b":2}`}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inputs, err := ValidObject(compile(t, test.schema), 0)
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, texts(inputs)); diff != "" {
				t.Errorf("inputs (-want +got):\n%s", diff)
			}
		})
	}
}

func TestValidInputsOfOtherTypes(t *testing.T) {
	tests := map[string]string{
		`{"type":"string"}`:                   `minimal "example"`,
		`{"type":"integer","minimum":4}`:      `minimal 4`,
		`{"const":null}`:                      `minimal null`,
		`{"type":"array","minItems":2}`:       `minimal ["example","example"]`,
		`{"enum":[{"a":1},2]}`:                `minimal {"a":1}`,
		`{"type":"boolean","default":false}`:  `example false`,
		`{"type":["null","string"],"not":{}}`: ``,
	}
	for schema, want := range tests {
		inputs, _ := validInputs(compile(t, schema), 0, false)
		got := ""
		if len(inputs) > 0 {
			got = texts(inputs)[0]
		}
		if got != want {
			t.Errorf("%s returned %s, want %s", schema, got, want)
		}
	}
}

func TestUnmakeable(t *testing.T) {
	const lookAhead = `^(?=.*[0-9])[a-z0-9]+$`
	tests := map[string]struct{ schema, why string }{
		"not an object": {`{"type":"string"}`, "no JSON type"},
		"false":         {`false`, "false"},
		"look-ahead": {`{"required":["a"],"properties":{"a":{"type":"string","pattern":"` + lookAhead + `"}}}`,
			lookAhead},
		"Go's own syntax":       {`{"required":["a"],"properties":{"a":{"type":"string","pattern":"(?i)^abc$"}}}`, "(?i)^abc$"},
		"nothing matches":       {`{"propertyNames":{"pattern":"$a+$"},"minProperties":3}`, "minProperties"},
		"bounds":                {`{"required":["a"],"properties":{"a":{"type":"integer","minimum":5,"maximum":4}}}`, "bounds"},
		"endless":               {`{"type":"object","required":["a"],"properties":{"a":{"$ref":"#"}}}`, "end"},
		"forbidden":             {`{"required":["a"],"properties":{"a":false}}`, "false"},
		"too long":              {`{"required":["a"],"properties":{"a":{"type":"string","minLength":1000000}}}`, "limit"},
		"few values":            {`{"required":["a"],"properties":{"a":{"type":"array","items":{"enum":[1,2]},"uniqueItems":true,"minItems":3}}}`, "different"},
		"endless and branching": {`{"type":"object","required":["a","b"],"properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"b":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, "too complex"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inputs, err := ValidObject(compile(t, test.schema), 0)
			e, ok := errors.AsType[*NoInstanceError](err)
			if !ok {
				t.Fatalf("ValidObject returned %v and %v, want an *Unmakeable", texts(inputs), err)
			}
			if !strings.Contains(e.Why, test.why) || strings.Contains(e.Why, "\n") {
				t.Errorf("the reason is %q, want one line with %q", e.Why, test.why)
			}
		})
	}
}

// The most important broken values: those that a lenient host coerces, and an enumeration's value in another letter
// case.
func TestFaultsTryCoercion(t *testing.T) {
	s := compile(t, `{"type":"object","required":["n","x","b","s","l","e"],"properties":{"n":{"type":"integer"},"x":{"type":"number"},"b":{"type":"boolean"},"s":{"type":"string"},"l":{"type":"array","items":{"type":"string"}},"e":{"enum":["Low","high"]}}}`)
	valid := value(t, `{"n":2,"x":2.5,"b":true,"s":"a","l":["q"],"e":"Low"}`)
	broken := map[string][]string{}
	for _, fault := range Invalid(s, valid, Options{}) {
		name := strings.TrimPrefix(fault.Pointer, "/")
		if member, ok := fault.Input.(map[string]any)[name]; ok {
			broken[name] = append(broken[name], textOf(member))
		}
	}
	want := map[string][]string{
		"n": {`"2"`, `1.5`, `2.5`, `true`, `null`, `[2]`},
		"x": {`"2.5"`, `true`, `null`, `[2.5]`},
		"b": {`"true"`, `1`, `null`, `[true]`},
		"s": {`5`, `true`, `null`, `["a"]`},
		"l": {`"q"`, `null`, `{}`},
		"e": {`"lOW"`},
	}
	for name, values := range want {
		for _, v := range values {
			if !slices.Contains(broken[name], v) {
				t.Errorf("no fault breaks %s by %s, only by %v", name, v, broken[name])
			}
		}
	}
	for _, v := range broken["n"] {
		if v == "2.0" || v == "2" {
			t.Errorf("%s is an integer", v)
		}
	}
}

// Values that are accepted by hosts that trim, that compare only neighbours, or that check only the declared members.
func TestFaultsTryLaxComparison(t *testing.T) {
	tests := map[string]struct{ schema, input, want string }{
		"blanks beyond the length":       {`{"properties":{"a":{"type":"string","maxLength":3}}}`, `{"a":"x"}`, `{"a":"x   "}`},
		"enumeration, blank":             {`{"properties":{"a":{"enum":["low"]}}}`, `{"a":"low"}`, `{"a":"low "}`},
		"enumeration, shortened":         {`{"properties":{"a":{"enum":["low"]}}}`, `{"a":"low"}`, `{"a":"lo"}`},
		"null for an additional member":  {`{"additionalProperties":false}`, `{}`, `{"capconform_unlikely_member":null}`},
		"custom member":                  {`{"additionalProperties":false}`, `{}`, `{"x-capconform":true}`},
		"member without a matching name": {`{"patternProperties":{"^x":{}},"additionalProperties":{"type":"integer"},"propertyNames":{"maxLength":5}}`, `{"x":1}`, `{"a":"capconform-unlisted","x":1}`},
		"duplicate of a distant item": {`{"properties":{"a":{"items":{"type":"integer"},"uniqueItems":true}}}`, `{"a":[1]}`,
			`{"a":[1,3,1]}`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, fault := range Invalid(compile(t, test.schema), value(t, test.input), Options{}) {
				got = append(got, textOf(fault.Input))
			}
			if !slices.Contains(got, test.want) {
				t.Errorf("%s is not among %v", test.want, got)
			}
		})
	}
}

func TestFirstFaultsHaveDifferentKeywords(t *testing.T) {
	s := corpus(t)["closed object, draft-07"]
	inputs, err := ValidObject(s, 0)
	require.NoError(t, err)
	fuller := inputs[len(inputs)-1].Value
	seen := map[string]bool{}
	const keywords = 7
	faults := Invalid(s, fuller, Options{Limit: keywords})
	for _, fault := range faults {
		seen[fault.Keyword] = true
	}
	if len(faults) != keywords || len(seen) != keywords {
		t.Errorf("the first %d faults have the keywords %v", len(faults), seen)
	}
}

// The first few faults must not all be at the first places.
func TestFirstFaultsAreAtDifferentPlaces(t *testing.T) {
	s := compile(t, `{"properties":{"a":{"type":"integer"},"b":{"type":"integer"},"c":{"type":"integer"}}}`)
	var got []string
	for _, fault := range Invalid(s, value(t, `{"a":1,"b":1,"c":1}`), Options{Limit: 6}) {
		got = append(got, fault.Pointer+" "+textOf(fault.Input.(map[string]any)[fault.Pointer[1:]]))
	}
	want := []string{`/a "1"`, `/b "1"`, `/c "1"`, `/a 1.5`, `/b 1.5`, `/c 1.5`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("first faults (-want +got):\n%s", diff)
	}
}

func TestTopIsBrokenOnRequest(t *testing.T) {
	s := compile(t, `{"type":"object","required":["a"]}`)
	valid := value(t, `{"a":1}`)
	count := func(options Options) (top int) {
		for _, fault := range Invalid(s, valid, options) {
			if _, ok := fault.Input.(map[string]any); !ok {
				top++
			}
		}
		return top
	}
	if n := count(Options{}); n != 0 {
		t.Errorf("%d inputs are not objects, although none was requested", n)
	}
	if n := count(Options{Top: true}); n == 0 {
		t.Error("no input has another type, although it was requested")
	}
}

func TestInvalidLeavesValidInputUnchanged(t *testing.T) {
	s := corpus(t)["zod defaults"]
	inputs, err := ValidObject(s, 0)
	require.NoError(t, err)
	for _, input := range inputs {
		before := textOf(input.Value)
		for _, fault := range Invalid(s, input.Value, Options{}) {
			fault.Input.(map[string]any)["edits"] = "overwritten"
		}
		if diff := cmp.Diff(before, textOf(input.Value)); diff != "" {
			t.Errorf("the valid input changed (-want +got):\n%s", diff)
		}
	}
	if faults := Invalid(s, value(t, `{}`), Options{}); faults != nil {
		t.Errorf("%d faults of an input that is not valid", len(faults))
	}
}

// The same seed returns the same inputs for a recompiled schema: they do not depend on map order.
func TestDeterminism(t *testing.T) {
	transcript := func(seed int64) map[string]string {
		all := map[string]string{}
		for name, s := range corpus(t) {
			inputs, err := ValidObject(s, seed)
			require.NoError(t, err)
			for _, input := range inputs {
				all[name] += input.Note + textOf(input.Value)
				for _, fault := range Invalid(s, input.Value, Options{Seed: seed}) {
					all[name] += fmt.Sprintln(fault.Keyword, fault.Pointer, fault.Note, textOf(fault.Input))
				}
			}
		}
		return all
	}
	first := transcript(7)
	for range 3 {
		if diff := cmp.Diff(first, transcript(7)); diff != "" {
			t.Fatalf("two runs differ:\n%s", diff)
		}
	}
	if cmp.Equal(first, transcript(8)) {
		t.Error("another seed returns the same inputs")
	}
}

// Texts that engines interpret differently are not used.
func TestInputsArePlainText(t *testing.T) {
	for name, s := range corpus(t) {
		inputs, err := ValidObject(s, 3)
		require.NoError(t, err)
		for _, input := range inputs {
			all := []any{input.Value}
			for _, fault := range Invalid(s, input.Value, Options{}) {
				all = append(all, fault.Input)
			}
			for _, v := range all {
				if text := textOf(v); !printable(text) {
					t.Errorf("%s: %q is not printable ASCII", name, text)
				}
			}
		}
	}
	s := compile(t, `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","pattern":"(?i)^abc$","default":"ABC"},"b":{"anyOf":[{"type":"integer"},{"pattern":"(?i)^abc$","type":"string"}],"default":1}}}`)
	for _, fault := range Invalid(s, value(t, `{"a":"ABC","b":1}`), Options{}) {
		v := fault.Input.(map[string]any)
		a, isText := v["a"].(string)
		if fault.Keyword == "pattern" || isText && a != "ABC" {
			t.Errorf("a pattern that engines interpret differently was broken: %s", textOf(v))
		}
		if b, ok := v["b"].(string); ok {
			t.Errorf("%q depends on a pattern that engines interpret differently", b)
		}
	}
}

func TestNarrowed(t *testing.T) {
	tests := map[string]string{
		`^.{2}$`:        `^[0-9A-Za-z]{2}$`,
		`^[^/]+/x$`:     `^[0-9A-Za-z]+/x$`,
		`^[^a-zA-Z0-9]`: `^[ -/:-@\[-` + "`" + `\{-~]`,
		`^\s$`:          `^ $`,
	}
	for pattern, want := range tests {
		got := narrowed(pattern)
		for i := range 20 {
			if re, err := regexp.Compile(want); err == nil && !re.MatchString(rapid.StringMatching(got).Example(i)) {
				t.Errorf("%s became %s, which matches more than %s", pattern, got, want)
				break
			}
		}
	}
}

func BenchmarkInstances(b *testing.B) {
	s := corpus(b)["zod defaults"]
	for b.Loop() {
		inputs, err := ValidObject(s, 1)
		if err != nil {
			b.Fatal(err)
		}
		if len(Invalid(s, inputs[len(inputs)-1].Value, Options{})) == 0 {
			b.Fatal("Invalid returned no fault")
		}
	}
}

var _ error = (*NoInstanceError)(nil)

func FuzzInstances(f *testing.F) {
	f.Add([]byte(`{"type":"object","required":["a"],"properties":{"a":{"multipleOf":3,"maximum":7}}}`), int64(1))
	f.Add([]byte(`{"allOf":[{"minProperties":3},{"propertyNames":{"pattern":"^a+$"}}]}`), int64(2))
	f.Add([]byte(`{"anyOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"contains":{"const":1},"uniqueItems":true}}}`), int64(-3))
	f.Fuzz(func(t *testing.T, schema []byte, seed int64) {
		s, err := schemas.Compile(schema, schemas.Options{})
		if err != nil {
			return
		}
		inputs, err := validInputs(s, seed, false)
		if _, ok := errors.AsType[*NoInstanceError](err); err != nil && !ok {
			t.Fatalf("ValidObject returned %T", err)
		}
		for _, input := range inputs {
			if err := s.Validate(input.Value); err != nil {
				t.Fatalf("the valid input %s is refused: %v", textOf(input.Value), err)
			}
			for _, fault := range Invalid(s, input.Value, Options{Seed: seed, Top: true, Limit: 50}) {
				if s.Validate(fault.Input) == nil {
					t.Fatalf("the invalid input %s is accepted", textOf(fault.Input))
				}
			}
		}
	})
}
