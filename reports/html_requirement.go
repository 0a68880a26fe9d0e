package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/capconform/capconform/spec"
)

type htmlSection struct {
	Title, Of    string
	Requirements []htmlRequirement
}

type htmlRequirement struct {
	Head      template.HTML // the beginning of the element: what is seen of one that is closed, and what the catalogue says
	Scenarios []htmlScenario
	Example   template.HTML // how it is kept and broken elsewhere; empty where it is kept here
}

type htmlScenario struct {
	Head    template.HTML // its title, why it has its status, and how it is seen
	Failure *htmlFailure
	Remarks []htmlFinding
}

type htmlFailure struct {
	Want, Got, Found, Hint, Step, Repeat string
	Findings                             []htmlFinding
	Exchanges                            []htmlExchange
}

type htmlFinding struct {
	Mark           htmlMark
	Place, Message string
}

type htmlExchange struct {
	Operation, Sent, SentCut, Received, ReceivedCut, Repeat string
	AtMS                                                    int64
}

// markupf puts texts into markup of ours, each cleaned and escaped. It does what a
// template does, where something stands on a page for each requirement: there a
// template costs a call by reflection for each text.
func markupf(markup string, texts ...string) template.HTML {
	args := make([]any, len(texts))
	for i, text := range texts {
		args[i] = template.HTMLEscapeString(TerminalText(text))
	}
	return template.HTML(fmt.Sprintf(markup, args...)) //nolint:gosec // the markup is constant, the texts are escaped
}

// htmlRequirementOf shows a requirement, with what the catalogue says about it.
func htmlRequirementOf(s *Suite, q *Requirement, about spec.Requirement, known htmlGuide, strict bool) htmlRequirement {
	m := markup(markOf(q, strict))
	head := markupf(`<details class="requirement" id="%s" data-status="%s" data-level="%s" data-suite="%s"`, q.ID, m.Class, classWords[classOf(q.Level)], s.Suite)
	if q.Status.open() {
		head += ` data-print="1"` // opened on paper
	}
	head += ">\n  <summary>" + m.HTML() + markupf(` <span class="id">%s</span> <span class="level">%s</span> <span class="what">%s</span>`, q.ID, q.Level, q.Summary)
	if cause := q.Cause(); q.Status != Passed && cause != "" {
		head += markupf(` <span class="why">%s</span>`, cause)
	}
	head += "</summary>\n  <div class=\"body\">\n" + guide(q, about)
	out := htmlRequirement{Head: head, Example: known.example(q)}
	for i := range q.Scenarios {
		out.Scenarios = append(out.Scenarios, htmlScenarioOf(q, &q.Scenarios[i], known, strict))
	}
	return out
}

// guide is what the catalogue says about a requirement.
func guide(q *Requirement, about spec.Requirement) template.HTML {
	markup := template.HTML(`<dl class="guide">`)
	for _, entry := range []struct{ label, text string }{
		{"Obliges", about.Actor}, {"Read as", about.Resolution}, {"To keep it", about.Satisfy},
	} {
		if entry.text != "" {
			markup += markupf("<dt>%s</dt><dd>%s</dd>", entry.label, entry.text)
		}
	}
	return markup + markupf("<dt>More</dt><dd><code>capconform explain %s</code></dd></dl>", q.ID)
}

func htmlScenarioOf(q *Requirement, sc *Scenario, known htmlGuide, strict bool) htmlScenario {
	shown := Requirement{Level: q.Level, Status: sc.Status, Known: q.Known}
	m := markup(markOf(&shown, strict))
	out := htmlScenario{Head: markupf(`<h4><i class="is-%s" aria-hidden="true">%s</i><span class="unseen">%s: </span>%s<small>%s ms</small></h4>`,
		m.Class, m.Symbol, m.Word, sc.Name, strconv.FormatInt(sc.DurationMS, 10))}
	for _, remark := range sc.Remarks {
		m := noticeMark
		if remark.Weight == Warning {
			m = warningMark
		}
		out.Remarks = append(out.Remarks, htmlFinding{markup(m), remark.place(), remark.Message})
	}
	f, reason := sc.Failure, sc.Reason
	if f != nil {
		reason = f.Message
	}
	if reason != "" {
		out.Head += markupf(`<p class="said">%s</p>`, reason)
	}
	steps := template.HTML("")
	if sc.Status.open() {
		steps = known.steps(q.ID, sc)
		out.Head += steps
	}
	if f == nil {
		return out
	}
	step := f.Step
	if steps != "" {
		step = ""
	}
	out.Failure = &htmlFailure{Want: readableText(f.Want), Got: readableText(f.Got), Found: f.Found(), Hint: f.Hint, Step: step, Repeat: TerminalCommand(f.Repeat)}
	for _, finding := range f.Findings {
		out.Failure.Findings = append(out.Failure.Findings, htmlFinding{Place: finding.place(), Message: finding.Message})
	}
	for _, e := range f.Exchanges {
		out.Failure.Exchanges = append(out.Failure.Exchanges, htmlExchange{
			Operation: e.Operation, AtMS: e.AtMS, Repeat: TerminalCommand(e.Repeat),
			Sent: readable(e.Sent), SentCut: cutNote(e.Sent), Received: readable(e.Received), ReceivedCut: cutNote(e.Received),
		})
	}
	return out
}

// place is where a finding stands, as far as it is known.
func (f Finding) place() string {
	if f.Line <= 0 {
		return f.File
	}
	return fmt.Sprintf("%s:%d:%d", f.File, f.Line, max(f.Column, 1))
}

// readable gives a message for the eye: JSON is indented, also behind the head of
// an HTTP message; whatever else it is stays as it was.
func readable(p Payload) string {
	if !p.Whole() {
		return LinesText(p.Text)
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
	return LinesText(head + body)
}

func cutNote(p Payload) string {
	if p.Whole() {
		return ""
	}
	return fmt.Sprintf("Not the whole: %d bytes, sha256 %s", p.Length, p.SHA256)
}

// long says whether a text gets a box that scrolls.
func long(text string) bool { return len(text) > 1200 || strings.Count(text, "\n") > 18 }
