// Package features holds the Gherkin of every suite, a folder a suite and a
// file a section of its text (DESIGN section 5).
package features

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
)

//go:embed */*.feature
var files embed.FS

// File is one feature file.
type File struct {
	Name string // "cap/discovery.feature"
	Text []byte
}

// Suite returns the feature files of a suite in the order of their names.
func Suite(name string) ([]File, error) {
	names, err := fs.Glob(files, path.Join(name, "*.feature"))
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("features: no feature for suite %q", name)
	}
	found := make([]File, 0, len(names))
	for _, n := range names {
		text, err := files.ReadFile(n)
		if err != nil {
			return nil, fmt.Errorf("features: %w", err)
		}
		found = append(found, File{Name: n, Text: text})
	}
	return found, nil
}

// Digest is the SHA-256 (hex) over the names and texts of the files.
func Digest(all []File) string {
	h := sha256.New()
	for _, f := range all {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Text))
		h.Write(f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
