package httpdriver

import (
	"encoding/json"
	"strings"
	"testing"
)

// valid must agree with the standard library on what is JSON.
func TestValid(t *testing.T) {
	for _, text := range []string{
		"{}", " [] ", "null", "0", `"a"`, `{"a":1,"a":2}`, `"\ud800"`, "\"\xff\"", `"\u0000"`, "1e400", "-0",
		strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000),
		"", "{", "{}{}", "{} x", "nul", "01", "1.", "'a'", `{a:1}`, `{"a":1,}`, "[1,]", "\"\n\"", "NaN", `"\x"`, "\ufeff{}", "// a\n{}", "\v{}",
	} {
		if got, want := valid([]byte(text)), json.Valid([]byte(text)); got != want {
			t.Errorf("valid(%.40q) = %v, want %v", text, got, want)
		}
	}
}
