package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
)

// listingCommand is one thing that list lists.
type listing struct {
	name, short string
	bySuite     bool // takes --suite
	make        func(names []string) (table, error)
}

func listings() []listing {
	return []listing{
		{"suites", "The suites and their texts", false, listSuites},
		{"requirements", "What the texts demand", true, listRequirements},
		{"scenarios", "How each requirement is examined", true, listScenarios},
		{"mutants", "Hosts that break one requirement each (serve --mutant)", true, listMutants},
		{"variants", "Conforming hosts in another style (serve --variant)", true, listVariants},
		{"drivers", "The ways to reach a target (run --driver)", false, listDrivers},
		{"words", "The words by which run --invoke safe admits or excludes a capability", false, listWords},
		{"formats", "The formats of a report (run --report)", false, listFormats},
	}
}

func listCommand(a *app) *cobra.Command {
	c := &cobra.Command{Use: "list",
		Short: "List suites, requirements, scenarios, mutants, variants, drivers, words, formats", Args: noCommand,
		RunE: helpOnly}
	for _, l := range listings() {
		c.AddCommand(listingCommand(a, l))
	}
	return c
}

func listingCommand(a *app, l listing) *cobra.Command {
	var names []string
	var asJSON bool
	c := &cobra.Command{
		Use: l.name, Aliases: []string{strings.TrimSuffix(l.name, "s")}, Short: l.short, Args: none,
		RunE: func(*cobra.Command, []string) error {
			if err := knownSuites(names); err != nil {
				return err
			}
			t, err := l.make(names)
			switch {
			case err != nil:
				return err
			case asJSON:
				return t.writeJSON(a.out)
			}
			return t.write(a.out)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print an array of objects")
	if l.bySuite {
		c.Flags().StringSliceVar(&names, "suite", nil, "list only what belongs to `SUITE` (repeatable)")
	}
	return c
}

func listSuites([]string) (table, error) {
	t := table{heading: []string{"SUITE", "VERSION", "REQUIREMENTS", "SCENARIOS", "TITLE"}}
	all, err := loadSuites(nil)
	for _, s := range all {
		t.add(s.Name, s.Catalogue.Version, strconv.Itoa(len(s.Catalogue.Requirements)), strconv.Itoa(len(s.Scenarios())),
			s.Catalogue.Title)
	}
	return t, err
}

func listRequirements(names []string) (table, error) {
	t := table{heading: []string{"ID", "LEVEL", "CHECK", "ACTOR", "SECTION", "SUMMARY"}}
	all, err := loadCatalogues(names)
	for _, catalogue := range all {
		for _, r := range catalogue.Requirements {
			t.add(r.ID, string(r.Level), string(r.Check), r.Actor, r.Section, r.Summary)
		}
	}
	return t, err
}

func listScenarios(names []string) (table, error) {
	t := table{heading: []string{"REQUIREMENT", "PLACE", "TAGS", "NAME"}}
	all, err := loadSuites(names)
	for _, s := range all {
		for _, c := range s.Scenarios() {
			t.add(c.Requirement, scenarioPlace(c), strings.Join(otherTags(c), " "), c.Name)
		}
	}
	return t, err
}

// otherTags returns the tags except that of the requirement.
func otherTags(c suites.Case) []string {
	return slices.DeleteFunc(slices.Clone(c.Tags), func(tag string) bool { return tag == "@"+c.Requirement })
}

func scenarioPlace(c suites.Case) string { return fmt.Sprintf("features/%s:%d", c.Feature, c.Line) }

func listMutants(names []string) (table, error) {
	t := table{heading: []string{"NAME", "BREAKS", "ROLE", "SUMMARY"}}
	for _, m := range population.Mutants() {
		if len(names) == 0 || slices.Contains(names, m.Suite) {
			t.add(m.Name, m.Requirement, m.Role, m.Summary)
		}
	}
	return t, nil
}

func listVariants(names []string) (table, error) {
	t := table{heading: []string{"NAME", "ALLOWS", "SUMMARY"}}
	for _, v := range population.Variants() {
		if len(names) == 0 || slices.Contains(names, v.Suite) {
			t.add(v.Name, strings.Join(v.Allows, " "), v.Summary)
		}
	}
	return t, nil
}

func listDrivers([]string) (table, error) {
	t := table{heading: []string{"NAME", "TAKES", "DESCRIPTION"}}
	for _, c := range carriers() {
		t.add(c.name, c.takes, c.describe)
	}
	return t, nil
}

func listFormats([]string) (table, error) {
	t := table{heading: []string{"NAME", "EXTENSION", "DESCRIPTION"}}
	for _, f := range format.Formats() {
		t.add(f.Name, f.Extension, f.Describe)
	}
	return t, nil
}
