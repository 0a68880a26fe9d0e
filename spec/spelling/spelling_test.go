package spelling

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	long := strings.Repeat("x", 1_000_000)
	for _, c := range []struct {
		name, a, b string
		limit      int
		want       int
	}{
		{"equal", "kind", "kind", 9, 0},
		{"inserted", "kind", "kinds", 9, 1},
		{"removed", "kind", "kin", 9, 1},
		{"replaced", "kind", "kino", 9, 1},
		{"swapped", "kind", "kidn", 9, 1},
		{"swapped at the start", "kind", "iknd", 9, 1},
		{"two changes", "kitten", "sittin", 9, 2},
		{"empty", "", "kind", 9, 4},
		{"letters of several bytes", "größe", "grüße", 9, 1},
		{"at the limit", "kitten", "sitting", 3, 3},
		{"beyond the limit", "abcdef", "uvwxyz", 3, 3},
		{"lengths differ by the limit", "a", "abcdefgh", 3, 3},
		{"long and equal", long, long, 3, 0},
		{"long and different", long, long + "y", 3, 3}, // takes hours otherwise
		{"long in letters", long[:300], long[:300] + "y", 3, 3},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%s: want %d, got %d", c.name, c.want, got)
		}
	}
}
