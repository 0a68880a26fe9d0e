package chpdocument

import (
	"fmt"
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
		v.judge(ofEnding, file, nil, facts{"repeats_end": limit(
			"%s: there are more than %d results, of which no more are compared with events", file, maxResults)})
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
		if s.last == nil {
			continue
		}
		outcome, demanded := s.outcome.Str(), history.EventOfOutcome[s.outcome.Str()]
		ending := facts{"type": s.last.kind, "place": fmt.Sprintf("%s:%d:%d", s.at, s.last.node.Line, s.last.node.Column)}
		switch {
		case !s.several:
			ending["outcome_of_result"], ending["type_for_result"], ending["has_type_for_result"] = outcome, demanded, s.ended
			if demanded != history.EventSkipped {
				v.addKindOf(demanded)
			}
		case demanded != "" && demanded != s.last.kind:
			ending["repeats_end"] = open(
				"the results of invocation %s have several outcomes, and nothing shows to which attempt each belongs",
				jsonvalue.Print(id))
		}
		v.judge(ofEnding, s.file, s.outcome, ending)
	}
}

// endedKinds are the kinds of documents that a closing event makes available.
var endedKinds = map[string]string{history.EventCompleted: kindCompleted, history.EventFailed: kindFailed,
	history.EventSkipped: kindSkipped}

func (v *evidence) addKindOf(event string) {
	if kind := endedKinds[event]; kind != "" {
		v.AddKind(kind)
	}
}
