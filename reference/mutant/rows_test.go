package mutant

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/suites/defect"
)

// TestRowsCompile: the program compiles the expressions of rows at their first use, so a row with an error would only
// change nothing.
func TestRowsCompile(t *testing.T) {
	files, err := filepath.Glob("../*/mutant/*defects.yaml")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all, err := defect.Load(file, text, defect.Scope(), nil, nil)
		require.NoError(t, err)
		require.NotEmpty(t, all)
	}
}

// TestHostsHaveSeveralRows: a host has each of the defects that are put into it.
func TestHostsHaveSeveralRows(t *testing.T) {
	const rows = `
places: {host: {of: chp.host, at: result}}
defects:
  - {in: host, defects: [{defect: id, breaks: CHP-4-01, summary: Uses 7 as id., set: {id: 7}}]}
  - {in: host, defects: [{defect: kind, breaks: CHP-4-04, summary: Uses 7 as kind., set: {kind: 7}}]}
`
	both := MustRows("chp", []byte(rows))
	host, err := reference.New(reference.Options{Suites: []string{"chp"}, Alter: func(parts *reference.Parts) {
		for _, m := range both {
			m.Apply(parts)
		}
	}})
	require.NoError(t, err)
	answer := string(host.Handle(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"chp.host"}`)))
	require.Contains(t, answer, `"id":7`)
	require.Contains(t, answer, `"kind":7`)
}
