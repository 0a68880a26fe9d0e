package reports

import (
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
