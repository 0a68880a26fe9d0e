package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notesFile contains the text for the page of a release.
const notesFile = "NOTES.md"

// notes extracts the notes of the version from the changelog. A build between two releases has the
// notes of the unreleased section.
func (r *release) notes() error {
	text, err := os.ReadFile(filepath.Join(r.root, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	heading := r.version
	if strings.Contains(r.version, "-") {
		heading = "Unreleased"
	}
	section, err := section(string(text), heading)
	if err != nil {
		return err
	}
	return r.write(notesFile, []byte(section))
}

// section returns the section of a changelog about a version.
func section(text, version string) (string, error) {
	var kept []string
	found := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "## ") {
			if found {
				break
			}
			found = strings.HasPrefix(line, "## ["+version+"]")
			continue
		}
		if found {
			kept = append(kept, line)
		}
	}
	notes := strings.TrimSpace(strings.Join(kept, ""))
	if !found || notes == "" {
		return "", fmt.Errorf("CHANGELOG.md: there is no text under ## [%s]", version)
	}
	return notes + "\n", nil
}
