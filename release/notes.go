package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// notesFile holds what the page of a release says.
const notesFile = "NOTES.md"

// notes takes the notes of the version from the changelog. What is built between two
// releases has those of what is not released yet.
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

// section is the section of a changelog about a version.
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
		return "", fmt.Errorf("CHANGELOG.md: nothing stands under ## [%s]", version)
	}
	return notes + "\n", nil
}
