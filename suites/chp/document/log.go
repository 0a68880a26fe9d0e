package chpdocument

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// eventLog judges the events of one log or of one replay: in one pass, and in a second one if it must compare
// events that are far apart. Its memory does not grow with the number of events but with the number of open
// invocations, up to bounds. Beyond a bound, it reports what cannot be decided.
type eventLog struct {
	*evidence
	file           string
	replay         bool // a ReplayResult: all evidence of its correlation, unless it is declared as a part
	value          bool // one value, which may be a replay result
	part           bool // the replay result is declared as a part
	noPayloads     bool // the query excludes payloads
	payloads       bool // the query includes payloads
	events         int
	withPayload    int      // the number of events that have a payload
	withoutPayload []*entry // events of a value that have none
	hosts          map[string]*counter
	ids            boundedSet // of events
	invocations    *pairs
	resultsInside  bool              // there are results among the events
	correlations   map[string]*entry // the first event of each correlation of a value, up to a bound
	repeated       []*entry          // events whose id appeared before
}

// counter contains what is known about the sequence of one host.
type counter struct {
	first, last uint64
	falls       bool // it does not increase over the whole log
}

// The bounds of the memory: invocations that are open at one time, hosts, and events that are judged at the end.
const (
	maxHosts = 1 << 12
	maxKept  = 1000
)

func newEventLog(v *evidence, file string, value bool) *eventLog {
	return &eventLog{evidence: v, file: file, value: value, hosts: map[string]*counter{},
		correlations: map[string]*entry{},
		invocations:  newPairs(v, file)}
}

// item judges one value at a place of an event.
func (h *eventLog) item(n *document.Node) {
	h.events++
	if !n.Is(document.Object) {
		return // CHP-10-07 judges it in a replay
	}
	h.AddKind(kindHistories)
	e := newEntry(n)
	h.event(h.file, e)
	h.judgePayload(e)
	if e.id != "" {
		key, detail := h.hash(e.identity()), uint32(h.hash(e.kind+"\x00"+e.invocation))
		known, same := h.ids.find(key, detail)
		if !same {
			h.ids.add(key, detail)
		}
		if known && len(h.repeated) < maxKept {
			h.repeated = append(h.repeated, e)
		}
		if same {
			return // the same event again: one defect, and no further event
		}
	}
	h.noteCorrelation(e)
	h.number(e)
	h.invocations.add(e)
}

// noteCorrelation stores the first event of each correlation of a value.
func (h *eventLog) noteCorrelation(e *entry) {
	if e.correlation == "" || !h.value || h.correlations[e.correlation] != nil || len(h.correlations) >= maxKept {
		return
	}
	h.correlations[e.correlation] = e
}

// foreign judges whether a replay result contains events of another correlation.
func (h *eventLog) foreign(n *document.Node) {
	id := n.Get("correlation_id").Str()
	for _, correlation := range slices.Sorted(maps.Keys(h.correlations)) {
		e := h.correlations[correlation]
		within := string(jsonvalue.Encode(e.node.Get("correlation").Value()))
		h.judge(ofReplayed, h.file, e.node, facts{"correlation_id": correlation, "replay_id": id,
			"context_contains_replay_id": strings.Contains(within, string(jsonvalue.Encode(id)))})
	}
}

// number follows the sequence of the host.
func (h *eventLog) number(e *entry) {
	if e.tooLarge {
		h.judge(ofEvent, h.file, e.node, facts{"previous_sequence": limit(
			"the sequence at %s:%d:%d is beyond 64 bits, which we do not compare", h.file, e.node.Line, e.node.Column)})
	}
	if !e.numbered {
		return // CHP-6-09 judges that
	}
	c := h.hosts[e.host]
	switch {
	case c == nil && len(h.hosts) >= maxHosts:
		h.judge(ofEvent, h.file, e.node, facts{
			"previous_sequence": limit("%s contains events of more than %d hosts", h.file, maxHosts)})
	case c == nil:
		h.hosts[e.host] = &counter{first: e.sequence, last: e.sequence}
	case e.sequence <= c.last:
		c.falls = true
	default:
		c.last = e.sequence
	}
}

// unread notes a part that cannot be read. It may contain any event, so no later event certainly lacks its start.
func (h *eventLog) unread(err *document.Error, cut bool) {
	h.Note("%v", err)
	if cut {
		return
	}
	if h.invocations.unreadable == "" {
		h.invocations.unreadable = err.Error()
	}
	gap := unread("a part", err)
	h.leave(h.forms.Event, gap)
	h.Add(idCustom, h.file, nil, verdict.Verdict{Open: gap.Reason})
	h.judge(ofEvent, h.file, nil, facts{"id_seen_at": gap, "previous_sequence": gap})
}

// stopReading notes that the rest of a value cannot be read, including the members that describe the value.
func (h *eventLog) stopReading(err *document.Error) {
	h.unread(err, false)
	h.part = true
	gap := unread("the rest", err)
	h.leave(h.forms.Replay, gap)
	h.judge(ofReplay, h.file, nil, facts{"event_count": gap})
}

// leave leaves the requirements on the members of a form undecided.
func (h *eventLog) leave(of *shape.Shape, gap *rule.Gap) {
	for _, p := range of.Parts {
		h.Add(p.Requirement, h.file, nil, verdict.Verdict{Open: gap.Reason})
	}
}

// judgePayload judges the payload of an event. For a replay, the judgement waits until the end: a replay that was
// requested without payloads has none.
func (h *eventLog) judgePayload(e *entry) {
	payload := e.node.Get("payload")
	if !payload.Absent() {
		h.withPayload++
	}
	switch {
	case payload.Is(document.Object):
	case h.value && len(h.withoutPayload) < maxKept:
		h.withoutPayload = append(h.withoutPayload, e)
	default:
		h.reportNoPayload(e)
	}
}

func (h *eventLog) reportNoPayload(e *entry) {
	id := idPayload
	if !e.core() {
		id = idCustom
	}
	payload, _ := h.forms.Event.Part(memberPayload)
	h.member(payload, id, h.file, e.node)
}

func (h *eventLog) settlePayloads() {
	switch {
	case h.noPayloads || len(h.withoutPayload) == 0:
	case h.replay && h.withPayload == 0 && !h.payloads:
		h.LeaveOpen(idPayload,
			"no event of %s has a payload, so that it may be the answer to a query that did not ask for payloads; examine the query beside it", h.file)
	default:
		for _, e := range h.withoutPayload {
			h.reportNoPayload(e)
		}
	}
}

// head reads the members of a replay result beside its events.
func (h *eventLog) head(n *document.Node) {
	if h.replay = n.Is(document.Object) && replayForm(n) == formReplay; !h.replay {
		return
	}
	h.judgeObject(h.file, n, formReplay)
	h.foreign(n)
	h.part = history.SaysPart(scalars(n))
	for _, q := range h.queries {
		if q.Get("correlation_id").Str() != n.Get("correlation_id").Str() {
			continue
		}
		h.part = h.part || !q.Get("limit").Absent() || !q.Get("since_sequence").Absent()
		if wanted := q.Get("include_payloads"); wanted.Is(document.Boolean) {
			h.noPayloads, h.payloads = h.noPayloads || wanted.Text == "false", h.payloads || wanted.Text == "true"
		}
	}
	if n.Get("events").Is(document.Array) {
		h.judge(ofReplay, h.file, n, facts{"event_count": n.Get("event_count").Value(), "events": h.events,
			"is_part": h.part})
	}
}

// scalars returns the members of an object that are neither lists nor objects.
func scalars(n *document.Node) map[string]any {
	members := map[string]any{}
	for _, m := range n.Members {
		if !m.Value.Is(document.Array) && !m.Value.Is(document.Object) {
			members[m.Name] = m.Value.Value()
		}
	}
	return members
}

// complete reports whether no event of an invocation can precede the beginning of the log. The result of a replay
// states this. A log is complete if it begins with the first numbers of its counter.
func (h *eventLog) complete(d *doubt) bool {
	if h.part || h.replay {
		return !h.part
	}
	const lowest = 1 // counters start at 0 or at 1
	c := h.hosts[d.host]
	return c != nil && c.first <= lowest && !c.falls || d.numbered && d.sequence <= lowest
}

// end concludes the first pass.
func (h *eventLog) end() {
	h.settlePayloads()
	h.invocations.settle(h.complete)
	h.invocations.settleSkips(func(host string) bool { return h.hosts[host] != nil && !h.hosts[host].falls })
	if h.ids.discarded {
		h.judge(ofEvent, h.file, nil, facts{"id_seen_at": open(
			"%s contains so many events that only the last %d or more could be compared with each other", h.file,
			rememberedAtLeast)})
	}
	if h.invocations.overflowed {
		gap := limit("in %s more than %d invocations are open at one time", h.file, maxOpen)
		h.judge(ofEnding, h.file, nil, facts{"type": gap, "lacks_start": gap, "repeats_end": gap, "follows_start": gap})
	}
	if h.invocations.ended.discarded {
		h.judge(ofEnding, h.file, nil, facts{"repeats_end": open(
			"%s contains so many invocations that only the last of them could be compared with each other", h.file)})
	}
}

// needsSecondPass reports whether the events must be read a second time.
func (h *eventLog) needsSecondPass() bool {
	for _, c := range h.hosts {
		if c.falls {
			return true
		}
	}
	return len(h.repeated) > 0 || h.resultsInside
}
