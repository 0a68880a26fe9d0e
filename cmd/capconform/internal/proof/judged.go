package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// Judged lists for each suite the requirements that a complete selftest has judged on every lawful
// host and document. All other requirements are new.
type Judged map[string][]string

const judgedEnding = ".judged"

// loadJudged reads the golden files.
func loadJudged() (Judged, error) {
	files, err := goldenFiles.ReadDir("golden")
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	all := Judged{}
	for _, file := range files {
		suite, listed := strings.CutSuffix(file.Name(), judgedEnding)
		if !listed {
			continue
		}
		text, err := goldenFiles.ReadFile("golden/" + file.Name())
		if err != nil {
			return nil, fmt.Errorf("proof: %w", err)
		}
		all[suite] = strings.Fields(string(text))
	}
	return all, nil
}

// Write writes one golden file per suite into a folder, one id per line.
func (j Judged) Write(folder string) error {
	for suite, ids := range j {
		text := strings.Join(ids, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(folder, suite+judgedEnding), []byte(text), 0o644); err != nil {
			return fmt.Errorf("proof: %w", err)
		}
	}
	return nil
}

// Judged returns the golden lists that follow from this selftest. The list of a suite is replaced
// if everything was tried and every lawful subject was judged correctly; otherwise it stays.
func (m *Matrix) Judged(o Options) Judged {
	all := Judged{}
	for _, s := range o.Suites {
		all[s.Name] = o.Population.Judged[s.Name]
		if m.whole && m.Void == "" &&
			!slices.ContainsFunc(m.Trials, func(t Trial) bool { return t.Suite == s.Name && t.lawful() && !t.OK() }) {
			all[s.Name] = withScenarios(s)
		}
	}
	return all
}

// lawful reports whether the subject of a trial breaks nothing.
func (t *Trial) lawful() bool {
	return t.Kind == KindReference || t.Kind == KindVariant || t.Kind == KindDocument && t.Requirement == ""
}

// unjudged lists the requirements of a suite that the golden file does not list.
func (p Population) unjudged(s *suites.Suite) []string {
	return slices.DeleteFunc(withScenarios(s), func(id string) bool { return slices.Contains(p.Judged[s.Name], id) })
}

// withScenarios lists the requirements that have scenarios, in catalogue order.
func withScenarios(s *suites.Suite) []string {
	tagged := map[string]bool{}
	for _, k := range s.Scenarios() {
		tagged[k.Requirement] = true
	}
	var ids []string
	for _, r := range s.Catalogue.Requirements {
		if tagged[r.ID] {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
