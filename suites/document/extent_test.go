package document

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// TestEnds checks the ends of names and values in every form of JSON and YAML.
func TestEnds(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want map[Place]Place
	}{
		"a.json": {
			"{\"a\\\"b\": \"ä😀\",\n  \"n\": -1.5e3, \"t\": true, \"o\": {\"x\": [null]}}",
			map[Place]Place{
				{1, 1}: {1, 2}, {1, 2}: {1, 8}, {1, 10}: {1, 14}, {2, 3}: {2, 6}, {2, 8}: {2, 14}, {2, 16}: {2, 19}, {2, 21}: {2, 25},
				{2, 32}: {2, 33}, {2, 38}: {2, 39},
			},
		},
		"a.yaml": {
			"name: a plain, text # with a remark\n'it''s': \"x\\\"y\"\nblock: |\n  two\n  lines\nfolded: one\n  two\nlist: [a, 'b']\n",
			map[Place]Place{
				{1, 1}: {1, 5}, {1, 7}: {1, 20}, {2, 1}: {2, 8}, {2, 10}: {2, 16}, {8, 7}: {8, 8}, {8, 8}: {8, 9}, {8, 11}: {8, 14},
				// The ends of {3, 8} and {6, 9}, which have several lines, are unknown.
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			require.NoError(t, os.WriteFile(path, []byte(tt.text), 0o600))
			file, err := Load(context.Background(), path, Limits{})
			require.NoError(t, err)
			places := []Place{{3, 8}, {6, 9}, {99, 1}, {1, 999}}
			for at := range tt.want {
				places = append(places, at)
			}
			if diff := cmp.Diff(tt.want, file.Ends(places)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
