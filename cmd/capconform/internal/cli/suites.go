package cli

import (
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

// definitions is the only list of suites.
func definitions() []suites.Definition {
	return []suites.Definition{capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition()}
}

func suiteNames() []string {
	var names []string
	for _, d := range definitions() {
		names = append(names, d.Name)
	}
	return names
}

// knownSuites refuses names that no suite has.
func knownSuites(names []string) error {
	known := suiteNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return misuse("unknown suite %q%s", name, nearest.Hint(name, known))
		}
	}
	return nil
}

// loadSuites loads the suites of these names, in the order of the list; all if
// there are none.
func loadSuites(names []string) ([]*suites.Suite, error) {
	if err := knownSuites(names); err != nil {
		return nil, err
	}
	var all []*suites.Suite
	for _, d := range definitions() {
		if len(names) > 0 && !slices.Contains(names, d.Name) {
			continue
		}
		s, err := suites.New(d)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}
