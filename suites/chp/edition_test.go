package chpsuite_test

import (
	"io/fs"
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/text"
)

// The parts of the folder 0.2 fit together, each requirement that a schema names is in the catalogue, and
// an id that 0.1 has as well stands for the same demand.
func TestEdition(t *testing.T) {
	folder := os.DirFS("0.2")
	own, err := text.LoadFrom("0.2", nil, folder)
	require.NoError(t, err)
	folderOf, builtIn := own.Definition(), chpsuite.Definition()
	newer, err := folderOf.LoadCatalogue()
	require.NoError(t, err)
	older, err := builtIn.LoadCatalogue()
	require.NoError(t, err)

	summaries, both := map[string]string{}, 0
	for _, r := range newer.Requirements {
		summaries[r.ID] = r.Summary
	}
	for _, r := range older.Requirements {
		if summary, kept := summaries[r.ID]; kept {
			both++
			assert.Equal(t, r.Summary, summary, r.ID)
		}
	}
	assert.NotZero(t, both)

	names, err := fs.Glob(folder, "schemas/*.json")
	require.NoError(t, err)
	named := 0
	for _, name := range names {
		schema, err := fs.ReadFile(folder, name)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`"x-requirement": "([^"]*)"`).FindAllSubmatch(schema, -1) {
			named++
			assert.Contains(t, summaries, string(match[1]), name)
		}
	}
	assert.NotZero(t, named)
}
