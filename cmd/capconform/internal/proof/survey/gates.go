package survey

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// gates returns the open gates, one per line.
func (o *surveyed) gates() []string {
	if o.suite.Source != nil {
		return o.defectGates()
	}
	return slices.Concat(o.scenarioGates(), o.sentenceGates(), o.transportGates(), o.populationGates(), o.referenceGates())
}

// scenarioGates checks that each requirement to be examined has a scenario for each place where it
// is observed, and that each scenario can run.
func (o *surveyed) scenarioGates() []string {
	var open []string
	for _, c := range o.Requirements {
		for _, place := range []struct {
			check spec.Check
			found int
		}{{spec.Live, c.Live}, {spec.Document, c.Document}} {
			if c.Testable && c.Check.Covers(place.check) && place.found == 0 {
				open = append(open, fmt.Sprintf("%s has no %s scenario", c.ID, place.check))
			}
		}
	}
	for _, k := range o.cases {
		where := fmt.Sprintf("features/%s:%d", k.Feature, k.Line)
		mode := map[suites.Mode]spec.Check{suites.Live: spec.Live, suites.Documents: spec.Document}[k.Mode]
		r, known := o.suite.Catalogue.Lookup(k.Requirement)
		switch {
		case !known:
			open = append(open, fmt.Sprintf("%s: the tag @%s belongs to no requirement", where, k.Requirement))
		case !r.Testable():
			open = append(open, fmt.Sprintf("%s: %s must not be examined", where, r.ID))
		case !r.Check.Covers(mode):
			open = append(open,
				fmt.Sprintf("%s: a %s scenario of %s never runs, because its check is %s", where, mode, r.ID, r.Check))
		}
		for _, condition := range k.Conditions {
			if _, role := o.suite.RoleNamed(condition.Name); condition.Kind == "role" && !role {
				open = append(open, fmt.Sprintf("%s: the suite knows no role %q", where, condition.Name))
			}
		}
	}
	return open
}

// sentenceGates checks that each sentence matches exactly one step, and that each step is used.
func (o *surveyed) sentenceGates() []string {
	var open []string
	used := make([]bool, len(o.steps))
	seen := map[string]bool{}
	further, err := furtherScenarios(o.suite)
	if err != nil {
		open = append(open, err.Error())
	}
	for _, k := range slices.Concat(o.cases, further) {
		for _, sentence := range k.Steps {
			matches := 0
			for i, step := range o.steps {
				if step.MatchString(sentence) {
					used[i] = true
					matches++
				}
			}
			if matches != 1 && !seen[sentence] {
				open = append(open, fmt.Sprintf("features/%s:%d: %d steps match %q", k.Feature, k.Line, matches, sentence))
			}
			seen[sentence] = true
		}
	}
	for i, step := range o.steps {
		if !used[i] {
			open = append(open, fmt.Sprintf("%s: no sentence uses the step %s", o.Suite, step))
		}
	}
	return open
}

// furtherScenarios returns the scenarios of the editions that share the steps of a suite.
func furtherScenarios(s *suites.Suite) ([]suites.Case, error) {
	if s.Editions == nil {
		return nil, nil
	}
	var all []suites.Case
	for _, name := range s.Editions.Further {
		edition, err := s.In(name)
		if err != nil {
			return nil, fmt.Errorf("survey: %w", err)
		}
		all = append(all, edition.Scenarios()...)
	}
	return all, nil
}

// defectGates checks that each examined requirement of a text of one's own is broken by a row. What else may be wrong
// with a folder prevents that it is loaded.
func (o *surveyed) defectGates() []string {
	var open []string
	for _, c := range o.Requirements {
		if c.Testable && c.Level != spec.Advice && c.Mutants == 0 {
			open = append(open, c.ID+" is broken by no row of defects.yaml")
		}
	}
	return open
}

// featureLine is one line of a feature with text for people.
type featureLine struct {
	file string
	line int
	text string
}

func linesOf(suite string) []featureLine {
	files, err := features.Suite(suite)
	if err != nil {
		return nil // then there are no scenarios either, which other gates detect
	}
	var all []featureLine
	for _, file := range files {
		for i, text := range strings.Split(string(file.Text), "\n") {
			text = strings.TrimSpace(text)
			if text != "" && !strings.HasPrefix(text, "@") && !strings.HasPrefix(text, "#") {
				all = append(all, featureLine{file.Name, i + 1, text})
			}
		}
	}
	return all
}

// transports are the words that no feature may use, because a feature applies to every driver.
var transports = regexp.MustCompile(`(?i)\b(https?|mcp|stdio|sse|json-?rpc|websockets?|stdin|stdout)\b`)

func (o *surveyed) transportGates() []string {
	var open []string
	for _, l := range o.features {
		if word := transports.FindString(l.text); word != "" {
			open = append(open, fmt.Sprintf("features/%s:%d: names the transport %q", l.file, l.line, word))
		}
	}
	return open
}

// populationGates checks that each examined requirement is broken by a mutant or document, and that
// each permission is used by a variant.
func (o *surveyed) populationGates() []string {
	var open []string
	for _, c := range o.Requirements {
		examined := c.Testable && c.Level != spec.Advice
		for _, gate := range []struct {
			open bool
			why  string
		}{
			{c.Check == spec.None && c.Level == spec.May && c.Variants == 0, "is a permission that no variant uses"},
			{examined && c.Check.Covers(spec.Live) && c.Mutants == 0, "is broken by no mutant"},
			{examined && c.Check.Covers(spec.Document) && c.Documents == 0, "is broken by no document"},
		} {
			if gate.open {
				open = append(open, c.ID+" "+gate.why)
			}
		}
	}
	return open
}

// referenceGates checks that each named requirement exists.
func (o *surveyed) referenceGates() []string {
	var open []string
	check := func(name string, ids ...string) {
		for _, id := range ids {
			if _, known := o.suite.Catalogue.Lookup(id); !known && id != "" {
				open = append(open, fmt.Sprintf("%s names %s, which is not in the catalogue of %s", name, id, o.Suite))
			}
		}
	}
	for _, m := range o.population.Mutants {
		if m.Suite == o.Suite {
			check(m.Name, m.Requirement)
			for _, also := range m.Also {
				check(m.Name, also.ID)
			}
		}
	}
	for _, v := range o.population.Variants {
		if v.Suite == o.Suite {
			check(v.Name, v.Allows...)
		}
	}
	for _, d := range o.population.Documents {
		if d.Suite == o.Suite {
			check(d.Name, d.Requirement)
		}
	}
	check("the golden list of judged requirements", o.population.Judged[o.Suite]...)
	known := o.population.Names()
	for _, name := range slices.Sorted(maps.Keys(o.population.Undecided[o.Suite])) {
		check("the golden entry of "+name, o.population.Undecided[o.Suite][name].IDs()...)
		if !slices.Contains(known, name) {
			open = append(open,
				fmt.Sprintf("the golden file of %s names %s, which is neither a host nor a document: make golden", o.Suite, name))
		}
	}
	return open
}
