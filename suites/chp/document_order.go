package chpsuite

import (
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// correlationsAtMost bounds the correlations whose sequence is followed where
// hosts do not count through.
const correlationsAtMost = 1 << 20

// place is where an event of a correlation stood: two invocations may use the same numbers.
type place struct{ sequence, invocation uint64 }

// secondTime prepares the second pass: ids that seem to be there twice are looked
// for, and correlations of hosts whose sequence does not rise over the whole are
// followed one by one. Events are compared with the results that stand behind them, too.
func (h *eventLog) secondTime() {
	h.first, h.numbers = map[string]*document.Node{}, map[uint64]place{}
	for _, e := range h.doubles {
		h.first[e.identity()] = nil
	}
}

// second looks at an event again.
func (h *eventLog) second(n *document.Node) {
	if !n.Is(document.Object) {
		return
	}
	e := newEntry(n)
	if outcome, closes := history.Closing[e.kind]; closes {
		h.report(e, outcome) // of a result that stands behind it
	}
	if first, sought := h.first[e.identity()]; sought && e.id != "" {
		if first == nil {
			h.first[e.identity()] = n
		} else {
			h.Breach(idOnce, h.file, n.Get("event_id"), "the event %s stands here again; it is at %d:%d already",
				lint.Described(n.Get("event_id")), first.Line, first.Column)
			if newEntry(first).kind == e.kind && newEntry(first).invocation == e.invocation {
				return // the same event
			}
		}
	}
	c := h.hosts[e.host]
	if c == nil || !c.falls || !e.numbered || e.correlation == "" {
		return
	}
	key := h.hash(e.host + "\x00" + e.correlation)
	last, known := h.numbers[key]
	of := h.hash(e.invocation)
	switch {
	case known && e.sequence < last.sequence && !h.value:
		h.Leave(idOrder, "%s is not in the order of its sequence, which the text demands of replays alone", h.file)
	case !known && len(h.numbers) >= correlationsAtMost:
		h.Limit(idOrder, "%s holds more than %d correlations, of which no more are followed", h.file, correlationsAtMost)
	case known && (e.sequence < last.sequence || e.sequence == last.sequence && of == last.invocation):
		h.Breach(idOrder, h.file, n.Get("sequence"), "sequence %d comes behind %d of the same correlation", e.sequence,
			last.sequence)
	default:
		h.numbers[key] = place{e.sequence, of}
	}
}
