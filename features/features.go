// Package features contains the Gherkin of every suite: one folder per suite and one file per
// section of its text (DESIGN section 5).
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
func Suite(name string) ([]File, error) { return In(files, name, name) }

// In returns the feature files in a folder of a file system, in the order of their names, as files of a suite.
func In(root fs.FS, folder, suite string) ([]File, error) {
	names, err := fs.Glob(root, path.Join(folder, "*.feature"))
	if err != nil {
		return nil, fmt.Errorf("features: %w", err)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("features: no feature for suite %q", suite)
	}
	found := make([]File, 0, len(names))
	for _, n := range names {
		text, err := fs.ReadFile(root, n)
		if err != nil {
			return nil, fmt.Errorf("features: %w", err)
		}
		found = append(found, File{Name: path.Join(suite, path.Base(n)), Text: text})
	}
	return found, nil
}

// Digest returns the SHA-256, in hexadecimal, of the names and texts of the files.
func Digest(all []File) string {
	h := sha256.New()
	for _, f := range all {
		fmt.Fprintf(h, "%s %d\n", f.Name, len(f.Text))
		h.Write(f.Text)
	}
	return hex.EncodeToString(h.Sum(nil))
}
