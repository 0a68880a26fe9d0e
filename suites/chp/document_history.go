package chpsuite

import (
	"context"
	"errors"
	"hash/maphash"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// eventLog judges the events of one log or of one replay, in one pass and, where
// something has to be compared with what lies far back, in a second one. What it
// keeps does not grow with the number of events but with that of invocations
// that are open, up to bounds beyond which it says what can't be decided.
type eventLog struct {
	*reading
	file     string
	replay   bool // a ReplayResult: the whole evidence of its correlation unless it says otherwise
	value    bool // one value, which may be a replay result
	part     bool // it says otherwise
	bare     bool // it was asked for without payloads
	full     bool // it was asked for with payloads
	events   int
	payloads int      // events that have one
	lacking  []*entry // events of a value that have none
	hosts    map[string]*counter
	ids      boundedSet          // of events
	closed   boundedSet          // of invocations, with the host that closed them
	open     map[uint64][]uint64 // invocations that began, with the hosts that began them
	crowded  bool                // there were more than can be kept
	told     bool                // results stand among the events
	named    []*entry            // the first event of each of two correlations
	odd      map[uint64]bool     // invocations with an event that has no type
	stray    *entry              // a start that names no invocation
	blind    string              // the first place that can't be read
	doubts   []*doubt
	doubted  map[uint64][]*doubt
	doubles  []*entry
	first    map[string]*document.Node // of the ids of doubles, once they were looked for
	numbers  map[uint64]place          // of correlations, where hosts do not count through
}

// counter is what is known of the sequence of one host.
type counter struct {
	first, last uint64
	falls       bool // it does not rise over the whole
}

// The bounds of what is kept: invocations that are open at one time, hosts, and events
// of which more is to be said at the end.
const (
	openAtMost  = 1 << 20
	hostsAtMost = 1 << 12
	heldAtMost  = 1000
)

func newHistory(r *reading, file string, value bool) *eventLog {
	return &eventLog{reading: r, file: file, value: value, hosts: map[string]*counter{}, open: map[uint64][]uint64{},
		doubted: map[uint64][]*doubt{}, odd: map[uint64]bool{}}
}

// hash makes one number of a text.
func (r *reading) hash(text string) uint64 { return maphash.String(r.seed, text) }

// item judges one value that stands where an event belongs.
func (h *eventLog) item(n *document.Node) {
	h.events++
	if !n.Is(document.Object) {
		return // CHP-10-07, where it is a replay
	}
	h.Hold(heldHistories)
	e := newEntry(n)
	h.event(h.file, e)
	h.judgePayload(e)
	if e.id != "" {
		key, detail := h.hash(e.identity()), uint32(h.hash(e.kind+"\x00"+e.invocation))
		known, same := h.ids.find(key, detail)
		if !same {
			h.ids.add(key, detail)
		}
		if known && len(h.doubles) < heldAtMost {
			h.doubles = append(h.doubles, e)
		}
		if same {
			return // the same event again: one defect, and no further event
		}
	}
	h.name(e)
	h.number(e)
	h.pair(e)
}

// name keeps the first event of each of two correlations, of which one at least is not that of a replay.
func (h *eventLog) name(e *entry) {
	if e.correlation == "" || len(h.named) > 1 || len(h.named) == 1 && h.named[0].correlation == e.correlation {
		return
	}
	h.named = append(h.named, e)
}

// foreign judges whether a replay result holds events of another correlation. One that names that of the result in
// another member, as that of its parent, is of both.
func (h *eventLog) foreign(n *document.Node) {
	id := n.Get("correlation_id").Str()
	for _, e := range h.named {
		of := e.node.Get("correlation")
		within := string(jsonvalue.Encode(of.Value()))
		if id == "" || e.correlation == id || strings.Contains(within, string(jsonvalue.Encode(id))) {
			continue
		}
		h.Breach(idForeign, h.file, of, "the event is of the correlation %s; the replay is of %s",
			jsonvalue.Print(e.correlation), jsonvalue.Print(id))
	}
}

// number follows the sequence of the host.
func (h *eventLog) number(e *entry) {
	if e.vast {
		h.Limit(idOrder, "the sequence at %s:%d:%d is beyond 64 bits, which we do not compare", h.file, e.node.Line,
			e.node.Column)
	}
	if !e.numbered {
		return // CHP-6-09
	}
	c := h.hosts[e.host]
	switch {
	case c == nil && len(h.hosts) >= hostsAtMost:
		h.Limit(idOrder, "%s holds events of more than %d hosts", h.file, hostsAtMost)
	case c == nil:
		h.hosts[e.host] = &counter{first: e.sequence, last: e.sequence}
	case e.sequence <= c.last:
		c.falls = true
	default:
		c.last = e.sequence
	}
}

// unread notes what can't be read. What stands there is not known, so that no
// event behind it lacks anything for sure.
func (h *eventLog) unread(err *document.Error, cut bool) {
	h.Note("%v", err)
	if cut {
		return
	}
	if h.blind == "" {
		h.blind = err.Error()
	}
	leave := h.leaving(err)
	for _, p := range h.forms.Event.Parts {
		leave(p.Requirement, "a part can't be read: %v", err)
	}
	for _, id := range []string{idOnce, idCustom, idOrder} {
		leave(id, "a part can't be read: %v", err)
	}
}

// breakOff notes that the rest of a value can't be read, what it says of itself
// among it.
func (h *eventLog) breakOff(err *document.Error) {
	h.unread(err, false)
	h.part = true
	leave := h.leaving(err)
	for _, p := range h.forms.Replay.Parts {
		leave(p.Requirement, "the rest can't be read: %v", err)
	}
}

// leaving returns how a requirement is left open by what can't be read.
func (h *eventLog) leaving(err *document.Error) func(id, format string, args ...any) {
	if err.Kind == document.Limit {
		return h.Limit
	}
	return h.Leave
}

// judgePayload judges the payload of an event. In a replay it waits for the end:
// one that was asked for without payloads has none.
func (h *eventLog) judgePayload(e *entry) {
	payload := e.node.Get("payload")
	if !payload.Absent() {
		h.payloads++
	}
	switch {
	case payload.Is(document.Object):
	case h.value && len(h.lacking) < heldAtMost:
		h.lacking = append(h.lacking, e)
	default:
		h.lack(e)
	}
}

func (h *eventLog) lack(e *entry) {
	id := idPayload
	if !e.core() {
		id = idCustom
	}
	payload, _ := h.forms.Event.Part(memberPayload)
	h.member(payload, id, h.file, e.node)
}

func (h *eventLog) settlePayloads() {
	switch {
	case h.bare || len(h.lacking) == 0:
	case h.replay && h.payloads == 0 && !h.full:
		h.Leave(idPayload,
			"no event of %s has a payload, so that it may be the answer to a query that did not ask for payloads; examine the query beside it", h.file)
	default:
		for _, e := range h.lacking {
			h.lack(e)
		}
	}
}

// head takes what a replay result says of itself.
func (h *eventLog) head(n *document.Node) {
	if h.replay = n.Is(document.Object) && replayForm(n) == formReplay; !h.replay {
		return
	}
	h.single(h.file, n, formReplay)
	h.foreign(n)
	h.part = history.SaysPart(scalars(n))
	for _, q := range h.queries {
		if q.Get("correlation_id").Str() != n.Get("correlation_id").Str() {
			continue
		}
		h.part = h.part || !q.Get("limit").Absent() || !q.Get("since_sequence").Absent()
		if wanted := q.Get("include_payloads"); wanted.Is(document.Boolean) {
			h.bare, h.full = h.bare || wanted.Text == "false", h.full || wanted.Text == "true"
		}
	}
	count := n.Get("event_count")
	number, ok := history.WholeNumber(count.Value())
	if !ok || !n.Get("events").Is(document.Array) {
		return
	}
	if !history.CountFits(number, h.events, h.part) {
		h.Breach(idCount, h.file, count, "event_count is %s; there are %d events", number, h.events)
	}
}

// end concludes the first pass.
func (h *eventLog) end() {
	h.settlePayloads()
	h.settleDoubts()
	if h.ids.forgot {
		h.Leave(idOnce, "%s holds so many events that only the last %d or more could be compared with each other", h.file,
			rememberedAtLeast)
	}
	for _, id := range []string{idCompleted, idFailed, idOutcomeInLog} {
		if h.crowded {
			h.Limit(id, "in %s more than %d invocations are open at one time", h.file, openAtMost)
		}
	}
	if h.closed.forgot {
		h.Leave(idOutcomeInLog, "%s holds so many invocations that only the last of them could be compared with each other",
			h.file)
	}
}

// wantsAgain reports whether the events have to be read a second time.
func (h *eventLog) wantsAgain() bool {
	for _, c := range h.hosts {
		if c.falls {
			return true
		}
	}
	return len(h.doubles) > 0 || h.told
}

// log judges a file that is read value by value.
func (r *reading) log(ctx context.Context, file string, log *document.Log) error {
	h := newHistory(r, file, !log.Lines())
	pairs := map[string]duplicate{}
	others := 0
	head, err := log.Each(ctx, func(e document.Entry) {
		switch {
		case e.Err != nil:
			h.unread(e.Err, e.Cut)
		case isItem(log, e):
			h.item(e.Node)
		case e.List == "capabilities" && e.Node.Is(document.Object):
			r.descriptor(file, e.Node, pairs)
		case e.List != "":
		case formOf(e.Node) == "":
			others++
		default:
			if formOf(e.Node) == formResult && r.expect(file, e.Node) {
				h.told = true
			}
			r.visit(file, e.Node)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if broken, ok := errors.AsType[*document.Error](err); ok {
		h.breakOff(broken)
	} else if err != nil {
		return err
	}
	if others > 0 {
		h.Note("%s: %d lines are no document of CHP and were left out", file, others)
	}
	if head != nil && err == nil {
		h.headOfLog(head)
	}
	h.end()
	if !h.wantsAgain() {
		return nil
	}
	h.secondTime()
	// What can't be read was told by the first pass, which ended at the same place.
	_, _ = log.Each(ctx, func(e document.Entry) {
		if e.Err == nil && isItem(log, e) {
			h.second(e.Node)
		}
	})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// isItem reports whether an event belongs where an entry stands.
func isItem(log *document.Log, e document.Entry) bool {
	if log.Lines() {
		return formOf(e.Node) == formEvent
	}
	return e.List == "" || e.List == "events"
}

// headOfLog judges the members of a long value, whose lists were read before.
func (h *eventLog) headOfLog(head *document.Node) {
	if hostForm(head) == formHost {
		h.host(h.file, head)
		return
	}
	h.head(head)
}
