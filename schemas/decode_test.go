package schemas

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
)

func TestDecodeRefusesInvalidText(t *testing.T) {
	type refusal struct {
		Kind     DecodeKind
		Pointer  string
		Offset   int64
		OurLimit bool
	}
	tests := map[string]struct {
		text string
		want refusal
	}{
		"no JSON":                   {`{"a":}`, refusal{Kind: Syntax, Pointer: "/a", Offset: 5}},
		"cut off":                   {`{"a":[1`, refusal{Kind: Syntax, Pointer: "/a", Offset: 7}},
		"NaN":                       {`{"n":NaN}`, refusal{Kind: Syntax, Pointer: "/n", Offset: 5}},
		"Infinity":                  {`[-Infinity]`, refusal{Kind: Syntax, Pointer: "/0", Offset: 2}},
		"byte order mark":           {"\ufeff{}", refusal{Kind: Syntax}},
		"trailing comma":            {`[1,]`, refusal{Kind: Syntax, Offset: 2}},
		"line feed in string":       {"\"a\nb\"", refusal{Kind: Syntax, Offset: 2}},
		"duplicate":                 {`{"a":{"b":1,"b":2}}`, refusal{Kind: Duplicate, Pointer: "/a/b", Offset: 12}},
		"duplicate in escapes":      {`{"a":1,"\u0061":2}`, refusal{Kind: Duplicate, Pointer: "/a", Offset: 7}},
		"broken UTF-8":              {"{\"a\":\"\xff\"}", refusal{Kind: UTF8, Pointer: "/a", Offset: 6}},
		"cut UTF-8":                 {"[\"\xe2\x82\"]", refusal{Kind: UTF8, Pointer: "/0", Offset: 2}},
		"second value":              {`{} {}`, refusal{Kind: Trailing, Offset: 2}},
		"text after the value":      {`{}x`, refusal{Kind: Trailing, Offset: 2}},
		"empty":                     {``, refusal{Kind: Empty}},
		"white space":               {" \t\r\n", refusal{Kind: Empty}},
		"exponent":                  {`{"n":1e1000001}`, refusal{Kind: Number, Pointer: "/n", Offset: 14, OurLimit: true}},
		"negative exponent":         {`[1E-401]`, refusal{Kind: Number, Pointer: "/0", Offset: 7, OurLimit: true}},
		"exponent with many digits": {`[1e99999999999999999999]`, refusal{Kind: Number, Pointer: "/0", Offset: 23, OurLimit: true}},
		"long number": {`[1` + strings.Repeat("0", 1000) + `]`,
			refusal{Kind: Number, Pointer: "/0", Offset: 1002, OurLimit: true}},
		"deep": {strings.Repeat("[", 257) + strings.Repeat("]", 257),
			refusal{Kind: Depth, Pointer: strings.Repeat("/0", 150) + "...", Offset: 257, OurLimit: true}},
		"10,000 deep objects": {strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
			refusal{Kind: Depth, Pointer: strings.Repeat("/a", 150) + "...", Offset: 256*5 + 1, OurLimit: true}},
		"long": {`"` + strings.Repeat("a", 8<<20) + `"`, refusal{Kind: Size, Offset: 8 << 20, OurLimit: true}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := Decode([]byte(test.text), Limits{})
			e, ok := errors.AsType[*DecodeError](err)
			if !ok {
				t.Fatalf("Decode returned %v, want a *DecodeError", err)
			}
			if diff := cmp.Diff(test.want, refusal{e.Kind, e.Pointer, e.Offset, e.OurLimit()}); diff != "" {
				t.Errorf("refusal (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDecodeAcceptsLoneSurrogate(t *testing.T) {
	value, err := Decode([]byte(`["\ud800", 1]`), Limits{})
	list, _ := value.([]any)
	if err != nil || len(list) != 2 {
		t.Errorf("Decode = %v, %v, want a list of two: the grammar of JSON permits it", value, err)
	}
}

// Decode must return the same value as the decoder of the schema library, on which the library depends.
func TestDecodeAgreesWithSchemaLibrary(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `false`, `""`, `-0`, `1.50E+2`, `[]`, `{}`, `[[], {}, [null]]`, ` [1 , 2.0,"a\u0062\n\/\"" ] `,
		`{"a":{"b":[1,{"c":false}]},"":null,"\u0061b":"\ud83d\ude00"}`, `["\ud800x", "\udc00"]`,
		`{"z":1,"a":2,"Z":"é\u2028"}`,
		`9007199254740993`, `[1e400, 1e-400]`,
	} {
		want, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		got, err := Decode([]byte(text), Limits{})
		require.NoError(t, err, text)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", text, diff)
		}
	}
}

func TestDecodeAcceptsValidText(t *testing.T) {
	for _, text := range []string{
		`null`, ` {} `, `{"a":{"a":1},"b":[{"a":1}]}`, `"\ud83d\ude00"`, `[1e400, 1e-400, 9007199254740993]`,
		strings.Repeat("[", 256) + strings.Repeat("]", 256), `{"":0}`, "\"\u2028\"",
		`[1` + strings.Repeat("0", 999) + `]`,
	} {
		if _, err := Decode([]byte(text), Limits{}); err != nil {
			t.Errorf("Decode(%.60s) returned %v", text, err)
		}
	}
}

func TestElements(t *testing.T) {
	small := Limits{Size: 10}
	tests := map[string]struct {
		text   string
		path   []string
		limits Limits
		want   []string
		kind   DecodeKind
	}{
		"top":   {text: `[1, {"a": 2} ,[3]]`, want: []string{`1`, `{"a": 2}`, `[3]`}},
		"empty": {text: ` [ ] `},
		"member": {text: `{"next":null,"events":[1,2],"more":{"events":[3]}}`, path: []string{"events"},
			want: []string{"1", "2"}},
		"below":             {text: `{"a":{"b":[true]}}`, path: []string{"a", "b"}, want: []string{"true"}},
		"not a list":        {text: `{"a":1}`, kind: Shape},
		"no such member":    {text: `{"a":1}`, path: []string{"events"}, kind: Shape},
		"null":              {text: `null`, path: []string{"events"}, kind: Shape},
		"member not a list": {text: `{"events":{}}`, path: []string{"events"}, kind: Shape},
		"cut off":           {text: `[1,2`, want: []string{"1", "2"}, kind: Syntax},
		"cut off in member": {text: `{"events":[1,2`, path: []string{"events"}, want: []string{"1", "2"}, kind: Syntax},
		"cut off before":    {text: `{"a":`, path: []string{"events"}, kind: Syntax},
		"bad element":       {text: `[1,nul]`, want: []string{"1"}, kind: Syntax},
		"bad comma":         {text: `[1,]`, want: []string{"1"}, kind: Syntax},
		"nothing":           {text: ` `, kind: Empty},
		"trailing":          {text: `[1] 2`, want: []string{"1"}, kind: Trailing},
		"duplicate inside":  {text: `[{"a":1,"a":2}]`, kind: Duplicate},
		"duplicate list": {text: `{"events":[1],"events":[2]}`, path: []string{"events"}, want: []string{"1"},
			kind: Duplicate},
		"broken UTF-8": {text: "[1,\"\xff\"]", want: []string{"1"}, kind: UTF8},
		"long element": {text: `[1,"0123456789"]`, limits: small, want: []string{"1"}, kind: Size},
		"deep element": {text: `[1,` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `]`,
			want: []string{"1"}, kind: Depth},
		"deep member before": {text: `{"a":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `,"events":[]}`,
			path: []string{"events"}, kind: Depth},
		"list beyond limits": {text: `[` + strings.Repeat("1,", 50) + `1]`, limits: small,
			want: slices.Repeat([]string{"1"}, 51)},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var got []string
			var kind DecodeKind
			for element, err := range Elements([]byte(test.text), test.limits, test.path...) {
				if e, ok := errors.AsType[*DecodeError](err); ok {
					kind = e.Kind
					continue
				}
				got = append(got, string(element))
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("elements (-want +got):\n%s", diff)
			}
			if kind != test.kind {
				t.Errorf("refused with %q, want %q", kind, test.kind)
			}
		})
	}
}

func TestElementsStopsOnBreak(t *testing.T) {
	n := 0
	for range Elements([]byte(`[1,2,3] trailing`), Limits{}) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d elements before the break, want 2", n)
	}
}

// A list of a hundred times the length must cost memory for only one element.
func TestElementsMemoryDoesNotGrow(t *testing.T) {
	cost := func(n int) int64 {
		raw := []byte(`{"events":[` + strings.Repeat(`{"id":"a","n":1},`, n) + `0]}`)
		result := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range Elements(raw, Limits{}, "events") {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
		return result.AllocedBytesPerOp()
	}
	if one, hundred := cost(100), cost(10_000); hundred > 2*one+4096 {
		t.Errorf("10,000 elements cost %d bytes, 100 cost %d", hundred, one)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":1,"a":2}`, `[1e1000001]`, "\"\xff\"", `{} {}`, `"\ud800"`, `[[[[]]]]`, ``} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		value, err := Decode(raw, Limits{})
		if err != nil {
			if _, ok := errors.AsType[*DecodeError](err); !ok {
				t.Fatalf("Decode returned %T, want a *DecodeError", err)
			}
			return
		}
		for _, err := range Elements(raw, Limits{}) {
			e, ok := errors.AsType[*DecodeError](err)
			if _, list := value.([]any); err != nil && (list || !ok || e.Kind != Shape) {
				t.Fatalf("Elements refuses what Decode accepts: %v", err)
			}
		}
	})
}
