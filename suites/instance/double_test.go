package instance

import (
	"encoding/json"
	"math/big"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/schemas"
)

// member returns the number n of an input, exactly and as a double.
func member(t *testing.T, input any) (exact *big.Rat, near float64) {
	t.Helper()
	number, ok := input.(map[string]any)["n"].(json.Number)
	require.True(t, ok, "n of %s is not a number", textOf(input))
	near, err := number.Float64()
	require.NoError(t, err, "n is outside the range of doubles")
	return ratOf(number), near
}

// A host that represents numbers as doubles is correct. A fault must be a fault in doubles, too.
func TestFaultsAreFaultsInDoubles(t *testing.T) {
	tests := map[string]struct {
		schema string
		lowest float64 // the lowest number that a host of doubles accepts
		most   float64
		some   bool // whether some number is beyond a bound in doubles, too
	}{
		"64 bits":         {`"type":"integer","minimum":0,"maximum":9223372036854775807`, 0, 1 << 63, true},
		"64 bits, signed": {`"type":"integer","minimum":-9223372036854775808,"maximum":0`, -(1 << 63), 0, true},
		"large":           {`"type":"number","minimum":1,"maximum":1e300`, 1, 1e300, true},
		"large, open":     {`"type":"number","minimum":1,"exclusiveMaximum":1e300`, 1, 1e300, true},
		"largest":         {`"type":"number","minimum":1,"maximum":1.7976931348623157e308`, 1, 1.7976931348623157e308, true},
		"small":           {`"type":"integer","minimum":3,"maximum":9`, 3, 9, true},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := compile(t, `{"required":["n"],"properties":{"n":{`+test.schema+`}}}`)
			inputs, err := ValidObject(s, 0)
			require.NoError(t, err)
			result := 0
			for _, fault := range Invalid(s, inputs[0].Value, Options{}) {
				if fault.Keyword != "minimum" && !strings.HasSuffix(strings.ToLower(fault.Keyword), "maximum") {
					continue
				}
				result++
				if _, near := member(t, fault.Input); near >= test.lowest && near <= test.most {
					t.Errorf("%s is valid in doubles", textOf(fault.Input))
				}
			}
			if test.some != (result > 0) {
				t.Errorf("%d numbers are beyond a bound", result)
			}
		})
	}
}

// An edge is never a number that a host of doubles may refuse, or a string whose format a host may check.
func TestEdgesAreAcceptedByEveryHost(t *testing.T) {
	tests := map[string]struct{ schema, valid, refused string }{
		"a bound that does not divide": {`{"multipleOf":0.01,"minimum":0.29,"maximum":0.3}`, `0.3`, `0.29`},
		"a branch of a format": {`{"anyOf":[{"type":"integer"},{"type":"string","format":"iban"}]}`, `1`,
			`"example"`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s := compile(t, `{"properties":{"n":`+test.schema+`}}`)
			for _, edge := range Edges(s, value(t, `{"n":`+test.valid+`}`), 0) {
				if got := textOf(edge.Value); got == `{"n":`+test.refused+`}` {
					t.Errorf("%s is an edge: %s", got, edge.Note)
				}
			}
		})
	}
}

// A long string is extended by the missing length, not multiplied.
func TestLongStringsNeedLittleMemory(t *testing.T) {
	s := compile(t, `{"required":["s"],"properties":{"s":{"type":"string","minLength":5000,"maxLength":5001}}}`)
	inputs, err := ValidObject(s, 0)
	require.NoError(t, err)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	faults := Invalid(s, inputs[0].Value, Options{})
	runtime.ReadMemStats(&after)
	if !slices.ContainsFunc(faults, func(f Fault) bool { return f.Keyword == "maxLength" }) {
		t.Error("no fault breaks maxLength")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 10<<20 {
		t.Errorf("%d bytes were allocated", used)
	}
}

// 0.29 is a multiple of 0.01, but not according to a division of doubles.
func TestValidNumbersAreValidInDoubles(t *testing.T) {
	tests := map[string]struct {
		schema string
		doubt  bool
	}{
		"a multiple that divides": {`"multipleOf":0.01,"minimum":0.29,"maximum":0.3`, false},
		"no divisible multiple":   {`"multipleOf":0.01,"minimum":0.29,"maximum":0.29`, true},
		"just beyond 2^53":        {`"type":"integer","exclusiveMinimum":9007199254740992`, false},
		"only one value":          {`"minimum":0.5,"maximum":0.5`, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			inputs, err := ValidObject(compile(t, `{"required":["n"],"properties":{"n":{`+test.schema+`}}}`), 0)
			require.NoError(t, err)
			exact, near := member(t, inputs[0].Value)
			if got := inputs[0].Doubt != ""; got != test.doubt {
				t.Errorf("%s (%g in doubles) has the doubt %q", exact, near, inputs[0].Doubt)
			}
		})
	}
}

// A host may check a format that the harness does not know, or whose known form does not fit the other keywords.
func TestDoubt(t *testing.T) {
	tests := map[string]struct{ schema, doubt string }{
		"base64":                   {`{"type":"string","contentEncoding":"base64"}`, ""},
		"JSON in base64":           {`{"type":"string","contentEncoding":"base64","contentMediaType":"application/json"}`, ""},
		"JSON in a string":         {`{"type":"string","contentMediaType":"application/json"}`, ""},
		"an image":                 {`{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}`, "image/png"},
		"unknown encoding":         {`{"type":"string","contentEncoding":"quoted-printable"}`, "quoted-printable"},
		"base64 too short":         {`{"type":"string","contentEncoding":"base64","maxLength":3}`, "base64"},
		"no format":                {`{"type":"string"}`, ""},
		"known format":             {`{"type":"string","format":"email"}`, ""},
		"unknown format":           {`{"type":"string","format":"iban"}`, "iban"},
		"too short for its format": {`{"type":"string","format":"uri","maxLength":5}`, "uri"},
		"its own example":          {`{"type":"string","format":"iban","examples":["DE02120300000000202051"]}`, ""},
		"one of its values":        {`{"type":"string","format":"iban","enum":["a","b"]}`, ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			s, err := schemas.Compile([]byte(`{"required":["a"],"properties":{"a":`+test.schema+`}}`), schemas.Options{})
			require.NoError(t, err)
			inputs, err := ValidObject(s, 0)
			require.NoError(t, err)
			if got := inputs[0].Doubt; (got == "") != (test.doubt == "") || !strings.Contains(got, test.doubt) {
				t.Errorf("%s has the doubt %q, want one with %q", textOf(inputs[0].Value), got, test.doubt)
			}
		})
	}
}
