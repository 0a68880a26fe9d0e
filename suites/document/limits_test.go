package document

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A value that is too long for memory is read item by item, but the members outside its lists are held in memory:
// their number is limited.
func TestMembersOfLongValueAreLimited(t *testing.T) {
	for members, refused := range map[int]bool{headMembers - 1: false, headMembers: true} {
		var text strings.Builder
		text.WriteString(`{"items":[` + strings.TrimSuffix(strings.Repeat(`{"a":1},`, 1000), ",") + `]`)
		for i := range members {
			fmt.Fprintf(&text, `,"m%d":1`, i)
		}
		path := filepath.Join(t.TempDir(), "long.json")
		require.NoError(t, os.WriteFile(path, []byte(text.String()+"}"), 0o600))
		file, err := Load(t.Context(), path, Limits{Size: 2000})
		require.NoError(t, err)
		require.NotNil(t, file.Log)
		_, err = file.Log.Each(t.Context(), func(Entry) {})
		if got := err != nil && strings.Contains(err.Error(), "more than capconform's limit of 1000 members"); got != refused {
			t.Errorf("%d members: %v", members, err)
		}
	}
}

func TestValuesAreCounted(t *testing.T) {
	file, err := Parse("a.json", []byte(`{"a":[1,{"b":null}],"c":"d"}`), Limits{})
	require.NoError(t, err)
	if got := file.Roots[0].Values(); got != 6 {
		t.Errorf("%d values, want 6", got)
	}
}
