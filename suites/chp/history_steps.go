package chpsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
)

// replayLater asks twice for the same evidence, with other invocations between.
func (w *world) replayLater(ctx context.Context) error {
	all, err := w.aroundOne(ctx, w.sc, func(v envelope) []envelope {
		v.correlation = caller()
		return []envelope{v}
	})
	if err := w.take(ctx, all, err); err != nil {
		return err
	}
	a := w.attempts[0]
	again := a.envelope
	again.id, again.kind = "", "a later invocation of the same correlation"
	for range 3 {
		w.serves(ctx, w.sc, again)
	}
	w.invoke(ctx, w.sc, again)
	for _, a := range append([]*attempt{a}, w.oneOfEach(ctx)...) {
		later, err := w.replayOf(ctx, a, object{})
		if err != nil {
			return err
		}
		w.replays = append(w.replays, a.replayed, later)
	}
	return nil
}

// oneOfEach gives an attempt of each outcome beside success, and one with an event of
// a capability's own.
func (w *world) oneOfEach(ctx context.Context) []*attempt {
	var some []*attempt
	seen := map[string]bool{outcomeSuccess: true}
	for _, a := range w.everything(ctx, w.sc) {
		kind := a.outcome()
		if slices.ContainsFunc(a.events(), customEvents) {
			kind += " with more"
		}
		if a.supplied != "" && len(a.replayed.events) > 0 && !seen[kind] && !a.replayed.large {
			seen[kind] = true
			some = append(some, a)
		}
	}
	return some[:min(len(some), 5)]
}

// stored gives the members of an event that the text knows. What a host adds when it
// shows the event, its age for instance, is not stored.
func (ev event) stored() object {
	known, members := object{}, ev.members()
	for _, name := range append(sortedNames(eventMembers), "outcome", "error", "denial") {
		if members[name] != nil {
			known[name] = members[name]
		}
	}
	return known
}

func (w *world) historyUnchanged() error {
	for i := 0; i < len(w.replays); i += 2 {
		if err := w.unchanged(w.replays[i], w.replays[i+1]); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) unchanged(before, after replay) error {
	if len(before.events) == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	w.sc.Cite(before.answer, nil)
	for _, ev := range before.events {
		i := slices.IndexFunc(after.events, func(later event) bool { return later.id == ev.id })
		if i < 0 {
			return w.violated(after.answer, nil, "an event is gone from a later replay", "the event "+ev.id, fmt.Sprintf("%d events, none of that id", len(after.events)))
		}
		if ev.raw != nil && after.events[i].raw != nil && !suites.EqualJSON(after.events[i].stored(), ev.stored()) {
			return w.violated(after.answer, nil, "an event is another in a later replay", suites.Clip(string(ev.raw)), suites.Clip(string(after.events[i].raw)))
		}
	}
	return nil
}
