package scope

import (
	"cmp"
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

// builtIn is a suite of this program that is a folder of data (DESIGN section 16), in editions.
type builtIn struct {
	editions []string // the newest first
	load     func(edition string) (*text.Text, error)
	// derived are the editions that are no folder: the suite in Definitions with a further catalogue.
	derived map[string]func() (suites.Definition, error)
	// own is the name of the edition that is in Definitions, "" if all are folders. The name of the suite stands for it
	// wherever no target says which edition it prefers.
	own string
}

// all returns the names of the editions, the newest first.
func (b builtIn) all() []string {
	all := slices.AppendSeq(slices.Clone(b.editions), slices.Values(slices.Sorted(maps.Keys(b.derived))))
	if b.own == "" {
		return all
	}
	return append(all, b.own)
}

// texts are the suites of this program that are folders of data. They are examined if they are named. A name stands for
// all editions, and NAME@EDITION for one.
var texts = map[string]builtIn{
	"mcp": {editions: mcpsuite.Editions(), load: mcpsuite.Load},
	"chp": {editions: chpsuite.Editions(), load: chpsuite.Load, own: chpsuite.Draft,
		derived: map[string]func() (suites.Definition, error){chpsuite.Stable: chpsuite.StableDefinition}},
}

// TextNames returns the names of the suites of this program that are folders of data in all editions, sorted.
func TextNames() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(texts)), func(name string) bool { return texts[name].own != "" })
}

// AllTexts returns the names of all editions of suites of this program that are not in Definitions.
func AllTexts() []string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		for _, edition := range texts[name].all() {
			if edition != texts[name].own {
				all = append(all, name+"@"+edition)
			}
		}
	}
	return all
}

// Editions returns the editions of the suites of this program that have some.
func Editions() []string {
	var all []string
	for _, name := range slices.Backward(slices.Sorted(maps.Keys(texts))) {
		all = append(all, texts[name].all()...)
	}
	return all
}

// IsEdition reports whether a suite of this program has an edition with this name.
func IsEdition(suite, edition string) bool { return slices.Contains(texts[suite].all(), edition) }

// EditionName returns the name of an edition of a suite, or of the one for which the name of the suite stands. It is ""
// if the suite has no editions.
func EditionName(suite, edition string) string {
	if IsEdition(suite, edition) {
		return edition
	}
	return texts[suite].own
}

// ChosenEdition returns the edition of a suite that was chosen by what the target says, "" if the name of the suite
// alone stands for it.
func ChosenEdition(s *suites.Suite) string {
	if s.Source != nil && slices.Contains(texts[s.Name].editions, s.Catalogue.Version) && texts[s.Name].own != "" {
		return s.Catalogue.Version
	}
	return ""
}

// InEveryEdition returns the names of all editions of a suite that an id belongs to, none if it has no editions.
func InEveryEdition(id string) []string {
	for name, of := range texts {
		if !strings.HasPrefix(strings.ToLower(id), name+"-") {
			continue
		}
		all := []string{}
		if of.own != "" {
			all = append(all, name)
		}
		for _, edition := range of.all() {
			if edition != of.own {
				all = append(all, name+"@"+edition)
			}
		}
		return all
	}
	return nil
}

// textNamed returns the suite of this program that a name stands for, and the edition in the name. It is none if the
// edition is not a folder of data.
func textNamed(name string) (of builtIn, edition string, is bool) {
	name, edition, _ = strings.Cut(name, "@")
	of, is = texts[name]
	return of, edition, is && (of.own == "" || slices.Contains(of.editions, edition))
}

// IsText reports whether the name of a suite is that of a text: a folder, or a suite of this program that is data.
func IsText(name string) bool {
	_, _, is := textNamed(name)
	return is || IsFolder(name)
}

// LoadText loads the text that a value of --suite names, in the newest edition if it names none. The names are those of
// other suites, which a folder must not have.
func LoadText(name string, taken []string) (*text.Text, error) {
	if of, edition, is := textNamed(name); is {
		return of.load(cmp.Or(edition, of.editions[0]))
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
		suite, edition, _ := strings.Cut(name, "@")
		if slices.Contains(known, name) || IsEdition(suite, edition) || IsFolder(name) {
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
		func(d suites.Definition) bool {
			return len(names) > 0 && !slices.Contains(inDefinitions(names), d.Name)
		})
	for i, d := range chosen {
		if d.Editions != nil && !slices.Contains(names, d.Name) && len(names) > 0 {
			chosen[i].Editions = d.Editions.Fix()
		}
	}
	for _, name := range names {
		suite, edition, _ := strings.Cut(name, "@")
		if derived := texts[suite].derived[edition]; derived != nil {
			d, err := derived()
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, d)
		}
	}
	names = inAllEditions(names)
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

// inDefinitions returns names of which those of editions that are in Definitions stand without the edition.
func inDefinitions(names []string) []string {
	all := slices.Clone(names)
	for i, name := range names {
		if suite, edition, fixed := strings.Cut(name, "@"); fixed && texts[suite].own == edition {
			all[i] = suite
		}
	}
	return all
}

// inAllEditions returns names of which each stands for one edition.
func inAllEditions(names []string) []string {
	var all []string
	for _, name := range names {
		of, fixed, is := textNamed(name)
		if !is || fixed != "" {
			all = append(all, name)
			continue
		}
		for _, edition := range of.editions {
			all = append(all, name+"@"+edition)
		}
	}
	return all
}
