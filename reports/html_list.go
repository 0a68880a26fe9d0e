package reports

import (
	"fmt"

	"github.com/capconform/capconform/spec"
)

// requirements fills what the page shows of each requirement: in full below its cause
// where somebody has to look at it, with a row in the list of all; else in the list.
func (p *htmlPage) requirements(r *Report, strict bool, o Options) {
	guides, catalogues := make([]htmlGuide, len(r.Suites)), make([]*spec.Catalogue, len(r.Suites))
	place := map[*Requirement]int{}
	for i := range r.Suites {
		s := &r.Suites[i]
		guides[i], catalogues[i] = htmlGuideOf(s, r.Subject.Driver == "documents"), o.catalogue(s.Suite)
		for j := range s.Requirements {
			place[&s.Requirements[j]] = i
		}
	}
	show := func(q *Requirement, below *group) htmlRequirement {
		about, _ := catalogues[place[q]].Lookup(q.ID)
		view := htmlView{suite: r.Suites[place[q]].Suite, about: about, known: guides[place[q]], strict: strict}
		if below != nil {
			view.cause, view.open = true, q == below.requirements[0] && q.Status.explains()
		}
		return view.requirement(q)
	}
	explained := map[*Requirement]bool{}
	for _, g := range r.groups(strict) {
		c := htmlCause{Mark: markup(g.mark), Message: g.message, Count: plural(len(g.requirements), "requirement")}
		for _, q := range g.requirements {
			explained[q] = true
			c.Requirements = append(c.Requirements, show(q, &g))
		}
		p.Causes = append(p.Causes, c)
	}
	counts := map[htmlMark]int{}
	for i := range r.Suites {
		s := &r.Suites[i]
		for j := range s.Requirements {
			q := &s.Requirements[j]
			if j == 0 || q.Section != s.Requirements[j-1].Section {
				p.Sections = append(p.Sections, htmlSection{Title: sectionTitle(s, q.Section)})
			}
			section := &p.Sections[len(p.Sections)-1]
			if explained[q] {
				section.Requirements = append(section.Requirements, htmlRequirement{Row: row(s, q, strict)})
			} else {
				section.Requirements = append(section.Requirements, show(q, nil))
			}
			counts[markup(markOf(q, strict))]++
		}
	}
	for i := range p.Sections {
		p.Sections[i].Of = fmt.Sprint(len(p.Sections[i].Requirements))
	}
	p.Toggles = toggles(counts)
}

// toggles gives the marks that occur, the worst first.
func toggles(counts map[htmlMark]int) []htmlToggle {
	var all []htmlToggle
	for _, m := range []mark{
		failedMark, errorMark, knownMark, warningMark, adviceMark, inconclusiveMark,
		statusMarks[Passed], statusMarks[Provided], statusMarks[NotApplicable], statusMarks[Excluded],
	} {
		if n := counts[markup(m)]; n > 0 {
			all = append(all, htmlToggle{markup(m), n})
		}
	}
	return all
}
