package golden

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

const judgedEnding = ".judged"

// Judged lists for each suite the requirements that a complete selftest has judged on every lawful
// host and document. All other requirements are new.
type Judged map[string][]string

// LoadJudged reads the golden files.
func LoadJudged() (Judged, error) {
	names, err := fs.Glob(files, "*"+judgedEnding)
	if err != nil {
		return nil, fmt.Errorf("golden: %w", err)
	}
	all := Judged{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("golden: %w", err)
		}
		all[strings.TrimSuffix(name, judgedEnding)] = strings.Fields(string(text))
	}
	return all, nil
}

// Write writes one golden file per suite into a folder, one id per line.
func (j Judged) Write(folder string) error {
	for suite, ids := range j {
		text := strings.Join(ids, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(folder, suite+judgedEnding), []byte(text), 0o644); err != nil {
			return fmt.Errorf("golden: %w", err)
		}
	}
	return nil
}
