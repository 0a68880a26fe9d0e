package scope

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	mcpsuite "github.com/capconform/capconform/suites/mcp"
	"github.com/capconform/capconform/suites/text"
)

// Definitions is the only list of suites that are part of this program.
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

// texts are the suites of this program that are folders of data (DESIGN section 16). They are examined if they are
// named.
var texts = map[string]func() (*text.Text, error){"mcp": mcpsuite.Load}

// TextNames returns the names of the suites of this program that are folders of data, sorted.
func TextNames() []string { return slices.Sorted(maps.Keys(texts)) }

// IsText reports whether the name of a suite is that of a text: a folder, or a suite of this program that is data.
func IsText(name string) bool { return IsFolder(name) || texts[name] != nil }

// LoadText loads the text that a value of --suite names. The names are those of other suites, which a folder must not
// have.
func LoadText(name string, taken []string) (*text.Text, error) {
	if load := texts[name]; load != nil {
		return load()
	}
	own, err := text.Load(name, taken)
	if err != nil {
		return nil, process.Misuse("--suite: %v", err)
	}
	return own, nil
}

// IsFolder reports whether the name of a suite is the folder of a text of one's own: it contains a separator.
func IsFolder(name string) bool {
	return strings.ContainsAny(name, `/`+string(os.PathSeparator)) || name == "." || name == ".."
}

// OwnSuites refuses folders: the command is about the hosts of capconform, which speak its own suites.
func OwnSuites(command string, names []string) error {
	for _, name := range names {
		if IsText(name) {
			return process.Misuse("%s: %s is a text of one's own, of which capconform has no hosts", command, name)
		}
	}
	return KnownSuites(names)
}

// KnownSuites refuses unknown names of suites. It does not read folders.
func KnownSuites(names []string) error {
	known := slices.Concat(SuiteNames(), TextNames())
	for _, name := range names {
		if slices.Contains(known, name) || IsFolder(name) {
			continue
		}
		if _, err := os.Stat(filepath.Join(name, "protocol.yaml")); err == nil {
			return process.Misuse("unknown suite %q; for the folder write --suite ./%s", name, name)
		}
		return process.Misuse("unknown suite %q%s", name, nearest.Hint(name, known))
	}
	return nil
}

// LoadSuites loads the suites with these names, in the order of the list; all if there are none.
func LoadSuites(names []string) ([]*suites.Suite, error) {
	return ofSuites(names, SuiteNames(), suites.New)
}

// LoadCatalogues loads the catalogues of these suites, without features, in the order of the list;
// all if there are none. A folder may have the name of a suite of this program, such as an edition that is not examined
// yet: nothing is reported under the name.
func LoadCatalogues(names []string) ([]*spec.Catalogue, error) {
	return ofSuites(names, nil, func(d suites.Definition) (*spec.Catalogue, error) { return d.LoadCatalogue() })
}

// ofSuites loads something of each suite concurrently: reading takes longer than everything else in
// most commands.
func ofSuites[T any](names, taken []string, load func(suites.Definition) (T, error)) ([]T, error) {
	chosen, err := named(names, taken)
	if err != nil {
		return nil, err
	}
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

// Named returns the definitions of the suites with these names, in the order of the list, and after them those of the
// folders; all of the list if there are no names.
func Named(names []string) ([]suites.Definition, error) { return named(names, SuiteNames()) }

// named is Named, with the names that no folder must have.
func named(names, taken []string) ([]suites.Definition, error) {
	if err := KnownSuites(names); err != nil {
		return nil, err
	}
	chosen := slices.DeleteFunc(Definitions(),
		func(d suites.Definition) bool { return len(names) > 0 && !slices.Contains(names, d.Name) })
	for i, name := range names {
		if !IsText(name) || slices.Contains(names[:i], name) {
			continue
		}
		own, err := LoadText(name, taken)
		if err != nil {
			return nil, err
		}
		chosen, taken = append(chosen, own.Definition()), append(taken, own.Name)
	}
	return chosen, nil
}
