// Package survey counts, for each requirement, the scenarios that examine it and the hosts and
// documents that break it, and lists the open gates of DESIGN section 5. It runs nothing.
package survey

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// Survey contains, for each requirement, the scenarios that examine it and the hosts and documents
// that break it.
type Survey struct {
	Suites []SuiteSurvey `json:"suites"`
	// New are the requirements that were judged on every lawful subject, see AddNew.
	New []NewRequirement `json:"new,omitempty"`
	// Open are the open gates of DESIGN section 5, one per line.
	Open []string `json:"open"`
}

// SuiteSurvey contains the numbers of one suite.
type SuiteSurvey struct {
	Suite        string     `json:"suite"`
	Title        string     `json:"title"`
	Version      string     `json:"version"`
	Requirements []Coverage `json:"requirements"` // in catalogue order
	Scenarios    int        `json:"scenarios"`
	Sentences    int        `json:"sentences"` // different ones
	Steps        int        `json:"steps"`
}

// Coverage contains the numbers of one requirement.
type Coverage struct {
	ID       string     `json:"id"`
	Level    spec.Level `json:"level"`
	Check    spec.Check `json:"check"`
	Testable bool       `json:"testable"`
	SumOf    []string   `json:"sum_of,omitempty"` // the requirements of which it is the sum
	// Live and Document count the scenarios of each mode.
	Live     int `json:"live_scenarios"`
	Document int `json:"document_scenarios"`
	// Mutants are live hosts that break it, including plain servers.
	Mutants   int `json:"mutants"`
	Documents int `json:"documents"` // broken ones
	Variants  int `json:"variants"`  // lawful hosts that use it or its tolerance
}

// Of surveys suites and a population.
func Of(population plan.Population, all []*suites.Suite) *Survey {
	survey := &Survey{Open: []string{}}
	for _, s := range all {
		one := surveySuite(population, s)
		survey.Suites = append(survey.Suites, one.SuiteSurvey)
		survey.Open = append(survey.Open, one.gates()...)
	}
	return survey
}

// AddNew adds new requirements to the survey. Each contradiction opens a gate.
func (s *Survey) AddNew(found []NewRequirement) {
	for _, r := range found {
		slices.SortFunc(r.Contradictions, // by name, independent of the order in which they ended
			func(a, b Contradiction) int { return strings.Compare(a.Subject, b.Subject) })
		s.New = append(s.New, r)
		for _, c := range r.Contradictions {
			s.Open = append(s.Open, r.ID+" "+c.String())
		}
	}
}

// OK reports whether no gate is open.
func (s *Survey) OK() bool { return len(s.Suites) > 0 && len(s.Open) == 0 }

// surveyed is a suite with its numbers, in the form that the gates need.
type surveyed struct {
	SuiteSurvey
	suite      *suites.Suite
	population plan.Population
	cases      []suites.Case
	steps      []*regexp.Regexp
	features   []featureLine
}

func surveySuite(population plan.Population, s *suites.Suite) *surveyed {
	one := &surveyed{suite: s, population: population, cases: s.Scenarios(), steps: stepsOf(s)}
	one.features = linesOf(s.Name)
	one.Suite, one.Title, one.Version = s.Name, s.Catalogue.Title, s.Catalogue.Version
	one.Scenarios, one.Steps = len(one.cases), len(one.steps)
	sentences := map[string]bool{}
	for _, c := range one.cases {
		for _, sentence := range c.Steps {
			sentences[sentence] = true
		}
	}
	one.Sentences = len(sentences)
	for _, r := range s.Catalogue.Requirements {
		one.Requirements = append(one.Requirements, one.cover(r))
	}
	return one
}

func (o *surveyed) cover(r spec.Requirement) Coverage {
	c := Coverage{ID: r.ID, Level: r.Level, Check: r.Check, Testable: r.Testable(), SumOf: r.SumOf}
	for _, k := range o.cases {
		switch {
		case k.Requirement != r.ID:
		case k.Mode == suites.Live:
			c.Live++
		default:
			c.Document++
		}
	}
	for _, m := range o.population.Mutants {
		if m.Requirement == r.ID {
			c.Mutants++
		}
	}
	for _, s := range o.population.Plains {
		if s.Requirement == r.ID {
			c.Mutants++
		}
	}
	for _, d := range o.population.Documents {
		if d.Requirement == r.ID {
			c.Documents++
		}
	}
	if own := o.suite.Source; own != nil {
		for _, d := range own.Defects {
			if d.Requirement == r.ID {
				c.Mutants++
			}
		}
	}
	for _, v := range o.population.Variants {
		if slices.Contains(v.Allows, r.ID) {
			c.Variants++
		}
	}
	return c
}

// vocabulary collects the expressions of a suite.
type vocabulary struct{ expressions []*regexp.Regexp }

// Step implements suites.Vocabulary.
func (v *vocabulary) Step(expression, _ any) {
	if compiled, ok := expression.(*regexp.Regexp); ok {
		v.expressions = append(v.expressions, compiled)
	}
}

func stepsOf(s *suites.Suite) []*regexp.Regexp {
	v := &vocabulary{}
	if s.Sentences != nil {
		s.Sentences(v)
	}
	return v.expressions
}
