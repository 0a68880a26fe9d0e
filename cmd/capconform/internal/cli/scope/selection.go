package scope

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// SelectionFlags select what is examined; run and lint share them.
type SelectionFlags struct {
	Suites       []string
	Requirements []string
	level        string
	without      []string
	Strict       bool
}

func (f *SelectionFlags) Register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.Suites, "suite", nil, "examine by `SUITE` (repeatable; without it, what the subject speaks)")
	flags.StringSliceVar(&f.Requirements, "requirement", nil, "examine only the requirement `ID` (repeatable)")
	flags.StringVar(&f.level, "level", "", "examine only `LEVEL` and above: must, should or may")
	flags.StringSliceVar(&f.without, "without", nil, "leave the requirements of `GROUP` out (repeatable)")
	flags.BoolVar(&f.Strict, "strict", false, "count a failed SHOULD as failed")
}

// Options returns the flags in the form that suites need.
func (f *SelectionFlags) Options() map[string]string {
	return map[string]string{"strict": strconv.FormatBool(f.Strict)}
}

// NoEmptyFlag refuses a flag with an empty value: an unset variable of a shell must not silently
// widen a run.
func NoEmptyFlag(flags *pflag.FlagSet) error {
	var refused error
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty && refused == nil {
			refused = process.Misuse("--%s: must not be empty", f.Name)
		}
	})
	return refused
}

var Levels = []string{"must", "should", "may"}

// Selection checks the flags against the suites that will be run.
func (f *SelectionFlags) Selection(all []*suites.Suite) (suites.Selection, error) {
	s := suites.Selection{Requirements: f.Requirements, Level: f.level, Without: f.without}
	if f.level != "" && !slices.Contains(Levels, f.level) {
		return s, process.Misuse("--level: unknown level %q%s", f.level, nearest.Hint(f.level, Levels))
	}
	var ids, groups []string
	for _, suite := range all {
		for _, r := range suite.Catalogue.Requirements {
			ids = append(ids, r.ID)
			if r.Group != "" && !slices.Contains(groups, r.Group) {
				groups = append(groups, r.Group)
			}
		}
	}
	for _, id := range f.Requirements {
		if slices.Contains(ids, id) {
			continue
		}
		if suite := suiteOf(id); suite != "" {
			return s, process.Misuse("--requirement: %s is a requirement of %s, which is not examined", id, suite)
		}
		return s, process.Misuse("--requirement: unknown requirement %q%s (capconform list requirements shows all)", id,
			nearest.Hint(id, ids))
	}
	for _, group := range f.without {
		if !slices.Contains(groups, group) {
			return s, process.Misuse("--without: no requirement is in a group %q%s", group, nearest.Hint(group, groups))
		}
	}
	return s, nil
}

// Shard reads I/N.
func Shard(text string) (suites.Shard, error) {
	if text == "" {
		return suites.Shard{}, nil
	}
	first, second, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	count, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || index < 1 || index > count {
		return suites.Shard{}, process.Misuse("--shard: want I/N, such as 1/4 for the first of four parts, got %q", text)
	}
	return suites.Shard{Index: index, Count: count}, nil
}

// suiteOf returns the suite whose catalogue contains a requirement, "" if there is none.
func suiteOf(id string) string {
	for _, name := range SuiteNames() {
		if catalogue, err := spec.Load(name); err == nil {
			if _, known := catalogue.Lookup(id); known {
				return name
			}
		}
	}
	return ""
}
