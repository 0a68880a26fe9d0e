package history

import (
	"slices"
	"sort"

	"github.com/capconform/capconform/suites/record"
)

// Thread contains the invocations and replays of one correlation id.
type Thread struct {
	Correlation string
	Attempts    []*Attempt // in the order in which they were begun
	Replays     []*Replay  // without further pages
}

// index groups attempts and replays by correlation id.
type index struct {
	threads map[string]*Thread
	order   []string
	byID    map[string]*Attempt
	began   []record.Tick // of all invocations, in increasing order
	seen    map[*Attempt]*Evidence
}

func (h *History) indexed() *index {
	h.Lock()
	defer h.Unlock()
	if h.index != nil {
		return h.index
	}
	ix := &index{threads: map[string]*Thread{}, byID: map[string]*Attempt{}, seen: map[*Attempt]*Evidence{}}
	for _, a := range h.attempts {
		ix.began = append(ix.began, a.Entry)
		if a.superseded {
			continue
		}
		ix.byID[a.ID] = a
		if own := a.HostInvocationID(); own != "" && ix.byID[own] == nil {
			ix.byID[own] = a
		}
		if a.CorrelationID() != "" {
			t := ix.thread(a.CorrelationID())
			t.Attempts = append(t.Attempts, a)
		}
	}
	slices.Sort(ix.began)
	for _, r := range h.replays {
		if r.Correlation() != "" && r.first == nil && !r.superseded {
			t := ix.thread(r.Correlation())
			t.Replays = append(t.Replays, r)
		}
	}
	for _, t := range ix.threads {
		slices.SortFunc(t.Attempts, func(a, b *Attempt) int { return int(a.Entry - b.Entry) })
		slices.SortFunc(t.Replays, func(a, b *Replay) int { return int(a.Entry - b.Entry) })
	}
	h.index = ix
	return ix
}

func (ix *index) thread(correlation string) *Thread {
	t := ix.threads[correlation]
	if t == nil {
		t = &Thread{Correlation: correlation}
		ix.threads[correlation] = t
		ix.order = append(ix.order, correlation)
	}
	return t
}

// Threads returns the threads of all correlation ids, in the order of their first use.
func (h *History) Threads() []*Thread {
	ix := h.indexed()
	var all []*Thread
	for _, id := range ix.order {
		all = append(all, h.noteThread(ix.threads[id]))
	}
	return all
}

// noteThread records that a judgement reads all of a thread.
func (h *History) noteThread(t *Thread) *Thread {
	for _, a := range t.Attempts {
		h.NoteObject(a)
	}
	for _, r := range t.Replays {
		h.NoteObject(r)
		for _, page := range r.Pages {
			h.NoteObject(page)
		}
	}
	return t
}

// Thread returns what belongs to a correlation id. It is never nil.
func (h *History) Thread(correlation string) *Thread {
	if t := h.indexed().threads[correlation]; t != nil {
		return h.noteThread(t)
	}
	return &Thread{Correlation: correlation}
}

// Sent returns the attempt with an invocation id, which may be an id that the host made. It returns nil if
// there is none.
func (h *History) Sent(invocation string) *Attempt {
	a := h.indexed().byID[invocation]
	if a != nil {
		h.NoteObject(a)
	}
	return a
}

// closeInvocations is the number of invocations that may begin between a call and a replay that proves that something
// is absent: a host need not keep its evidence for longer.
const closeInvocations = 30

// FollowsClosely reports whether a call followed another one with at most closely invocations in between.
func (h *History) FollowsClosely(done, begun record.Tick) bool {
	began := h.indexed().began
	from := sort.Search(len(began), func(i int) bool { return began[i] > done })
	to := sort.Search(len(began), func(i int) bool { return began[i] >= begun })
	return begun > done && to-from <= closeInvocations
}

// Evidence contains what the replays of a run show of one attempt.
type Evidence struct {
	Events      []*Event // its own, as first shown, in the order of the replays
	Shown       []*Event // its own, in every text in which they were shown
	PossiblyOwn []*Event // its own, and those that may belong to it
	LastReplay  *Replay  // the last plain replay that followed closely, nil if there is none
	Whole       bool     // LastReplay shows all events of the attempt
}

// Evidence returns the events that were shown of an attempt. Any replay of its correlation proves presence;
// only Look proves absence.
func (h *History) Evidence(a *Attempt) *Evidence {
	if a.CorrelationID() != "" {
		h.Thread(a.CorrelationID()) // the judgement reads all of it
	}
	return h.evidence(a)
}

// ReplayAfter returns the call that requested the evidence of an attempt, or nil. Use it only to
// see whether an answer arrived.
func (h *History) ReplayAfter(a *Attempt) *Call {
	if last := h.evidence(a).LastReplay; last != nil {
		return &last.Call
	}
	return nil
}

func (h *History) evidence(a *Attempt) *Evidence {
	ix := h.indexed()
	h.Lock()
	known := ix.seen[a]
	h.Unlock()
	if known != nil {
		return known
	}
	e := &Evidence{}
	thread := ix.threads[a.CorrelationID()]
	if a.CorrelationID() == "" || thread == nil {
		thread = &Thread{}
	}
	seen := &shownBefore{ids: map[string]bool{}, places: map[place]*Replay{}}
	for _, r := range thread.Replays {
		if r.Entry < a.Done {
			continue
		}
		e.addReplay(a, r, len(thread.Attempts) > 1, seen)
		if r.Plain() && h.FollowsClosely(a.Done, r.Entry) && (e.LastReplay == nil || r.Arrived() || !e.LastReplay.Arrived()) {
			e.LastReplay = r
		}
	}
	if e.LastReplay != nil {
		e.Whole = len(thread.Attempts) <= fewAttempts || thread.isComplete(e.LastReplay, a)
	}
	h.Lock()
	ix.seen[a] = e
	h.Unlock()
	return e
}

// fewAttempts is a number of attempts whose events no host omits silently from a replay.
const fewAttempts = 5

// shownBefore contains the events of an attempt that earlier replays showed.
type shownBefore struct {
	ids    map[string]bool
	places map[place]*Replay // the first replay that showed an event at that place
}

type place struct{ kind, sequence, invocation, id string }

// knows reports whether a replay shows an event again: under the same id or, without a known id,
// at the place at which another replay showed it.
func (s *shownBefore) knows(ev *Event, in *Replay) bool {
	if ev.ID != "" && s.ids[ev.ID] {
		return true
	}
	first := s.places[ev.place()]
	return first != nil && (first != in || ev.ID == "")
}

func (s *shownBefore) add(ev *Event, in *Replay) {
	s.ids[ev.ID] = true
	if at := ev.place(); s.places[at] == nil {
		s.places[at] = in
	}
}

// place identifies an event within a store, whatever its id. An event without a type or a sequence is
// identified by its id only.
func (ev *Event) place() place {
	if ev.Kind == "" || ev.Sequence == "" {
		return place{id: ev.ID}
	}
	return place{kind: ev.Kind, sequence: string(ev.Sequence), invocation: ev.Invocation}
}

// ShowsAt reports whether a replay contains an event under its id or at its place.
func (r *Replay) ShowsAt(ev *Event) bool {
	return slices.ContainsFunc(r.Whole(), func(other *Event) bool {
		return other.ID == ev.ID ||
			other.place() == ev.place()
	})
}

func (e *Evidence) addReplay(a *Attempt, r *Replay, shared bool, seen *shownBefore) {
	for _, ev := range r.Whole() {
		owned := a.Owns(ev)
		if owned && ev.Known() && !slices.Contains(e.Shown, ev) {
			e.Shown = append(e.Shown, ev)
		}
		foreign := ev.Invocation != "" && ev.Correlation != "" && ev.Correlation != a.CorrelationID()
		if seen.knows(ev, r) || !owned && (foreign || shared) {
			continue
		}
		seen.add(ev, r)
		if ev.Known() {
			e.PossiblyOwn = append(e.PossiblyOwn, ev)
		}
		if owned {
			e.Events = append(e.Events, ev)
		}
	}
}

// isComplete reports whether a replay that shows an attempt shows all of it: it shows every attempt and
// what the replays before it showed, and a replay since the last event of one of them showed nothing
// more.
func (t *Thread) isComplete(replay *Replay, a *Attempt) bool {
	omits := func(b *Attempt) bool { return b.Processed() && b.Done < replay.Entry && !replay.Shows(b) }
	if !replay.Shows(a) || slices.ContainsFunc(t.Attempts, omits) {
		return false
	}
	shown := map[string]bool{}
	for _, ev := range replay.Whole() {
		shown[ev.ID] = true
	}
	lacking := func(ev *Event) bool { return !shown[ev.ID] }
	for i, r := range t.Replays {
		if r.About[AboutStep] != StepRest || r.Entry < a.Done || !r.Readable() || slices.ContainsFunc(r.Events, lacking) {
			continue
		}
		before := t.Replays[:i]
		return !slices.ContainsFunc(before,
			func(b *Replay) bool { return b.Plain() && slices.ContainsFunc(b.Whole(), lacking) })
	}
	return false
}

// IsComplete reports whether a replay shows the whole sequence of events of an attempt. It returns false if the
// replay may be cut, or if no event belongs to the attempt: other requirements judge that.
func (e *Evidence) IsComplete() bool {
	return e.LastReplay != nil && e.LastReplay.Arrived() && e.LastReplay.Broken == nil && len(e.Events) > 0 && e.Whole
}

// Has reports whether an event of this type was shown.
func (e *Evidence) Has(kind string) bool { return e.Count(kind) > 0 }

// Count returns the number of events of a type that were shown.
func (e *Evidence) Count(kind string) int {
	n := 0
	for _, ev := range e.Events {
		if ev.Kind == kind {
			n++
		}
	}
	return n
}

// InOrder returns the events in the order of their sequences if all of these are numbers, otherwise in the
// order of the replay.
func (e *Evidence) InOrder() []*Event {
	for _, ev := range e.Events {
		if _, ok := WholeNumber(ev.Sequence); !ok {
			return e.Events
		}
	}
	events := slices.Clone(e.Events)
	slices.SortStableFunc(events, func(x, y *Event) int {
		nx, _ := WholeNumber(x.Sequence)
		ny, _ := WholeNumber(y.Sequence)
		return nx.Cmp(ny)
	})
	return events
}

// Complete reports whether the events were shown that the outcome requires.
func (h *History) Complete(a *Attempt) bool { return a.complete(h.Evidence(a).Events) }
