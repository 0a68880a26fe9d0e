package schemas

import (
	"strings"
	"testing"
)

// BenchmarkValidate measures the costliest validations that the budget admits, and ordinary ones: it shows the
// duration of one step of costBudget.
func BenchmarkValidate(b *testing.B) {
	const props = `{"type":"object","required":["a","b"],"properties":{"a":{"type":"string","maxLength":9},"b":{"type":"integer","minimum":1},"c":{"enum":["x","y"]},"d":{"type":"boolean"},"e":{"type":"array","items":{"type":"number"}}},"additionalProperties":false}`
	nest := func(n int, leaf string) string {
		return strings.Repeat(`{"a":`, n) + leaf + strings.Repeat(`}`, n)
	}
	for _, bench := range []struct{ name, schema, value string }{
		{"small", props, `{"a":"x","b":2,"c":"y","d":true,"e":[1,2,3]}`},
		{"pattern", `{"properties":{"a":{"pattern":"^[a-z]+$"}}}`, `{"a":"abc"}`},
		{"doubling", `{"properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, nest(17, "1")},
		{"doubling, wrong", `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#"},{"$ref":"#"}]}}}`, nest(16, "1")},
		{"enum", `{"items":{"enum":[` + strings.Repeat("1,", 1800) + `1]}}`, `[` + strings.Repeat("2,", 200) + `2]`},
		{"enum of strings", `{"items":{"enum":[` + strings.Repeat(`"a",`, 1800) + `"a"]}}`,
			`[` + strings.Repeat(`"b",`, 1999) + `"b"]`},
		{"unique", `{"items":{"uniqueItems":true}}`,
			`[` + strings.Repeat(`[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20],`, 1500) + `[]]`},
		{"enum of long numbers", `{"items":{"enum":[` + strings.Repeat("[1],", 1800) + `[1]]}}`,
			`[` + strings.Repeat("["+strings.Repeat("7", 900)+"],", 12) + `2]`},
		{"multiples", `{"items":{"allOf":[{"multipleOf":0.0001},{"multipleOf":0.001}]}}`,
			`[` + strings.Repeat(strings.Repeat("7", 900)+".5,", 9000) + `2]`},
		{"list", `{"items":{"type":"object","properties":{"a":{"type":"number"}}}}`,
			`[` + strings.Repeat(`{"a":1},`, 200_000) + `{}]`},
	} {
		b.Run(bench.name, func(b *testing.B) {
			s, v := mustCompile(b, bench.schema), mustDecode(b, bench.value)
			b.ReportAllocs()
			got := ""
			for b.Loop() {
				got = outcome(s.Validate(v))
			}
			b.Log(got)
		})
	}
}
