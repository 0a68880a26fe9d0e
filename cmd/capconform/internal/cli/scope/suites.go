package scope

import (
	"errors"
	"slices"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
)

// Definitions is the only list of suites.
func Definitions() []suites.Definition {
	return []suites.Definition{capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition()}
}

func SuiteNames() []string {
	var names []string
	for _, d := range Definitions() {
		names = append(names, d.Name)
	}
	return names
}

// KnownSuites refuses unknown names of suites.
func KnownSuites(names []string) error {
	known := SuiteNames()
	for _, name := range names {
		if !slices.Contains(known, name) {
			return process.Misuse("unknown suite %q%s", name, nearest.Hint(name, known))
		}
	}
	return nil
}

// LoadSuites loads the suites with these names, in the order of the list; all if there are none.
func LoadSuites(names []string) ([]*suites.Suite, error) { return ofSuites(names, suites.New) }

// LoadCatalogues loads the catalogues of these suites, without features, in the order of the list;
// all if there are none.
func LoadCatalogues(names []string) ([]*spec.Catalogue, error) {
	return ofSuites(names, func(d suites.Definition) (*spec.Catalogue, error) { return spec.Load(d.Name) })
}

// ofSuites loads something of each suite concurrently: reading takes longer than everything else in
// most commands.
func ofSuites[T any](names []string, load func(suites.Definition) (T, error)) ([]T, error) {
	if err := KnownSuites(names); err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(Definitions(),
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
