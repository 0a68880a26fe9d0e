package acdhost

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Without an sh, the interpreter runs scripts and gives them no access to files.
func TestScriptsRunWithoutAShell(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	file := filepath.Join(folder, "probe")
	for script, want := range map[string]object{
		"echo alive": {"exit_status": 0, "stdout": "alive\n"},
		"exit 7":     {"exit_status": 7, "stdout": ""},
		"(echo probe > '" + file + "') && echo escaped": {"exit_status": 1, "stdout": ""},
		"read x < /etc/passwd; echo \"$x\"":             {"exit_status": 0, "stdout": "\n"},
		"cat /etc/passwd || echo none":                  {"exit_status": 0, "stdout": "none\n"},
		"for f in /*; do echo \"$f\"; done":             {"exit_status": 0, "stdout": ""},
		"if":                                            {"exit_status": 2, "stdout": ""},
	} {
		got, err := RunScript(t.Context(), sandbox, script)
		require.NoError(t, err, script)
		assert.Equal(t, want, got, script)
	}
	assert.NoFileExists(t, file)
}

// The output of a script is read until the end of its time limit: on a busy machine it may arrive much later than the
// script ends.
func TestScriptOutputIsReadCompletely(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("sh is not installed")
	}
	got, err := RunScript(t.Context(), "", "(sleep 1.2; echo late) & echo early")
	require.NoError(t, err)
	require.Equal(t, object{"exit_status": 0, "stdout": "early\nlate\n"}, got)
}
