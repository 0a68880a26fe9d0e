package jsonvalue

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClipShowsEveryMember: what decides stays, whatever stands before it.
func TestClipShowsEveryMember(t *testing.T) {
	long := strings.Repeat("x", 1000)
	list := "[" + strings.Repeat(`{"id":"abcdefgh","n":1},`, 99) + `{"id":"last"}]`
	for text, want := range map[string][]string{
		`{"data":"` + long + `","outcome":"denied","success":false}`:             {`"data":"xxx`, `..."`, `"outcome":"denied"`, `"success":false`},
		`{"data":` + list + `,"denial":{"code":"X","why":"` + long + `"},"n":1}`: {` more],"denial":{"code":"X"`, `"n":1}`},
		`{"a":{"b":{"c":"` + long + `"}},"outcome":1e400}`:                       {`"outcome":1e400`},
		`[` + list + `,` + list + `]`:                                            {"[[", " more"},
	} {
		got := Clip(text)
		require.LessOrEqual(t, len(got), maxTextLength)
		for _, part := range want {
			require.Contains(t, got, part)
		}
	}
	notJSON := `{"data":"` + long
	require.Equal(t, notJSON[:maxTextLength]+"...", Clip(notJSON))
}
