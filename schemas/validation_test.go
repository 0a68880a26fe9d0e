package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

func mustCompile(t testing.TB, schema string) *Schema {
	t.Helper()
	s, err := Compile([]byte(schema), Options{})
	require.NoError(t, err)
	return s
}

func mustDecode(t testing.TB, text string) any {
	t.Helper()
	v, err := Decode([]byte(text), Limits{})
	require.NoError(t, err)
	return v
}

const draft07 = `"$schema":"http://json-schema.org/draft-07/schema#",`

func TestValidate(t *testing.T) {
	tests := map[string]struct{ schema, value, want string }{
		"true":                   {`true`, `5`, "ok"},
		"false":                  {`false`, `5`, "invalid"},
		"1.0 is an integer":      {`{"type":"integer"}`, `1.0`, "ok"},
		"1.5 is not an integer":  {`{"type":"integer"}`, `1.5`, "invalid"},
		"large integer, exactly": {`{"maximum":9007199254740992}`, `9007199254740993`, "invalid"},
		"code points, not bytes": {`{"maxLength":2}`, `"\ud83d\ude00é"`, "ok"},
		"format, 2020-12":        {`{"format":"email"}`, `"x"`, "ok"},
		"format, draft-07":       {`{` + draft07 + `"format":"email"}`, `"x"`, "ok"},
		"format regex, draft-07": {`{` + draft07 + `"format":"regex"}`, `"(["`, "ok"},
		"format below, draft-07": {`{` + draft07 + `"properties":{"a":{"items":{"anyOf":[{"format":"date"}]}}}}`,
			`{"a":["x"]}`, "ok"},
		"format, draft-04": {`{"$schema":"http://json-schema.org/draft-04/schema#","format":"date-time"}`, `"x"`,
			"ok"},
		"draft-04 bound":            {`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `1`, "invalid"},
		"draft-04 bound above":      {`{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}`, `2`, "ok"},
		"count beyond an int":       {`{"maxLength":18446744073709551616}`, `"abc"`, "ok"},
		"least count beyond an int": {`{"minItems":1e30}`, `[1,2]`, "invalid"},
		"look-ahead holds":          {`{"pattern":"^(?=.*[0-9]).+$"}`, `"a1"`, "ok"},
		"look-ahead fails":          {`{"pattern":"^(?=.*[0-9]).+$"}`, `"ab"`, "invalid"},
		"space outside ASCII":       {`{"pattern":"^\\s$"}`, `"\u00a0"`, "undecidable engines"},
		"carriage return":           {`{"pattern":"^.$"}`, `"\r"`, "undecidable engines"},
		"line separator":            {`{"pattern":"^.$"}`, `"\u2028"`, "undecidable engines"},
		"letters, both agree":       {`{"pattern":"^\\w+$"}`, `"é"`, "invalid"},
		"emoji, both agree":         {`{"pattern":"^.$"}`, `"\ud83d\ude00"`, "ok"},
		"long string on pattern": {`{"pattern":"^a*$"}`, `"` + strings.Repeat("a", patternText+1) + `"`,
			"undecidable limit"},
		"itself": {`{"$ref":"#"}`, `5`, "undecidable cycle"},
		"each other": {`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"$ref":"#/$defs/a"}}}`, `5`,
			"undecidable cycle"},
		"itself under not":    {`{"not":{"$ref":"#"}}`, `5`, "undecidable cycle"},
		"itself, many times":  {`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `5`, "undecidable cycle"},
		"recursion that ends": {`{"properties":{"a":{"$ref":"#"}},"type":"object"}`, `{"a":{"a":{"a":5}}}`, "invalid"},
		"doubling with the value": {`{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`,
			strings.Repeat(`{"a":`, 60) + `1` + strings.Repeat(`}`, 60), "undecidable expansion"},
		"alternatives, deep": {`{"anyOf":[{"type":"null"},{"type":"object","properties":{"a":{"$ref":"#"}}}]}`,
			strings.Repeat(`{"a":`, 200) + `1` + strings.Repeat(`}`, 200), "invalid"},
		"long enum, long list": {`{"items":{"enum":[` + strings.Repeat("1,", 5000) + `1]}}`,
			`[` + strings.Repeat("2,", 5000) + `2]`, "undecidable expansion"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := mustCompile(t, test.schema).Validate(mustDecode(t, test.value))
			if got := outcome(err); got != test.want {
				t.Errorf("Validate returned %s, want %s: %v", got, test.want, err)
			}
		})
	}
}

// Values that Decode never returns must not reach the library.
func TestValidateRefusesUnsafeValues(t *testing.T) {
	var deep any = "x"
	for range 2_000_000 {
		deep = []any{deep}
	}
	tests := map[string]struct {
		value any
		want  string
	}{
		"exponent beyond big.Rat": {json.Number("1e1000001"), "undecidable limit"},
		"not a number":            {json.Number("x"), "undecidable limit"},
		"inside a list":           {[]any{json.Number("1e1000001"), json.Number("1e1000001")}, "undecidable limit"},
		"depth of 2,000,000":      {deep, "undecidable limit"},
		"a struct":                {struct{}{}, "undecidable value"},
		"a typed map":             {map[string]string{}, "undecidable value"},
	}
	s := mustCompile(t, `{"minimum":1,"multipleOf":2,"uniqueItems":true,"items":{"maximum":5}}`)
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			if got := outcome(s.Validate(test.value)); got != test.want {
				t.Errorf("Validate returned %s, want %s", got, test.want)
			}
		})
	}
}

func TestCauses(t *testing.T) {
	type cause struct{ Keyword, Instance, Schema, Message string }
	tests := map[string]struct {
		schema, value string
		want          []cause
	}{
		"required": {`{"required":["a","b"]}`, `{}`, []cause{{"required", "", "/required", `lacks "a", "b"`}}},
		"two places": {`{"properties":{"a":{"type":"string"},"b/c":{"minimum":3}}}`, `{"b/c":1,"a":1}`, []cause{
			{"type", "/a", "/properties/a/type", "wants string, is number"},
			{"minimum", "/b~1c", "/properties/b~1c/minimum", "must be at least 3"},
		}},
		"through a reference": {`{"items":{"$ref":"#/$defs/a b"},"$defs":{"a b":{"maxLength":1}}}`, `["aa"]`,
			[]cause{{"maxLength", "/0", "/$defs/a b/maxLength", "must have at most 1 characters"}}},
		"all of": {`{"allOf":[{"enum":[1,"x"]},{"const":2}]}`, `3`,
			[]cause{{"enum", "", "/allOf/0/enum", `must be one of 1, "x"`}, {"const", "", "/allOf/1/const", "must be 2"}}},
		"any of": {`{"anyOf":[{"type":"null"},{"type":"string"}]}`, `3`,
			[]cause{{"anyOf", "", "/anyOf", "matches none of the alternatives"}}},
		"two of one": {`{"oneOf":[{"type":"number"},{"minimum":0}]}`, `3`,
			[]cause{{"oneOf", "", "/oneOf", "matches alternatives 0 and 1, of which only one may match"}}},
		"closed": {`{"properties":{"a":{}},"additionalProperties":false}`, `{"c":1,"a":1,"b":1}`,
			[]cause{{"additionalProperties", "", "/additionalProperties", `may not have "b", "c"`}}},
		"closed late": {`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"a":1,"b":1}`,
			[]cause{{"unevaluatedProperties", "", "/unevaluatedProperties", "must not be there"}}},
		"tuple": {`{"prefixItems":[{}],"items":false}`, `[1,2]`,
			[]cause{{"items", "", "/items", "must not be there"}}},
		"tuple, draft-07": {`{` + draft07 + `"items":[{}],"additionalItems":false}`, `[1,2]`,
			[]cause{{"additionalItems", "", "/additionalItems", "has more items than the schema has places for"}}},
		"member forbidden": {`{"properties":{"a":false}}`, `{"a":1}`,
			[]cause{{"properties", "/a", "/properties/a", "must not be there"}}},
		"not": {`{"not":{"type":"null"}}`, `null`,
			[]cause{{"not", "", "/not", "matches what it must not match"}}},
		"contains": {`{"contains":{"const":1}}`, `[2]`,
			[]cause{{"contains", "", "/contains", "must contain an item that it does not have"}}},
		"dependent": {`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`,
			[]cause{{"dependentRequired", "", "/dependentRequired", `has "a" and so must have "b"`}}},
		"dependent, draft-07": {`{` + draft07 + `"dependencies":{"a":["b"]}}`, `{"a":1}`,
			[]cause{{"dependencies", "", "/dependencies", `has "a" and so must have "b"`}}},
		"names": {`{"propertyNames":{"maxLength":1}}`, `{"aa":1}`,
			[]cause{{"propertyNames", "", "/propertyNames", `may not have a member of the name "aa"`}}},
		"twice": {`{"uniqueItems":true}`, `[1,2,1.0]`,
			[]cause{{"uniqueItems", "", "/uniqueItems", "must not contain the same item twice, as at 0 and 2"}}},
		"fraction": {`{"multipleOf":0.5}`, `1.2`,
			[]cause{{"multipleOf", "", "/multipleOf", "must be a multiple of 0.5"}}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			err := mustCompile(t, test.schema).Validate(mustDecode(t, test.value))
			e, ok := errors.AsType[*Invalidity](err)
			if !ok {
				t.Fatalf("Validate returned %v, want an Invalidity", err)
			}
			var got []cause
			for _, c := range e.Causes {
				got = append(got, cause{c.Keyword, c.InstancePointer, c.SchemaPointer, c.Message})
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("causes (-want +got):\n%s", diff)
			}
		})
	}
}

// The library sometimes reports propertyNames at the place of a sibling, depending on map order; Validate must report
// the right place every time.
func TestPropertyNamesIsReportedAtItsPlace(t *testing.T) {
	s := mustCompile(t, `{"properties":{"a":{"propertyNames":{"maxLength":2}},"b":{"propertyNames":{"maxLength":2}}}}`)
	v := mustDecode(t, `{"a":{"xxx":1},"b":{"xxx":1},"c":3,"d":{"e":1}}`)
	for range 50 {
		e, ok := errors.AsType[*Invalidity](s.Validate(v))
		require.True(t, ok)
		var got []string
		for _, c := range e.Causes {
			got = append(got, c.InstancePointer)
		}
		if diff := cmp.Diff([]string{"/a", "/b"}, got); diff != "" {
			t.Fatalf("places (-want +got):\n%s", diff)
		}
	}
}

func TestCausesAreBoundedAndOrdered(t *testing.T) {
	s := mustCompile(t, `{"items":{"anyOf":[{"type":"string"},{"type":"null"}]},"additionalProperties":{"enum":["`+strings.Repeat("x", 9000)+`"]}}`)
	members := map[string]any{}
	for i := range 3000 {
		members[fmt.Sprintf("member %04d", i)] = json.Number("1")
	}
	items := make([]any, 3000)
	for name, value := range map[string]any{"members": members, "items": items} {
		for i := range items {
			items[i] = json.Number("1")
		}
		e, ok := errors.AsType[*Invalidity](s.Validate(value))
		require.True(t, ok, name)
		again, ok := errors.AsType[*Invalidity](s.Validate(value))
		require.True(t, ok, name)
		if diff := cmp.Diff(e, again); diff != "" {
			t.Errorf("%s: two validations differ:\n%s", name, diff)
		}
		if n := countCauses(e.Causes); n == 0 || n > causeLimit {
			t.Errorf("%s: %d causes, want 1 to %d", name, n, causeLimit)
		}
		for _, c := range e.Causes {
			if len(c.Message) > messageLength+20 {
				t.Errorf("%s: a message of %d bytes", name, len(c.Message))
			}
		}
	}
}

func countCauses(causes []Cause) int {
	n := len(causes)
	for _, c := range causes {
		n += countCauses(c.Within)
	}
	return n
}

func TestValidateIsSafeForConcurrentUse(t *testing.T) {
	s := mustCompile(t, `{"properties":{"a":{"pattern":"^a+$"},"b":{"$ref":"#"}}}`)
	valid, broken, open := mustDecode(t, `{"b":{"a":"aaa"}}`), mustDecode(t, `{"a":"b"}`), mustDecode(t,
		`{"a":"`+strings.Repeat("a", patternText+1)+`"}`)
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for range 200 {
				got := []string{outcome(s.Validate(valid)), outcome(s.Validate(broken)), outcome(s.Validate(open))}
				if diff := cmp.Diff([]string{"ok", "invalid", "undecidable limit"}, got); diff != "" {
					t.Errorf("verdicts (-want +got):\n%s", diff)
					return
				}
			}
		})
	}
	group.Wait()
}
