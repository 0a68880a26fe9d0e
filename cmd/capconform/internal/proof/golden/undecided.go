package golden

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/reports"
)

const undecidedEnding = ".yaml"

// Undecided contains, by suite and name, the requirements that each host and document leaves
// undecided.
type Undecided map[string]map[string]Loss

// Loss lists the requirements that a host or document leaves undecided although the reference
// decides them. It cannot list a failure: a mutant declares the requirements that its defect
// necessarily breaks in addition, with the reason.
type Loss struct {
	Inconclusive  []string `yaml:"inconclusive,omitempty"`
	NotApplicable []string `yaml:"not_applicable,omitempty"`
}

// LoadUndecided reads the golden files.
func LoadUndecided() (Undecided, error) {
	names, err := fs.Glob(files, "*"+undecidedEnding)
	if err != nil {
		return nil, fmt.Errorf("golden: %w", err)
	}
	all := Undecided{}
	for _, name := range names {
		text, err := files.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("golden: %w", err)
		}
		if all[strings.TrimSuffix(name, undecidedEnding)], err = readLosses(text); err != nil {
			return nil, fmt.Errorf("golden: %s: %w", name, err)
		}
	}
	return all, nil
}

func readLosses(text []byte) (map[string]Loss, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	decoder.KnownFields(true)
	losses := map[string]Loss{}
	if err := decoder.Decode(&losses); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return losses, nil
}

// Write writes one golden file per suite into a folder.
func (u Undecided) Write(folder string) error {
	for suite, losses := range u {
		var text bytes.Buffer
		text.WriteString("# What each host and document leaves undecided although the reference shows it.\n" +
			"# Written by make golden; the selftest compares it with what it observes.\n")
		encoder := yaml.NewEncoder(&text)
		encoder.SetIndent(2)
		if err := encoder.Encode(losses); err != nil {
			return fmt.Errorf("golden: %w", err)
		}
		if err := os.WriteFile(filepath.Join(folder, suite+undecidedEnding), text.Bytes(), 0o644); err != nil {
			return fmt.Errorf("golden: %w", err)
		}
	}
	return nil
}

// Status returns the status of one requirement in the file; ok is false if the file does not list
// it.
func (l Loss) Status(id string) (status reports.Status, ok bool) {
	switch {
	case slices.Contains(l.Inconclusive, id):
		return reports.Inconclusive, true
	case slices.Contains(l.NotApplicable, id):
		return reports.NotApplicable, true
	}
	return "", false
}

// IDs returns all listed requirements.
func (l Loss) IDs() []string { return slices.Concat(l.Inconclusive, l.NotApplicable) }
