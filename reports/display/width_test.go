package display

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWrap(t *testing.T) {
	cases := []struct {
		text  string
		width int
		want  []string
	}{
		{"", 10, []string{""}},
		{"a few words", 20, []string{"a few words"}},
		{"a few words", 5, []string{"a few", "words"}},
		{"a few words", 6, []string{"a few", "words"}},
		{"abcdefgh ij", 4, []string{"abcd", "efgh", "ij"}},
		{"日本語日本語", 5, []string{"日本", "語日", "本語"}},
		{"👩‍🔬👩‍🔬👩‍🔬", 5, []string{"👩‍🔬👩‍🔬", "👩‍🔬"}}, // each is several runes and two columns wide
		{"🇦🇹🇦🇹", 3, []string{"🇦🇹", "🇦🇹"}},
		{"e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
	}
	for _, c := range cases {
		if diff := cmp.Diff(c.want, Wrap(c.text, c.width)); diff != "" {
			t.Errorf("Wrap(%q, %d) (-want +got)\n%s", c.text, c.width, diff)
		}
	}
	if got, want := WrapUpTo("one two three four", 5, 2), []string{"one", "two …"}; !cmp.Equal(want, got) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := Truncate("日本語日本語", 6), "日本…"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
