package cli

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/suites"
)

// selectionFlags select what is examined; run and lint share them.
type selectionFlags struct {
	suites       []string
	requirements []string
	level        string
	without      []string
	strict       bool
}

func (f *selectionFlags) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.suites, "suite", nil, "examine by `SUITE` (repeatable; without it, what the subject speaks)")
	flags.StringSliceVar(&f.requirements, "requirement", nil, "examine only the requirement `ID` (repeatable)")
	flags.StringVar(&f.level, "level", "", "examine only `LEVEL` and above: must, should or may")
	flags.StringSliceVar(&f.without, "without", nil, "leave the requirements of `GROUP` out (repeatable)")
	flags.BoolVar(&f.strict, "strict", false, "count a failed SHOULD as failed")
}

// options returns the flags in the form that suites need.
func (f *selectionFlags) options() map[string]string {
	return map[string]string{"strict": strconv.FormatBool(f.strict)}
}

// noEmptyFlag refuses a flag with an empty value: an unset variable of a shell must not silently
// widen a run.
func noEmptyFlag(flags *pflag.FlagSet) error {
	var refused error
	flags.Visit(func(f *pflag.Flag) {
		empty := f.Value.String() == ""
		if list, ok := f.Value.(pflag.SliceValue); ok {
			empty = len(list.GetSlice()) == 0 || slices.Contains(list.GetSlice(), "")
		}
		if empty && refused == nil {
			refused = misuse("--%s: must not be empty", f.Name)
		}
	})
	return refused
}

var levels = []string{"must", "should", "may"}

// selection checks the flags against the suites that will be run.
func (f *selectionFlags) selection(all []*suites.Suite) (suites.Selection, error) {
	s := suites.Selection{Requirements: f.requirements, Level: f.level, Without: f.without}
	if f.level != "" && !slices.Contains(levels, f.level) {
		return s, misuse("--level: unknown level %q%s", f.level, nearest.Hint(f.level, levels))
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
	for _, id := range f.requirements {
		if !slices.Contains(ids, id) {
			return s, misuse("--requirement: unknown requirement %q%s (capconform list requirements shows all)", id,
				nearest.Hint(id, ids))
		}
	}
	for _, group := range f.without {
		if !slices.Contains(groups, group) {
			return s, misuse("--without: no requirement is in a group %q%s", group, nearest.Hint(group, groups))
		}
	}
	return s, nil
}

// shard reads I/N.
func shard(text string) (suites.Shard, error) {
	if text == "" {
		return suites.Shard{}, nil
	}
	first, second, _ := strings.Cut(text, "/")
	index, err1 := strconv.Atoi(first)
	count, err2 := strconv.Atoi(second)
	if err1 != nil || err2 != nil || index < 1 || index > count {
		return suites.Shard{}, misuse("--shard: want I/N, such as 1/4 for the first of four parts, got %q", text)
	}
	return suites.Shard{Index: index, Count: count}, nil
}
