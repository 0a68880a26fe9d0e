package format

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

// requirements fills in what the page shows of each requirement. A requirement that needs attention
// is shown in full below its cause, with a row in the list of all; the others are in that list
// only.
func (p *htmlPage) requirements(r *reports.Report, strict bool, o Options) {
	guides, catalogues := make([]htmlGuide, len(r.Suites)), make([]*spec.Catalogue, len(r.Suites))
	place := map[*reports.Requirement]int{}
	for i := range r.Suites {
		s := &r.Suites[i]
		guides[i], catalogues[i] = htmlGuideOf(s, r.Subject.Driver == "documents", o), o.Catalogue(s.Suite)
		for j := range s.Requirements {
			place[&s.Requirements[j]] = i
		}
	}
	show := func(q *reports.Requirement, below *reports.Group) htmlRequirement {
		about, _ := catalogues[place[q]].Lookup(q.ID)
		view := htmlView{suite: r.Suites[place[q]].Suite, about: about, known: guides[place[q]], strict: strict}
		if below != nil {
			view.cause, view.open = true, q == below.Requirements[0] && q.Status.Explains()
		}
		return view.requirement(q)
	}
	explained := map[*reports.Requirement]bool{}
	groups := r.Groups(strict)
	for _, g := range groups {
		list, kind := &p.Causes, "cause"
		if g.Mark == reports.AdviceMark {
			list, kind = &p.Advice, "advice"
		}
		c := causeOf(&g, groups, fmt.Sprintf("%s-%d", kind, len(*list)+1))
		c.Open = !slices.ContainsFunc(*list, func(c htmlCause) bool { return c.Open }) && !c.Waits
		for _, q := range g.Requirements {
			explained[q] = true
			c.Requirements = append(c.Requirements, show(q, &g))
		}
		*list = append(*list, c)
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
			counts[markup(reports.MarkOf(q, strict))]++
		}
	}
	for i := range p.Sections {
		p.Total += len(p.Sections[i].Requirements)
		p.Sections[i].Of = fmt.Sprint(len(p.Sections[i].Requirements))
	}
	p.Toggles = toggles(counts)
}

// causeOf returns what the page says of a cause before its requirements.
func causeOf(g *reports.Group, all []reports.Group, id string) htmlCause {
	c := htmlCause{ID: id, Mark: markup(g.Mark), Message: g.Message, Blocks: blocks(g), Waits: waits(g, all),
		Count: display.Plural(len(g.Requirements), "requirement")}
	if n := len(g.Blocked); n > 0 {
		c.Count += fmt.Sprintf(", blocks %d", n)
	}
	return c
}

// waits reports whether each requirement of a cause is a sum, or is undecided and blocked by another cause.
func waits(g *reports.Group, all []reports.Group) bool {
	return !slices.ContainsFunc(g.Requirements, func(q *reports.Requirement) bool {
		blocked := slices.ContainsFunc(all, func(other reports.Group) bool { return slices.Contains(other.Blocked, q) })
		return !q.IsSum() && (!blocked || q.Status != reports.Inconclusive)
	})
}

// blocks names what a cause blocks, with links to it.
func blocks(g *reports.Group) template.HTML {
	text := g.Blocks()
	if text == "" {
		return ""
	}
	counts, ids, _ := strings.Cut(text, ": ")
	markup := markupf(`<p class="blocks">Blocks %s: `, counts)
	for i, id := range strings.Split(ids, ", ") {
		if i > 0 {
			markup += ", "
		}
		markup += markupf(`<a href="#%s">%s</a>`, id, id)
	}
	return markup + "</p>"
}

// toggles returns the marks that occur, the worst first.
func toggles(counts map[htmlMark]int) []htmlToggle {
	var all []htmlToggle
	for _, m := range []reports.Mark{
		reports.FailedMark, reports.ErrorMark, reports.KnownMark, reports.WarningMark, reports.AdviceMark,
		reports.InconclusiveMark, reports.Passed.Mark(), reports.Provided.Mark(), reports.NotApplicable.Mark(),
		reports.Excluded.Mark(),
	} {
		if n := counts[markup(m)]; n > 0 {
			all = append(all, htmlToggle{markup(m), n})
		}
	}
	return all
}
