package chpdocument

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
)

// maxCorrelations bounds the correlations whose sequence is followed if the sequence of their host
// does not increase over the whole log.
const maxCorrelations = 1 << 20

// place is the place of an event in a correlation: two invocations may use the same numbers.
type place struct{ sequence, invocation uint64 }

// secondPass reads the events of a log again. It finds the first event of each id that seems to appear
// twice, follows each correlation of the hosts whose sequence does not increase over the whole log, and
// compares events with the results that follow them.
type secondPass struct {
	*eventLog
	first map[string]*document.Node // the first event of each repeated id
	last  map[uint64]place          // the last event of each correlation
}

func newSecondPass(h *eventLog) *secondPass {
	s := &secondPass{eventLog: h, first: map[string]*document.Node{}, last: map[uint64]place{}}
	for _, e := range h.repeated {
		s.first[e.identity()] = nil
	}
	return s
}

// add reads an event again.
func (s *secondPass) add(n *document.Node) {
	if !n.Is(document.Object) {
		return
	}
	e := newEntry(n)
	if outcome, closes := history.OutcomeOfEvent[e.kind]; closes {
		s.report(s.file, e, outcome) // of a result elsewhere in the documents
	}
	if first, sought := s.first[e.identity()]; sought && e.id != "" {
		if first == nil {
			s.first[e.identity()] = n
		} else {
			s.judge(ofEvent, s.file, n, facts{"id": e.id, "id_seen_at": fmt.Sprintf("%d:%d", first.Line, first.Column)})
			if newEntry(first).kind == e.kind && newEntry(first).invocation == e.invocation {
				return // the same event
			}
		}
	}
	c := s.hosts[e.host]
	if c == nil || !c.falls || !e.numbered || e.correlation == "" {
		return
	}
	key := s.hash(e.host + "\x00" + e.correlation)
	last, known := s.last[key]
	of := s.hash(e.invocation)
	switch {
	case !known && len(s.last) >= maxCorrelations:
		s.judge(ofEvent, s.file, n, facts{"previous_sequence": limit(
			"%s contains more than %d correlations; the further ones were not examined", s.file, maxCorrelations)})
	case !known || e.sequence > last.sequence:
		s.last[key] = place{e.sequence, of}
	case e.sequence < last.sequence && !s.value:
		s.judge(ofEvent, s.file, n, facts{"previous_sequence": open(
			"%s is not in the order of its sequence, which the text demands of replays alone", s.file)})
	default:
		s.judge(ofEvent, s.file, n, facts{"sequence": e.sequence, "previous_sequence": last.sequence,
			"continues_invocation": of == last.invocation})
		if e.sequence == last.sequence {
			s.last[key] = place{e.sequence, of}
		}
	}
}
