package nearest

import "testing"

func TestHint(t *testing.T) {
	many := []string{"a1", "b2", "c3", "d4", "e5", "f6", "g7", "h8", "i9"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"suits", []string{"suites", "actors"}, `; did you mean "suites"?`},
		{"HTPP", []string{"http", "mcp"}, `; did you mean "http"?`},
		{"zebra", []string{"http", "mcp"}, "; known: http, mcp"},
		{"zebra", many, ""},
		{"zebra", nil, ""},
	} {
		if got := Hint(c.word, c.known); got != c.want {
			t.Errorf("Hint(%q): want %q, got %q", c.word, c.want, got)
		}
	}
}
