package history

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeeps: Keeps agrees with a comparison of Filled and OfText.
func TestKeeps(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2)) // not a secret
	often := map[bool]int{}
	for range 50_000 {
		kept, given := anyOf(random, descriptorMembers, 2), anyOf(random, descriptorMembers, 12)
		want := HoldsAll(Filled(kept), OfText(given))
		require.Equal(t, want, Keeps(kept, given), "%v of %v", kept, given)
		often[want]++
	}
	require.Greater(t, min(often[true], often[false]), 1_000)
	require.False(t, Keeps(nil, Object{}))
}

// anyOf returns an object with some members, on average one in rarely.
func anyOf(random *rand.Rand, members []member, rarely int) Object {
	made := Object{}
	for _, m := range members {
		switch {
		case random.IntN(rarely) > 0:
		case m.inner != nil && random.IntN(5) > 0:
			made[m.name] = anyOf(random, m.inner, rarely)
		default:
			made[m.name] = []any{
				nil, "a", "a", true, false, []any{}, []any{"a", "b"}, []any{"b", "a"}, []any{"a", 1}, Object{}, Object{"a": "b"},
			}[random.IntN(11)]
		}
	}
	return made
}
