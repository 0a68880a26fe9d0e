package chpdocument

import (
	"hash/maphash"
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// evidence contains what all documents say about invocations before the events of one log are judged.
type evidence struct {
	*objects
	seed    maphash.Seed
	queries []*document.Node         // of files that are read as a whole
	results map[string]*outcomeInLog // by invocation id, of the same files
}

// hash converts a text to one number.
func (v *evidence) hash(text string) uint64 { return maphash.String(v.seed, text) }

// outcomeInLog is a result among the documents, with the events that belong to it.
type outcomeInLog struct {
	file    string
	outcome *document.Node // of the result
	last    *entry         // the closing event with the highest sequence
	at      string         // the file of last
	ended   bool           // the event that the outcome requires is present
	several bool           // results of the invocation have other outcomes: it was repeated
}

// maxResults bounds the results that are compared with events.
const maxResults = 1 << 16

// expect stores the result of an invocation, and reports whether it is the first one.
func (v *evidence) expect(file string, n *document.Node) bool {
	id, outcome := n.Get("invocation_id").Str(), n.Get("outcome")
	if s := v.results[id]; s != nil {
		s.several = s.several || outcome.Str() != s.outcome.Str()
		return false
	}
	if id == "" || !outcome.Is(document.String) {
		return false
	}
	if len(v.results) >= maxResults {
		v.Limit(idOutcomeInLog, "%s: there are more than %d results, of which no more are compared with events", file,
			maxResults)
		return false
	}
	v.results[strings.Clone(id)] = &outcomeInLog{file: file,
		outcome: &document.Node{Kind: outcome.Kind, Line: outcome.Line,
			Column: outcome.Column, Text: strings.Clone(outcome.Text)}}
	return true
}

// report adds a closing event to the result of its invocation.
func (v *evidence) report(file string, e *entry, outcome string) {
	s := v.results[e.invocation]
	if s == nil {
		return
	}
	s.ended = s.ended || outcome == s.outcome.Str()
	if s.last == nil || !e.numbered || !s.last.numbered || e.sequence > s.last.sequence {
		s.last, s.at = e, file
	}
}

// judgeOutcomes compares results with the events of their invocations.
func (v *evidence) judgeOutcomes() {
	for _, id := range slices.Sorted(maps.Keys(v.results)) {
		s := v.results[id]
		outcome := s.outcome
		demanded, known := history.EventOfOutcome[outcome.Str()]
		if s.last == nil || !known || history.OutcomeOfEvent[s.last.kind] == outcome.Str() {
			continue
		}
		if s.several {
			v.LeaveOpen(idOutcomeInLog, "the results of invocation %s have several outcomes, and nothing shows to which attempt each belongs",
				jsonvalue.Print(id))
			continue
		}
		breaks := map[string]string{history.Success: idCompleted, history.Failure: idFailed}[outcome.Str()]
		if breaks == idCompleted {
			v.AddKind(kindCompleted)
		}
		if breaks == idFailed {
			v.AddKind(kindFailed)
		}
		switch place := s.last.node; {
		case s.ended, breaks == "":
			v.Breach(idOutcomeInLog, s.file, outcome,
				"the outcome is %s, and the last closing event of the invocation is %s, at %s:%d:%d", outcome.Str(), s.last.kind,
				s.at, place.Line, place.Column)
		default:
			v.Breach(breaks, s.file, outcome, "the outcome is %s, and the invocation has no %s but ends with %s, at %s:%d:%d",
				outcome.Str(), demanded, s.last.kind, s.at, place.Line, place.Column)
		}
	}
}
