package suites

import (
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// probeResults are the suites that a target speaks, and its answers to the operations that show this.
type probeResults struct {
	spoken  map[string]bool
	answers []probed
	hint    string // what Options.Unspoken found out; may be empty
}

// unusable returns the reason why a target that speaks no suite cannot be examined: its messages are malformed, or it
// ends after each answer. It returns nil if there is none.
func (f probeResults) unusable(info driver.Info, opened driver.Session) error {
	for _, spoken := range f.spoken {
		if spoken {
			return nil
		}
	}
	if info.Handshake != "" {
		return &unusableError{info.Handshake, nil}
	}
	if times, last := endingsOf(opened); times > 1 {
		return &unusableError{fmt.Sprintf("the target ended after each answer, %d times", times), last}
	}
	return nil
}

// unusableError reports that a target answers, but that nothing can be examined.
type unusableError struct {
	reason string
	last   error // may be nil
}

// Error returns the message.
func (e *unusableError) Error() string {
	if e.last == nil {
		return e.reason
	}
	return e.reason + "; the last time: " + e.last.Error()
}

// Unwrap returns driver.ErrUnreachable and the error of the last call.
func (e *unusableError) Unwrap() []error {
	if e.last == nil {
		return []error{driver.ErrUnreachable}
	}
	return []error{driver.ErrUnreachable, e.last}
}

// addTo adds to a report the suites that the target does not speak. If it speaks none, a note states
// what it answered.
func (f probeResults) addTo(report *reports.Report, all []*Suite) {
	for _, s := range all {
		if !f.spoken[s.Name] {
			report.NotSpoken = append(report.NotSpoken, s.Name)
		}
	}
	if len(report.NotSpoken) == len(all) {
		report.Notes = append(report.Notes, probesInWords(f.answers))
	}
	if f.hint != "" {
		report.Notes = append(report.Notes, f.hint)
	}
}

// probesInWords states what the target answered to the operations by which a suite is recognised, for the
// reader whose target speaks none of them.
func probesInWords(tried []probed) string {
	var answers []string
	operations := map[string][]string{} // by answer
	for _, one := range tried {
		answer := one.inWords()
		if len(operations[answer]) == 0 {
			answers = append(answers, answer)
		}
		operations[answer] = append(operations[answer], one.operation)
	}
	for i, answer := range answers {
		answers[i] = strings.Join(operations[answer], ", ") + ": " + answer
	}
	return "tried " + strings.Join(answers, "; ")
}

// inWords states what the target answered to one operation.
func (p probed) inWords() string {
	if p.err != nil {
		return "no answer (" + p.err.Error() + ")"
	}
	var parts []string
	if p.answer.Exchange.Status != 0 {
		parts = append(parts, fmt.Sprintf("HTTP status %d", p.answer.Exchange.Status))
	}
	switch e := p.answer.Error; {
	case p.answer.Outcome == driver.Malformed:
		parts = append(parts, p.answer.Defect)
	case e != nil && e.Number != 0:
		parts = append(parts, fmt.Sprintf("error %d", e.Number))
	case e != nil && e.Code != "":
		parts = append(parts, "error "+e.Code)
	case p.answer.Outcome == driver.NotProvided:
		parts = append(parts, "not provided")
	}
	return strings.Join(parts, ", ")
}
