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

// mustLines and mustFiles are the numbers of lines and files of a new MUST: those of the blocks below. The page
// states them.
const mustLines, mustFiles = 21, 4

// mustBlocks are the blocks of "Add a MUST" in order, each with its file and the text of this file before which it is
// inserted, or "" for the end.
var mustBlocks = []struct{ language, file, before string }{
	{"yaml", "spec/cap.yaml", "not_normative:\n"},
	{"gherkin", "features/cap/capability.feature", ""},
	{"yaml", "suites/cap/rules/manifest.yaml", ""},
	{"yaml", "reference/caphost/mutant/defects.yaml", "    - {defect: leaks-url-as-id"},
}

// TestExampleOfAMUST follows "Add a MUST" of CONTRIBUTING.md: no lawful host or document breaks the new requirement,
// and the selftest kills its mutant.
func TestExampleOfAMUST(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command again")
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
	assert.Equal(t, mustLines, lines)
	assert.Contains(t, section, fmt.Sprintf("It takes %d lines in four files;", mustLines))

	files := map[string]string{}
	for i, block := range fragments {
		path := filepath.Join(root, filepath.FromSlash(mustBlocks[i].file))
		if files[path] == "" {
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			files[path] = string(text)
		}
		files[path] = withMustBlock(t, i, files[path], block)
	}
	assert.Len(t, files, mustFiles)
	program := builtWith(t, root, files)
	output, err := exec.CommandContext(t.Context(), program, "coverage", "--suite", "cap").CombinedOutput()
	require.NoError(t, err, string(output))
	assert.Regexp(t, `(?m)^CAP-CAP-06 +MUST NOT +live +1 +\. +1 `, string(output))
	assert.Contains(t, string(output), "new: CAP-CAP-06 ")
	output, err = exec.CommandContext(t.Context(), program, "selftest", "--driver", "inproc", "--mutant",
		"cap-id-two-lines", "--json",
		"--golden", t.TempDir()).Output() // make golden would write what else is undecided
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
		if trial.Name == "cap-id-two-lines" {
			assert.Equal(t, "CAP-CAP-06", trial.Requirement)
			assert.True(t, trial.Killed)
			killed++
		}
	}
	assert.Positive(t, killed)
}

// withMustBlock returns the text of a file with a block of the example inserted.
func withMustBlock(t *testing.T, nth int, text string, block exampleText) string {
	t.Helper()
	to := mustBlocks[nth]
	require.Equal(t, to.language, block.language, to.file)
	before, after := text, ""
	if to.before != "" {
		var found bool
		before, after, found = strings.Cut(text, to.before)
		require.True(t, found, to.file)
	}
	switch {
	case strings.HasSuffix(to.file, "defects.yaml"):
	case strings.Contains(to.file, "/rules/"):
		block.text = "\n" + block.text
	default:
		block.text = "\n" + indentedBy("  ", block.text) // the requirements and scenarios are in a list
	}
	return before + block.text + to.before + after
}

// builtWith returns the path of a command that is built with some files replaced.
func builtWith(t *testing.T, root string, files map[string]string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "capconform")
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-overlay", overlaid(t, files),
		"-o", program, "./cmd/capconform")
	build.Dir = root
	output, err := build.CombinedOutput()
	require.NoError(t, err, string(output))
	return program
}

func indentedBy(indentation, text string) string {
	var all strings.Builder
	for line := range strings.Lines(text) {
		all.WriteString(indentation + line)
	}
	return all.String()
}

// overlaid writes an overlay that replaces the text of files, and returns its path.
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
