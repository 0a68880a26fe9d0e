package reports

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFoundCountsPlacesByKind(t *testing.T) {
	kinds := func(n int) []FailureKind {
		var all []FailureKind
		for i := range n {
			all = append(all, FailureKind{Message: "kind " + string(rune('a'+i)), Count: 2})
		}
		return all
	}
	for name, test := range map[string]struct {
		kinds []FailureKind
		want  string
	}{
		"one place":  {[]FailureKind{{Message: "a", Count: 1}}, ""},
		"none":       {nil, ""},
		"one kind":   {kinds(1), "at 2 places: kind a (2)"},
		"many kinds": {kinds(6), "at 12 places: kind a (2); kind b (2); kind c (2); kind d (2); 2 more kinds"},
	} {
		t.Run(name, func(t *testing.T) {
			f := Failure{Kinds: test.kinds}
			require.Equal(t, test.want, f.Found())
		})
	}
}

// Every format that explains a failure says at how many places it was found.
func TestFormatsSayWhatWasFound(t *testing.T) {
	r := nonconformantReport()
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			if f := r.Suites[i].Requirements[j].failure(); f != nil {
				f.Kinds = []FailureKind{{Message: "something is odd", Count: 7, Want: "w", Got: "g"}}
			}
		}
	}
	for _, format := range []string{"html", "markdown", "junit", "tap"} {
		if !strings.Contains(write(t, format, r, Options{}), "something is odd (7)") {
			t.Errorf("%s does not say what was found", format)
		}
	}
	var console strings.Builder
	require.NoError(t, Console(&console, r, ConsoleOptions{Width: 120}))
	require.Contains(t, console.String(), "something is odd (7)")
}
