package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// mostLines is how many lines a new MUST takes at most: those of the blocks below.
const mostLines = 25

// mustBlocks are the blocks of "Add a MUST" in their order: the file that each belongs to, and
// the text of this file before which it stands, "" for its end.
var mustBlocks = []struct{ language, file, before string }{
	{"yaml", "spec/cap.yaml", "not_normative:\n"},
	{"gherkin", "features/cap/manifest.feature", ""},
	{"go", "suites/cap/sentences.go", "\tsuites.Say(`each manifest declares an output schema`"},
	{"go", "suites/cap/judge/manifest.go", ""},
	{"go", "reference/caphost/mutant/manifest.go", "\t\t{\"name-number\""},
}

// TestExampleOfAMUST follows "Add a MUST" of CONTRIBUTING.md: coverage then names the requirement,
// and the selftest kills its mutant.
func TestExampleOfAMUST(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command anew")
	}
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, "CONTRIBUTING.md"))
	require.NoError(t, err)
	_, section, found := strings.Cut(string(page), "\n## Add a MUST\n")
	require.True(t, found)
	section, _, _ = strings.Cut(section, "\n## ")
	var fragments []exampleText
	lines := 0
	for _, block := range blocksOf(section) {
		if block.language != "sh" {
			fragments = append(fragments, block)
			lines += strings.Count(strings.ReplaceAll(block.text, "\n\n", "\n"), "\n")
		}
	}
	require.Len(t, fragments, len(mustBlocks))
	assert.LessOrEqual(t, lines, mostLines)

	files := map[string]string{}
	for i, to := range mustBlocks {
		require.Equal(t, to.language, fragments[i].language, to.file)
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(to.file)))
		require.NoError(t, err)
		before, after := string(text), ""
		if to.before != "" {
			before, after, found = strings.Cut(string(text), to.before)
			require.True(t, found, to.file)
		}
		fragment := fragments[i].text
		if to.language != "go" {
			fragment = "\n" + indentedBy("  ", fragment) // the requirements and scenarios stand in a list
		}
		files[filepath.Join(root, filepath.FromSlash(to.file))] = before + fragment + to.before + after
	}
	t.Logf("%d lines in %d files", lines, len(files))

	program := filepath.Join(t.TempDir(), "capconform")
	build := exec.CommandContext(t.Context(), "go", "build", "-overlay", overlaid(t, files), "-o", program, "./cmd/capconform")
	build.Dir = root
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	output, err = exec.CommandContext(t.Context(), program, "coverage", "--suite", "cap").CombinedOutput()
	require.NoError(t, err, string(output))
	assert.Regexp(t, `(?m)^CAP-MAN-07 +MUST NOT +live +1 +\. +1 `, string(output))
	output, err = exec.CommandContext(t.Context(), program, "selftest", "--driver", "inproc", "--mutant", "cap-name-empty", "--json",
		"--golden", t.TempDir()).Output() // make golden would write what else is left open
	require.NoError(t, err, string(output))
	var matrix struct {
		Trials []struct {
			Name, Requirement string
			Killed            bool
		}
	}
	require.NoError(t, json.Unmarshal(output, &matrix))
	killed := 0
	for _, trial := range matrix.Trials {
		if trial.Name == "cap-name-empty" {
			assert.Equal(t, "CAP-MAN-07", trial.Requirement)
			assert.True(t, trial.Killed)
			killed++
		}
	}
	assert.Positive(t, killed)
}

func indentedBy(indentation, text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		all.WriteString(indentation + line)
	}
	return all.String()
}

// overlaid writes an overlay in which files have another text, and returns its path.
func overlaid(t *testing.T, files map[string]string) string {
	t.Helper()
	var overlay struct{ Replace map[string]string }
	overlay.Replace = map[string]string{}
	folder := t.TempDir()
	for path, text := range files {
		file := filepath.Join(folder, fmt.Sprint(len(overlay.Replace), filepath.Ext(path)))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		overlay.Replace[path] = file
	}
	text, err := json.Marshal(overlay)
	require.NoError(t, err)
	path := filepath.Join(folder, "overlay.json")
	require.NoError(t, os.WriteFile(path, text, 0o600))
	return path
}
