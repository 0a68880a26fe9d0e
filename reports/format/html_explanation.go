package format

import (
	"encoding/json"
	"fmt"
	"html/template"

	messages "github.com/cucumber/messages/go/v21"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/nearest"
)

// htmlGuide contains further information, in addition to the report, about the requirements of one
// suite that are not met: the sentences of the features, and illustrations. Both are empty if this
// build has none, or if all requirements are met.
type htmlGuide struct {
	scripts   map[string][]*messages.Pickle
	lines     map[string][]byte
	reference *nearest.Reference // nil if the program has no run of it
}

// htmlGuideOf loads the guide of a suite. It loads nothing if the suite has no requirement that
// needs attention.
func htmlGuideOf(s *reports.Suite, documents bool, o Options) htmlGuide {
	var g htmlGuide
	for i := range s.Requirements {
		if !isOpen(s.Requirements[i].Status) {
			continue
		}
		if text, err := o.featureSet(s.Suite, &messages.Incrementing{}); err == nil {
			g.scripts = text.ScenariosByRequirement(documents)
		}
		g.lines, _ = illustrated(s.Suite)        // this build has none for a suite that it does not know
		g.reference, _ = nearest.ReferenceFor(s) // a page without it is complete
		break
	}
	return g
}

// isOpen reports whether a requirement with this status needs attention.
func isOpen(s reports.Status) bool {
	return s == reports.Failed || s == reports.Error || s == reports.Inconclusive
}

// steps returns the sentences of a scenario as a list, with a mark at the one where it ended. It
// returns an empty text if the features do not contain the scenario.
func (g htmlGuide) steps(requirement string, sc *reports.Scenario) template.HTML {
	for _, p := range g.scripts[requirement] {
		if p.Name != sc.Name {
			continue
		}
		markup := template.HTML(`<p class="step">How it is examined</p><ol class="steps">`)
		for _, s := range p.Steps {
			if sc.Failure != nil && s.Text == sc.Failure.Step {
				markup += markupf(`<li class="here">%s <b>%s</b></li>`, s.Text, "it ended here")
			} else {
				markup += markupf("<li>%s</li>", s.Text)
			}
		}
		return markup + "</ol>"
	}
	return ""
}

// beside shows the exchange that failed beside the nearest one of the reference.
func (g htmlGuide) beside(q *reports.Requirement) template.HTML {
	for i := range q.Scenarios {
		p := g.reference.Pair(q.Scenarios[i].Failure)
		if p == nil || !p.Differs() {
			continue
		}
		return `<details class="example"><summary>Your exchange beside the nearest one of the reference</summary>` +
			markupf(`<p class="said">%s</p>`, nearest.Legend) + `<div class="pair">` +
			textBox("got", p.Exchange.Operation, part{"the reference was sent", p.Sent}, part{"answers", p.Text()}) +
			"</div></details>"
	}
	return ""
}

// example shows how the reference meets a requirement, and how a mutant breaks it.
func (g htmlGuide) example(q *reports.Requirement) template.HTML {
	line := g.lines[q.ID]
	var shown Illustration
	if q.Status != reports.Failed || line == nil || json.Unmarshal(line, &shown) != nil {
		return ""
	}
	markup := template.HTML(`<details class="example">` +
		`<summary>Example: a host that keeps it, and one that breaks it</summary>`)
	markup += markupf(`<p class="said">From runs of the reference and of <code>%s</code>. %s Found: %s.</p>`,
		shown.Breaker, shown.Summary, shown.Found)
	switch {
	case shown.Broken != nil && shown.Kept != nil:
		markup += `<div class="pair">` + illustratedCall("want", "Kept by the reference", shown.Kept) + illustratedCall("got",
			"Broken by "+shown.Breaker, shown.Broken) + "</div>"
	case shown.Broken != nil:
		markup += `<div class="pair">` + illustratedCall("got", "Broken by "+shown.Breaker, shown.Broken) + "</div>"
	case shown.Line > 0:
		markup += `<div class="pair">` + textBox("got", fmt.Sprintf("Broken in line %d of %s", shown.Line, shown.Breaker),
			part{"", shown.Text}) + "</div>"
	default:
		markup += `<div class="pair">` + textBox("want", "Want", part{"", shown.Want}) + textBox("got", "Got",
			part{"", shown.Got}) + "</div>"
	}
	return markup + "</details>"
}

func illustratedCall(class, title string, call *IllustratedCall) template.HTML {
	return textBox(class, title, part{call.Operation + ", sent", call.Sent}, part{"received", call.Received})
}

// part is a text with a label, which may be empty.
type part struct{ label, text string }

// textBox returns a box with texts of several lines.
func textBox(class, title string, parts ...part) template.HTML {
	markup := markupf(`<div class="pane %s"><p>%s</p>`, class, title)
	for _, p := range parts {
		if p.label != "" {
			markup += markupf(`<p class="of">%s</p>`, p.label)
		}
		text := readableText(p.text)
		open := "<pre>"
		if isLong(text) {
			open = `<pre class="long" tabindex="0">`
		}
		markup += template.HTML(open + template.HTMLEscapeString(text) + "</pre>") // escaped
	}
	return markup + "</div>"
}
