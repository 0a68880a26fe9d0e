package chpsuite

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// doubt is a closing event without a start before it in the text. It may be that
// the text is out of order, that the start lies before the beginning, or that it
// is missing.
type doubt struct {
	*entry
	second bool   // the invocation was closed before
	blind  string // what lies before it and can't be read
}

// outcomeInLog is a result that stands among the documents, with what events say of it.
type outcomeInLog struct {
	file    string
	outcome *document.Node // of the result
	last    *entry         // the closing event with the highest sequence
	at      string         // the file of last
	ended   bool           // the event that the outcome demands is there
	several bool           // results of the invocation have other outcomes: it was repeated
}

// resultsAtMost bounds the results that are compared with events.
const resultsAtMost = 1 << 16

// expect keeps what the result of an invocation says, and reports whether it is the first one of it.
func (r *reading) expect(file string, n *document.Node) bool {
	id, outcome := n.Get("invocation_id").Str(), n.Get("outcome")
	if s := r.results[id]; s != nil {
		s.several = s.several || outcome.Str() != s.outcome.Str()
		return false
	}
	if id == "" || !outcome.Is(document.String) {
		return false
	}
	if len(r.results) >= resultsAtMost {
		r.Limit(idOutcomeInLog, "%s: there are more than %d results, of which no more are compared with events", file,
			resultsAtMost)
		return false
	}
	r.results[strings.Clone(id)] = &outcomeInLog{file: file,
		outcome: &document.Node{Kind: outcome.Kind, Line: outcome.Line,
			Column: outcome.Column, Text: strings.Clone(outcome.Text)}}
	return true
}

// pair follows an invocation from its start to its end.
func (h *eventLog) pair(e *entry) {
	outcome, closes := history.Closing[e.kind]
	switch {
	case e.invocation == "" && e.kind == history.Started:
		h.stray = e
	case e.invocation != "" && e.kind == "" && len(h.odd) < openAtMost:
		h.odd[h.hash(e.invocation)] = true
	}
	if e.invocation == "" || !closes && e.kind != history.Started {
		return
	}
	key, host := h.hash(e.invocation), h.hash(e.host)
	if e.kind == history.Started {
		h.start(e, key, host)
		return
	}
	h.Hold(heldClosed)
	if e.kind == history.Completed {
		h.Hold(heldCompleted)
	}
	if e.kind == history.Failed {
		h.Hold(heldFailed)
	}
	said := e.node.Get("outcome")
	if history.Contradicts(e.kind, said.Str()) {
		h.Breach(idOutcomeInLog, h.file, said, "the outcome is %s in an event of the type %s", said.Str(), e.kind)
	}
	h.report(e, outcome)
	h.close(e, key, host)
}

func (h *eventLog) start(e *entry, key, host uint64) {
	for i, d := range h.doubted[key] {
		if d.host == e.host && d.numbered && e.numbered && e.sequence < d.sequence {
			h.doubted[key] = slices.Delete(h.doubted[key], i, i+1) // out of order, which CHP-10-10 says
			h.doubts = slices.DeleteFunc(h.doubts, func(other *doubt) bool { return other == d })
			return
		}
	}
	began, isOpen := h.open[key]
	switch {
	case !isOpen && len(h.open) >= openAtMost:
		h.crowded = true
	case !slices.Contains(began, host):
		h.open[key] = append(began, host)
	}
}

// close ends what was begun: by the same host, or by another one where an
// invocation is handed on. Denials and skips need no start.
func (h *eventLog) close(e *entry, key, host uint64) {
	began := h.open[key]
	closedBefore, bySame := h.closed.find(key, uint32(host))
	switch i := slices.Index(began, host); {
	case len(began) > 1:
		h.open[key] = slices.Delete(began, max(i, 0), max(i, 0)+1)
	case len(began) == 1:
		delete(h.open, key)
	case bySame:
		h.doubtful(&doubt{e, true, h.blind}, key)
	case !closedBefore && (e.kind == history.Completed || e.kind == history.Failed):
		h.doubtful(&doubt{e, false, h.blind}, key)
	}
	if !bySame {
		h.closed.add(key, uint32(host))
	}
}

// doubtsAtMost bounds the events that wait for their start. Beyond it there is
// enough to tell.
const doubtsAtMost = 1 << 12

func (h *eventLog) doubtful(d *doubt, key uint64) {
	if len(h.doubts) < doubtsAtMost {
		h.doubts = append(h.doubts, d)
		h.doubted[key] = append(h.doubted[key], d)
	}
}

// settleDoubts decides where the start is missing for sure.
func (h *eventLog) settleDoubts() {
	for _, d := range h.doubts {
		id := map[string]string{history.Completed: idCompleted, history.Failed: idFailed}[d.kind]
		if d.second {
			id = idOutcomeInLog
		}
		place := jsonvalue.Print(d.kind)
		switch {
		case d.blind != "":
			h.Leave(id, "the start of %s at %s:%d:%d may stand in what can't be read: %s", place, h.file, d.node.Line,
				d.node.Column, d.blind)
		case !d.second && (h.stray != nil || h.odd[h.hash(d.invocation)]):
			h.Leave(id, "the start of %s at %s:%d:%d may be an event that does not say its type or its invocation", place,
				h.file, d.node.Line, d.node.Column)
		case h.crowded, h.closed.forgot && !d.second:
			h.Leave(id, "the start of %s at %s:%d:%d may lie too far back", place, h.file, d.node.Line, d.node.Column)
		case d.second:
			h.Breach(id, h.file, d.node,
				"%s closes an invocation that was closed before, and no execution_started is between the two", d.kind)
		case !h.complete(d):
			h.Leave(id, "the start of %s at %s:%d:%d may lie before the beginning of the file", place, h.file, d.node.Line,
				d.node.Column)
		default:
			h.Breach(id, h.file, d.node, "%s has no execution_started before it", d.kind)
		}
	}
}

// complete reports whether nothing of an invocation can lie before the beginning. A replay says
// so itself; a log begins with the first numbers of its counter.
func (h *eventLog) complete(d *doubt) bool {
	if h.part || h.replay {
		return !h.part
	}
	const lowest = 1 // counters start at 0 or at 1
	c := h.hosts[d.host]
	return c != nil && c.first <= lowest && !c.falls || d.numbered && d.sequence <= lowest
}

// report adds a closing event to the result that it belongs to.
func (h *eventLog) report(e *entry, outcome string) {
	s := h.results[e.invocation]
	if s == nil {
		return
	}
	s.ended = s.ended || outcome == s.outcome.Str()
	if s.last == nil || !e.numbered || !s.last.numbered || e.sequence > s.last.sequence {
		s.last, s.at = e, h.file
	}
}

// judgeOutcomes compares results with the events of their invocations.
func (r *reading) judgeOutcomes() {
	for _, id := range slices.Sorted(maps.Keys(r.results)) {
		s := r.results[id]
		outcome := s.outcome
		demanded, known := history.Terminal[outcome.Str()]
		if s.last == nil || !known || history.Closing[s.last.kind] == outcome.Str() {
			continue
		}
		if s.several {
			r.Leave(idOutcomeInLog, "the results of invocation %s have several outcomes, and nothing tells which attempt each is of",
				jsonvalue.Print(id))
			continue
		}
		breaks := map[string]string{history.Success: idCompleted, history.Failure: idFailed}[outcome.Str()]
		if breaks == idCompleted {
			r.Hold(heldCompleted)
		}
		if breaks == idFailed {
			r.Hold(heldFailed)
		}
		switch place := s.last.node; {
		case s.ended, breaks == "":
			r.Breach(idOutcomeInLog, s.file, outcome,
				"the outcome is %s, and the last closing event of the invocation is %s, at %s:%d:%d", outcome.Str(), s.last.kind,
				s.at, place.Line, place.Column)
		default:
			r.Breach(breaks, s.file, outcome, "the outcome is %s, and the invocation has no %s but ends with %s, at %s:%d:%d",
				outcome.Str(), demanded, s.last.kind, s.at, place.Line, place.Column)
		}
	}
}
