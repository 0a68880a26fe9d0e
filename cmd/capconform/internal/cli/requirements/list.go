package requirements

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
)

// listingCommand is one thing that list lists.
type listing struct {
	name, short string
	bySuite     bool // takes --suite
	make        func(names []string) (process.Table, error)
}

func listings() []listing {
	return []listing{
		{"suites", "The suites and their texts", false, listSuites},
		{"requirements", "What the texts demand", true, listRequirements},
		{"scenarios", "How each requirement is examined", true, listScenarios},
		{"mutants", "Hosts that break one requirement each (serve --mutant)", true, ListMutants},
		{"variants", "Conforming hosts in another style (serve --variant)", true, ListVariants},
		{"drivers", "The ways to reach a target (run --driver)", false, listDrivers},
		{"words", "The words by which run --invoke safe admits or excludes a capability", false, listWords},
		{"formats", "The formats of a report (run --report)", false, listFormats},
	}
}

func ListCommand(a *process.App) *cobra.Command {
	c := &cobra.Command{Use: "list",
		Short: "List suites, requirements, scenarios, mutants, variants, drivers, words, formats", Args: process.NoCommand,
		RunE: process.HelpOnly}
	for _, l := range listings() {
		c.AddCommand(listingCommand(a, l))
	}
	return c
}

func listingCommand(a *process.App, l listing) *cobra.Command {
	var names []string
	var edition string
	var asJSON bool
	c := &cobra.Command{
		Use: l.name, Aliases: []string{strings.TrimSuffix(l.name, "s")}, Short: l.short, Args: process.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := scope.KnownSuites(names); err != nil {
				return err
			}
			names, err := scope.InEdition(names, edition)
			if err != nil {
				return err
			}
			t, err := l.make(scope.Newest(names))
			switch {
			case err != nil:
				return err
			case asJSON:
				return t.WriteJSON(a.Out)
			}
			return t.Write(a.Out)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print an array of objects")
	if l.bySuite {
		c.Flags().StringSliceVar(&names, "suite", nil, "list only what belongs to `SUITE` (repeatable)")
		scope.RegisterEdition(c.Flags(), &edition, "the newest")
	}
	return c
}

func listSuites([]string) (process.Table, error) {
	t := process.Table{Heading: []string{"SUITE", "VERSION", "REQUIREMENTS", "SCENARIOS", "TITLE"}}
	all, err := scope.LoadSuites(nil)
	for _, s := range all {
		t.Add(s.Name, s.Catalogue.Version, strconv.Itoa(len(s.Catalogue.Requirements)), strconv.Itoa(len(s.Scenarios())),
			s.Catalogue.Title)
	}
	return t, err
}

func listRequirements(names []string) (process.Table, error) {
	t := process.Table{Heading: []string{"ID", "LEVEL", "CHECK", "ACTOR", "SECTION", "SUMMARY"}}
	all, err := scope.LoadCatalogues(names)
	for _, catalogue := range all {
		for _, r := range catalogue.Requirements {
			t.Add(r.ID, string(r.Level), string(r.Check), r.Actor, r.Section, r.Summary)
		}
	}
	return t, err
}

func listScenarios(names []string) (process.Table, error) {
	t := process.Table{Heading: []string{"REQUIREMENT", "PLACE", "TAGS", "NAME"}}
	all, err := scope.LoadSuites(names)
	for _, s := range all {
		for _, c := range s.Scenarios() {
			t.Add(c.Requirement, scenarioPlace(c), strings.Join(otherTags(c), " "), c.Name)
		}
	}
	return t, err
}

// otherTags returns the tags except that of the requirement.
func otherTags(c suites.Case) []string {
	return slices.DeleteFunc(slices.Clone(c.Tags), func(tag string) bool { return tag == "@"+c.Requirement })
}

func scenarioPlace(c suites.Case) string { return fmt.Sprintf("features/%s:%d", c.Feature, c.Line) }

func ListMutants(names []string) (process.Table, error) {
	t := process.Table{Heading: []string{"NAME", "BREAKS", "ROLE", "SUMMARY"}}
	for _, m := range population.Mutants() {
		if len(names) == 0 || slices.Contains(names, m.Suite) {
			t.Add(m.Name, m.Requirement, m.Role, m.Summary)
		}
	}
	return t, nil
}

func ListVariants(names []string) (process.Table, error) {
	t := process.Table{Heading: []string{"NAME", "ALLOWS", "SUMMARY"}}
	for _, v := range population.Variants() {
		if len(names) == 0 || slices.Contains(names, v.Suite) {
			t.Add(v.Name, strings.Join(v.Allows, " "), v.Summary)
		}
	}
	return t, nil
}

func listDrivers([]string) (process.Table, error) {
	t := process.Table{Heading: []string{"NAME", "TAKES", "DESCRIPTION"}}
	for _, c := range access.Drivers() {
		t.Add(c.Name, c.Takes, c.Description)
	}
	return t, nil
}

func listFormats([]string) (process.Table, error) {
	t := process.Table{Heading: []string{"NAME", "EXTENSION", "DESCRIPTION"}}
	for _, f := range format.Formats() {
		t.Add(f.Name, f.Extension, f.Description)
	}
	return t, nil
}
