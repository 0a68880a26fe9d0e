package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/capconform/capconform/spec"
)

type htmlSection struct {
	Title, Of    string
	Requirements []htmlRequirement
}

type htmlRequirement struct {
	ID, Level, Class, Suite, Summary, Why string
	Mark                                  htmlMark
	Print                                 bool // opened on paper
	Guide                                 []htmlFact
	Scenarios                             []htmlScenario
}

type htmlScenario struct {
	Mark         htmlMark
	Name, Reason string
	Took         string
	Failure      *htmlFailure
	Remarks      []htmlFinding
}

type htmlFailure struct {
	Want, Got, Hint, Step, Repeat string
	Findings                      []htmlFinding
	Exchanges                     []htmlExchange
}

type htmlFinding struct {
	Mark           htmlMark
	Place, Message string
}

type htmlExchange struct {
	Operation, Sent, SentCut, Received, ReceivedCut, Repeat string
	AtMS                                                    int64
}

// htmlRequirementOf shows a requirement, with what the catalogue says about it.
func htmlRequirementOf(s *Suite, q *Requirement, about spec.Requirement, strict bool) htmlRequirement {
	m := markOf(q, strict)
	out := htmlRequirement{
		ID: q.ID, Level: q.Level, Class: classWords[classOf(q.Level)], Suite: s.Suite, Summary: q.Summary, Mark: markup(m),
		Print: q.Status == Failed || q.Status == Error || q.Status == Inconclusive,
	}
	if q.Status != Passed {
		out.Why = q.Cause()
	}
	out.Guide = tidyFacts([]htmlFact{
		{"Obliges", about.Actor, false},
		{"Read as", about.Resolution, false},
		{"To keep it", about.Satisfy, false},
		{"More", "capconform explain " + q.ID, true},
	})
	for i := range q.Scenarios {
		out.Scenarios = append(out.Scenarios, htmlScenarioOf(q, &q.Scenarios[i], strict))
	}
	return out
}

func htmlScenarioOf(q *Requirement, sc *Scenario, strict bool) htmlScenario {
	shown := Requirement{Level: q.Level, Status: sc.Status, Known: q.Known}
	out := htmlScenario{Mark: markup(markOf(&shown, strict)), Name: sc.Name, Reason: sc.Reason, Took: fmt.Sprintf("%d ms", sc.DurationMS)}
	for _, remark := range sc.Remarks {
		m := noticeMark
		if remark.Weight == Warning {
			m = warningMark
		}
		out.Remarks = append(out.Remarks, htmlFinding{markup(m), remark.place(), remark.Message})
	}
	f := sc.Failure
	if f == nil {
		return out
	}
	out.Reason = f.Message
	out.Failure = &htmlFailure{Want: readableText(f.Want), Got: readableText(f.Got), Hint: f.Hint, Step: f.Step, Repeat: TerminalCommand(f.Repeat)}
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
