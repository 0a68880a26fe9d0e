package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

type htmlSection struct {
	Title, Of    string // suite and section, and how many requirements
	Requirements []htmlRequirement
}

type htmlRequirement struct {
	Row       template.HTML // a link to the full entry; the other members are empty then
	Head      template.HTML // the beginning of the element: the visible part while it is closed
	Scenarios []htmlScenario
	Guide     template.HTML // the entry of the catalogue
	Example   template.HTML // how the reference meets it and a mutant breaks it; empty if it is met here
}

type htmlScenario struct {
	Head    template.HTML // its title, and why it has its status
	Failure *htmlFailure  // nil: it did not fail
	Remarks []htmlFinding
	Steps   template.HTML // the steps of the scenario; empty if it passed
}

type htmlFailure struct {
	Want, Got, Found, Hint, Step, Repeat string         // each may be empty
	Findings                             []htmlFinding  // in documents
	Exchanges                            []htmlExchange // in the order of the calls
}

type htmlFinding struct {
	Mark           htmlMark
	Place, Message string // Place is FILE:LINE:COLUMN
}

type htmlExchange struct {
	Operation, Sent, SentCut, Received, ReceivedCut, Repeat string // Cut states how much is left out
	AtMS                                                    int64  // since the start of the run, in milliseconds
}

// markupf puts texts into markup of this package, each cleaned and escaped. A page needs it for
// each requirement, where a template would be too slow, because it calls functions by reflection.
func markupf(markup string, texts ...string) template.HTML {
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = template.HTMLEscapeString(display.TerminalText(text))
	}
	return template.HTML(fmt.Sprintf(markup, args...)) // the markup is constant, the texts are escaped
}

// htmlView contains further information about a requirement, in addition to the report, and the
// options of its display.
type htmlView struct {
	suite  string
	about  spec.Requirement
	known  htmlGuide
	strict bool
	cause  bool // it is below its cause, and not in the list of all
	open   bool
}

// requirement shows a requirement in full. The scenarios that need attention come first.
func (v htmlView) requirement(q *reports.Requirement) htmlRequirement {
	class, attributes := "requirement listed", template.HTML("")
	if v.cause {
		class = "requirement"
	}
	if isOpen(q.Status) {
		attributes += ` data-print="1"` // printed open
	}
	if v.open {
		attributes += " open"
	}
	why := ""
	if !v.cause && q.Status != reports.Passed {
		why = q.Cause()
	}
	if q.Part != nil {
		why = display.Join("; ", why, fmt.Sprintf("judged on %v capabilities", q.Part))
	}
	out := htmlRequirement{Guide: guide(q, v.about), Example: v.known.beside(q) + v.known.example(q)}
	out.Head = markupf(`<details class="%s" `, class) + filterAttributes(q, v.suite, v.strict) + markupf(` id="%s"`,
		q.ID) + attributes + ">\n  <summary>" + line(q, why, v.strict) +
		"</summary>\n  <div class=\"body\">\n"
	for _, first := range []bool{true, false} {
		for i := range q.Scenarios {
			if isOpen(q.Scenarios[i].Status) == first {
				out.Scenarios = append(out.Scenarios, v.scenario(q, &q.Scenarios[i]))
			}
		}
	}
	return out
}

// filterAttributes returns the attributes that the filter of the page reads.
func filterAttributes(q *reports.Requirement, suite string, strict bool) template.HTML {
	return markupf(`data-status="%s" data-level="%s" data-suite="%s"`, markup(reports.MarkOf(q, strict)).Class,
		strings.ToLower(reports.LevelClass(q.Level)), suite)
}

// line returns a requirement in one line, with the reason of its status if why is not empty.
func line(q *reports.Requirement, why string, strict bool) template.HTML {
	shown := markup(reports.MarkOf(q, strict)).HTML() +
		markupf(` <span class="id">%s</span> <span class="level">%s</span> <span class="what">%s</span>`,
			q.ID, q.Level, q.Summary)
	if why != "" {
		shown += markupf(` <span class="why">%s</span>`, why)
	}
	return shown
}

// row returns the line of a requirement that is shown in full below its cause.
func row(s *reports.Suite, q *reports.Requirement, strict bool) template.HTML {
	return markupf(`<a class="entry listed" href="#%s" `, q.ID) + filterAttributes(q, s.Suite, strict) + ">" + line(q,
		q.Cause(),
		strict) + "</a>"
}

// guide returns what the catalogue says about a requirement.
func guide(q *reports.Requirement, about spec.Requirement) template.HTML {
	markup := template.HTML(`<dl class="guide">`)
	if about.Source != "" {
		markup += markupf(`<dt>In the text</dt><dd><a href="%s" rel="noreferrer">%s</a></dd>`, about.Source, about.Section)
	}
	dispute := ""
	if isOpen(q.Status) && about.ID != "" {
		dispute = about.Dispute()
	}
	for _, entry := range []struct{ label, text string }{
		{"Obliges", about.Actor}, {"Read as", about.Resolution}, {"Read otherwise?", dispute}, {"To keep it", about.Satisfy},
	} {
		if entry.text != "" {
			markup += markupf("<dt>%s</dt><dd>%s</dd>", entry.label, entry.text)
		}
	}
	return markup + markupf("<dt>More</dt><dd><code>capconform explain %s</code></dd></dl>", q.ID)
}

// scenario shows a scenario. It omits the cause if that is shown above.
func (v htmlView) scenario(q *reports.Requirement, sc *reports.Scenario) htmlScenario {
	shown := reports.Requirement{Level: q.Level, Status: sc.Status, Known: q.Known}
	m := markup(reports.MarkOf(&shown, v.strict))
	out := htmlScenario{
		Head: markupf(
			`<h4><i class="is-%s" aria-hidden="true">%s</i><span class="unseen">%s: </span>%s</h4>`,
			m.Class,
			m.Symbol,
			m.Word,
			sc.Name,
		),
	}
	for _, remark := range sc.Remarks {
		m := reports.NoticeMark
		if remark.Weight == reports.Warning {
			m = reports.WarningMark
		}
		out.Remarks = append(out.Remarks, htmlFinding{markup(m), placeOf(remark.Finding), remark.Message})
	}
	f, reason := sc.Failure, sc.Reason
	if f != nil {
		reason = f.Message
	}
	if reason != "" && (!v.cause || reason != q.Cause()) {
		out.Head += markupf(`<p class="said">%s</p>`, reason)
	}
	if isOpen(sc.Status) {
		out.Steps = v.known.steps(q.ID, sc)
	}
	if f == nil {
		return out
	}
	step := f.Step
	if out.Steps != "" {
		step = ""
	}
	out.Failure = &htmlFailure{Want: readableText(f.Want), Got: readableText(f.Got), Found: f.Found(), Hint: f.Hint,
		Step: step, Repeat: display.TerminalCommand(f.Repeat)}
	for _, finding := range f.Findings {
		out.Failure.Findings = append(out.Failure.Findings, htmlFinding{Place: placeOf(finding), Message: finding.Message})
	}
	for _, e := range f.Exchanges {
		out.Failure.Exchanges = append(out.Failure.Exchanges, htmlExchange{
			Operation: e.Operation, AtMS: e.AtMS, Repeat: display.TerminalCommand(e.Repeat),
			Sent: readable(e.Sent), SentCut: cutNote(e.Sent), Received: readable(e.Received), ReceivedCut: cutNote(e.Received),
		})
	}
	return out
}

// readable returns a message for people: JSON is indented, also after the head of an HTTP message.
// Other texts are not changed.
func readable(p reports.Payload) string {
	if !p.Whole() {
		return display.LinesText(p.Text)
	}
	return readableText(p.Text)
}

func readableText(text string) string {
	head, body := "", text
	if at := strings.LastIndex(text, "\n\n"); at >= 0 {
		head, body = text[:at+2], text[at+2:]
	}
	var out bytes.Buffer
	if trimmed := strings.TrimSpace(body); strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if json.Indent(&out, []byte(trimmed), "", "  ") == nil {
			body = out.String()
		}
	}
	return display.LinesText(head + body)
}

func cutNote(p reports.Payload) string {
	if p.Whole() {
		return ""
	}
	return fmt.Sprintf("Not complete: %d bytes in total, sha256 %s", p.Length, p.SHA256)
}

// isLong reports whether a text needs a box that scrolls.
func isLong(text string) bool { return len(text) > 1200 || strings.Count(text, "\n") > 18 }
