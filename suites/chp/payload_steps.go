package chpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

// payloadKinds is how many types of events are looked at without their payloads.
const payloadKinds = 3

// payloadsLeftOut needs an event that has a payload when asked for with payloads. The
// host writes each type of event in a place of its own.
func (w *world) payloadsLeftOut(ctx context.Context) error {
	seen := map[string]bool{}
	for _, a := range append(w.inRole(ctx, w.sc, roleObserve), w.attempts...) {
		news := slices.ContainsFunc(a.replayed.events, func(ev event) bool { return hasPayload(ev) && !seen[ev.kind] })
		if !news || len(seen) >= payloadKinds {
			continue
		}
		for _, ev := range a.replayed.events {
			if hasPayload(ev) {
				seen[ev.kind] = true
			}
		}
		if err := w.bare(ctx, a, nil); err != nil {
			return err
		}
		if len(seen) > 1 {
			continue
		}
		if err := w.bare(ctx, a, object{"limit": len(a.replayed.events) + 1}); err != nil {
			return err
		}
		if err := w.full(ctx, a); err != nil {
			return err
		}
	}
	if len(seen) == 0 {
		return suites.Undecided("no event has a payload when it is replayed with payloads")
	}
	return nil
}

func hasPayload(ev event) bool {
	payload, _ := ev.members()["payload"].(object)
	return len(payload) > 0
}

// replayOf repeats the replay of an attempt with more in the query.
func (w *world) replayOf(ctx context.Context, a *attempt, query object) (replay, error) {
	query["correlation_id"] = a.supplied
	r := w.replayUntil(ctx, w.sc, query, func(r replay) bool { return subset(a.replayed.events, r.events) })
	w.sc.Cite(r.answer, r.err)
	return r, r.err
}

// bare looks for what the payloads held; a digest in the place of one is fine.
func (w *world) bare(ctx context.Context, a *attempt, more object) error {
	query := object{"include_payloads": false}
	for name, v := range more {
		query[name] = v
	}
	r, err := w.replayOf(ctx, a, query)
	if err != nil || more != nil && !r.arrived() {
		return err
	}
	for _, was := range a.replayed.events {
		i := slices.IndexFunc(r.events, func(ev event) bool { return ev.id == was.id })
		if i < 0 {
			if more != nil || !w.replay(ctx, w.sc, object{"correlation_id": a.supplied}).holds(was.id) {
				return nil // the limit's, or CHP-6-16's
			}
			return suites.Violated("a replay without payloads leaves events out", "the event "+was.kind+" without its payload", kindsOf(r.events))
		}
		payload, _ := was.members()["payload"].(object)
		left, _ := r.events[i].members()["payload"].(object)
		for name, v := range payload {
			if left[name] != nil && suites.EqualJSON(left[name], v) {
				return suites.Violated("a replay without payloads holds one", "no payload in the event "+was.kind, suites.Print(left))
			}
		}
	}
	return nil
}

// full asks for the payloads in so many words.
func (w *world) full(ctx context.Context, a *attempt) error {
	r, err := w.replayOf(ctx, a, object{"include_payloads": true})
	if err != nil {
		return err
	}
	for _, was := range a.replayed.events {
		i := slices.IndexFunc(r.events, func(ev event) bool { return ev.id == was.id })
		if i >= 0 && hasPayload(was) && !hasPayload(r.events[i]) {
			return suites.Violated("a replay that is to include payloads has none", "the payload of the event "+was.kind, suites.Print(r.events[i].members()["payload"]))
		}
	}
	return nil
}
