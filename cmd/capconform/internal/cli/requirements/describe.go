package requirements

import (
	"fmt"
	"io"
	"strings"

	"github.com/capconform/capconform/reference/population"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// description is a requirement as explain --json prints it.
type description struct {
	ID         string              `json:"id"`
	Suite      string              `json:"suite"`
	Level      string              `json:"level"`
	Section    string              `json:"section"`
	Actor      string              `json:"actor"`
	Summary    string              `json:"summary"`
	Check      string              `json:"check"`
	Excluded   string              `json:"excluded,omitempty"`
	When       string              `json:"when,omitempty"`
	Group      string              `json:"group,omitempty"`
	SumOf      []string            `json:"sum_of,omitempty"`
	Source     string              `json:"source,omitempty"` // the address of the sentence
	Resolution string              `json:"resolution,omitempty"`
	Satisfy    string              `json:"satisfy,omitempty"`
	Scenarios  []describedScenario `json:"scenarios"`
	Mutants    []describedHost     `json:"mutants"`
	Command    string              `json:"command,omitempty"`
}

type describedScenario struct {
	Name  string   `json:"name"`
	Place string   `json:"place"`
	Tags  []string `json:"tags,omitempty"`
	Steps []string `json:"steps"`
}

// describedHost is a mutant or a variant.
type describedHost struct {
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	Suite   string   `json:"suite"`
	Breaks  string   `json:"breaks,omitempty"`
	Allows  []string `json:"allows,omitempty"`
	Role    string   `json:"role,omitempty"`
	Summary string   `json:"summary"`
}

func describe(s *suites.Suite, r spec.Requirement) description {
	d := description{
		ID: r.ID, Suite: s.Name, Level: string(r.Level), Section: r.Section, Actor: r.Actor, Summary: r.Summary,
		Check: string(r.Check), Excluded: r.Excluded, When: r.When, Group: r.Group, SumOf: r.SumOf,
		Source: r.Source, Resolution: r.Resolution, Satisfy: r.Satisfy, Scenarios: []describedScenario{}, Mutants: []describedHost{},
	}
	for _, c := range s.Scenarios() {
		if c.Requirement == r.ID {
			d.Scenarios = append(d.Scenarios, describedScenario{c.Name, scenarioPlace(c), otherTags(c), c.Steps})
		}
	}
	for _, h := range describedHosts() {
		if h.Breaks == r.ID {
			d.Mutants = append(d.Mutants, h)
		}
	}
	if r.Testable() {
		d.Command = "capconform " + examineCommand(s, r)
	}
	return d
}

func describedHosts() []describedHost {
	var all []describedHost
	for _, m := range population.Mutants() {
		all = append(all, describedHost{Kind: "mutant", Name: m.Name, Suite: m.Suite, Breaks: m.Requirement, Role: m.Role,
			Summary: m.Summary})
	}
	for _, v := range population.Variants() {
		all = append(all, describedHost{Kind: "variant", Name: v.Name, Suite: v.Suite, Allows: v.Allows, Summary: v.Summary})
	}
	return all
}

// write explains a mutant or a variant, with the requirements that it is about.
func (h describedHost) write(w io.Writer, all []*suites.Suite) error {
	var e explanation
	fmt.Fprintf(&e, "%s  %s of %s\n", h.Name, h.Kind, h.Suite)
	e.paragraph(h.Summary)
	title, ids := "It uses what these requirements permit", h.Allows
	if h.Breaks != "" {
		title, ids = "It breaks", []string{h.Breaks}
	}
	e.chapter(title)
	for _, id := range ids {
		for _, s := range all {
			if r, ok := s.Catalogue.Lookup(id); ok {
				e.paragraph(strings.Join([]string{r.ID, string(r.Level), r.Summary}, "  "))
			}
		}
	}
	if h.Role != "" {
		e.chapter("It shows only if a capability plays the role")
		e.line(h.Role)
	}
	e.chapter("Try it")
	e.line("capconform serve --suite " + h.Suite + " --" + h.Kind + " " + h.Name + " --listen 127.0.0.1:8899")
	e.line("capconform selftest --mutant " + h.Name + " -v")
	_, err := io.WriteString(w, e.String())
	return err
}
