package tree

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// makeCall matches a call of make in a code span, a code block, a script or a step of a workflow, with its targets.
var makeCall = regexp.MustCompile("(?m)(?:`|^ *(?:- run: |\\$ )?(?:[A-Z_]+=\\S* )*)make(?: -s)?((?: [a-z][a-z-]*)+)")

// makeTarget matches a target of the Makefile that is not a file.
var makeTarget = regexp.MustCompile(`(?m)^\.PHONY: (\S+)$`)

func TestMakeCallsNameTargets(t *testing.T) {
	var known []string
	for _, target := range makeTarget.FindAllStringSubmatch(pageText(t, "Makefile"), -1) {
		known = append(known, target[1])
	}
	files := []string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md"}
	for _, pattern := range []string{"docs/*.md", ".github/workflows/*.yml"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		files = append(files, found...)
	}
	if _, err := os.Stat(".ci/run"); err == nil {
		files = append(files, ".ci/run")
	}
	called := 0
	for _, file := range files {
		targets := madeTargets(filepath.Ext(file) == ".md", pageText(t, file))
		for _, target := range targets {
			if !slices.Contains(known, target) {
				t.Errorf("%s calls make %s, which is not a target of the Makefile", file, target)
			}
		}
		called += len(targets)
	}
	if called < 40 {
		t.Errorf("%d calls of make were found, want at least 40", called)
	}
}

func TestTargetsOfMakeAreFound(t *testing.T) {
	page := "We make sense.\nmake sense `make golden -n` and `make a b GOLDENFLAGS=x`.\n\n```sh\nmake lint # all\nX=1 make -s c\n```\n"
	got := madeTargets(true, page)
	if want := []string{"golden", "a", "b", "lint", "c"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = madeTargets(false, "    steps:\n      - run: make lint\n      - run: |\n          make d\n")
	if want := []string{"lint", "d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// madeTargets returns the targets of the calls of make in a text; in a page, only code counts.
func madeTargets(page bool, text string) []string {
	parts := []string{text}
	if page {
		parts = code.FindAllString(text, -1)
	}
	var targets []string
	for _, part := range parts {
		for _, call := range makeCall.FindAllStringSubmatch(part, -1) {
			targets = append(targets, strings.Fields(call[1])...)
		}
	}
	return targets
}
