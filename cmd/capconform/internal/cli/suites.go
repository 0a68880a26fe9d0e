package cli

import (
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
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

// knownSuites refuses unknown names of suites.
func knownSuites(names []string) error {
	known := suiteNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return misuse("unknown suite %q%s", name, nearest.Hint(name, known))
		}
	}
	return nil
}

// loadSuites loads the suites with these names, in the order of the list; all if there are none.
func loadSuites(names []string) ([]*suites.Suite, error) { return ofSuites(names, suites.New) }

// loadCatalogues loads the catalogues of these suites, without features, in the order of the list;
// all if there are none.
func loadCatalogues(names []string) ([]*spec.Catalogue, error) {
	return ofSuites(names, func(d suites.Definition) (*spec.Catalogue, error) { return spec.Load(d.Name) })
}

// ofSuites loads something of each suite concurrently: reading takes longer than everything else in
// most commands.
func ofSuites[T any](names []string, load func(suites.Definition) (T, error)) ([]T, error) {
	if err := knownSuites(names); err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(definitions(),
		func(d suites.Definition) bool { return len(names) > 0 && !slices.Contains(names, d.Name) })
	loaded, faults := make([]T, len(chosen)), make([]error, len(chosen))
	var all sync.WaitGroup
	for i, d := range chosen {
		all.Go(func() { loaded[i], faults[i] = load(d) })
	}
	all.Wait()
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return loaded, nil
}
