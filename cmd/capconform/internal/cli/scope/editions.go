package scope

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
)

// EveryEdition is the word for all editions of a suite.
const EveryEdition = "all"

// NamesWithoutEditions returns the names that no folder may have, not even one that is an edition of a suite.
func NamesWithoutEditions() []string {
	return slices.DeleteFunc(SuiteNames(), func(name string) bool { return texts[name].editions != nil })
}

// oneEdition is the value of --edition in a command that takes one.
type oneEdition struct{ into *string }

// Set implements pflag.Value. A second edition would silently replace the first.
func (e oneEdition) Set(text string) error {
	if *e.into != "" && *e.into != text {
		return errors.New("this command takes one edition; give one command for each")
	}
	*e.into = text
	return nil
}

// String implements pflag.Value.
func (e oneEdition) String() string {
	if e.into == nil { // pflag asks for the value of a type that has none
		return ""
	}
	return *e.into
}

// Type implements pflag.Value.
func (e oneEdition) Type() string { return "string" }

// RegisterEdition registers --edition of a command that takes one.
func RegisterEdition(flags *pflag.FlagSet, edition *string, otherwise string) {
	flags.Var(oneEdition{edition}, "edition", "the `EDITION` of a suite that has several, such as "+Editions()[0]+
		"; by default, "+otherwise)
}

// RegisterEditions registers --edition of a command that takes several.
func RegisterEditions(flags *pflag.FlagSet, editions *[]string) {
	flags.StringSliceVar(editions, "edition", nil, "examine by the `EDITION` of a suite that has several, such as "+
		Editions()[0]+", or by "+EveryEdition+" (repeatable; by default, the newest that the target speaks)")
}

// InEdition returns names of which those of suites that have the given edition stand for it, unless it is empty.
func InEdition(names []string, edition string) ([]string, error) {
	if edition == "" {
		return names, nil
	}
	chosen, known := slices.Clone(names), []string(nil)
	for i, name := range names {
		name, _, _ := strings.Cut(name, "@")
		all := texts[name].all()
		if known = append(known, all...); slices.Contains(all, edition) {
			chosen[i] = name + "@" + edition
		}
	}
	switch {
	case known == nil:
		return nil, process.Misuse("--edition: want a suite with editions: --suite %s",
			strings.Join(slices.Sorted(maps.Keys(texts)), " or "))
	case !slices.Contains(known, edition):
		return nil, process.Misuse("--edition: unknown edition %s%s (known: %s)", edition, nearest.Hint(edition, known),
			strings.Join(known, ", "))
	}
	return slices.Compact(chosen), nil
}

// InEditions returns the editions of a suite that are given, of which EveryEdition stands for all.
func InEditions(names, given []string) ([]string, error) {
	if len(names) > 1 && (len(given) > 1 || slices.Contains(given, EveryEdition)) {
		return nil, process.Misuse("--edition: several editions are those of one suite: name it alone by --suite")
	}
	var all []string
	for _, edition := range given {
		those := []string{edition}
		if every := texts[strings.Join(names, " ")].all(); edition == EveryEdition && every != nil {
			those = every
		} else if _, err := InEdition(names, edition); err != nil {
			return nil, err
		}
		for _, one := range those {
			if slices.Contains(all, one) {
				return nil, process.Misuse("--edition: %s is given twice", one)
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// EditionOf returns the edition that names of suites stand for, "" if they state none.
func EditionOf(names []string) string {
	for _, name := range names {
		if _, edition, _ := strings.Cut(name, "@"); edition != "" {
			return edition
		}
	}
	return ""
}

// EditionWith returns the newest edition that has all of these requirements, of the only suite among the names or, if
// there are none, of the one that the ids name, and the names. It is "" if every edition has them, or none.
func EditionWith(names, requirements []string) ([]string, string, error) {
	suite := names
	if len(names) == 0 && len(requirements) > 0 {
		suite = slices.DeleteFunc(SuiteNames(), func(name string) bool { return !hasPrefix(requirements[0], name) })
	}
	if len(suite) != 1 || len(requirements) == 0 {
		return names, "", nil
	}
	of, with := texts[suite[0]], []string(nil)
	for _, edition := range of.all() {
		all, err := LoadCatalogues([]string{suite[0] + "@" + edition})
		if err != nil {
			return nil, "", err
		}
		if hasAll(all[0], requirements) {
			with = append(with, edition)
		}
	}
	if len(with) > 1 { // nothing but the user chooses an edition that is derived
		with = slices.DeleteFunc(with, func(edition string) bool { return of.derived[edition] != nil })
	}
	if len(with) == 0 || len(with) == len(of.all())-len(of.derived) || len(names) == 0 && with[len(with)-1] == of.own {
		return names, "", nil
	}
	return suite, with[0], nil
}

// hasPrefix reports whether an id belongs to a suite.
func hasPrefix(id, suite string) bool { return strings.HasPrefix(strings.ToLower(id), suite+"-") }

func hasAll(c *spec.Catalogue, requirements []string) bool {
	return !slices.ContainsFunc(requirements, func(id string) bool {
		_, known := c.Lookup(id)
		return !known
	})
}

// Newest returns names of which those of suites with editions stand for the newest.
func Newest(names []string) []string {
	chosen := slices.Clone(names)
	for i, name := range names {
		if of, fixed, is := textNamed(name); is && fixed == "" {
			chosen[i] = name + "@" + of.editions[0]
		}
	}
	return chosen
}
