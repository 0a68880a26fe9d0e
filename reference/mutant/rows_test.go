package mutant

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/defect"
)

// TestRowsCompile: the program compiles the expressions of rows at their first use, so a row with an error would only
// change nothing.
func TestRowsCompile(t *testing.T) {
	files, err := filepath.Glob("../*/mutant/defects.yaml")
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
