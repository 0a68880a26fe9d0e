package chpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

// payloadKinds is how many types of events are looked at without their payloads.
const payloadKinds = 3

// payloadsLeftOut compares a replay without payloads with one that has them. The host
// writes each type of event in a place of its own.
func (w *world) payloadsLeftOut(ctx context.Context) error {
	seen, asked := map[string]bool{}, 0
	for _, a := range w.attempts {
		if a.supplied == "" || a.uncommon || a.sharer || len(a.events()) == 0 || len(seen) >= payloadKinds {
			continue
		}
		full := a.replayed.events
		if !slices.ContainsFunc(full, hasPayload) {
			if len(seen) > 0 || asked >= payloadKinds {
				continue
			}
			full = w.withPayloads(ctx, w.sc, a.supplied).events // a replay that did not ask may have none
		}
		news := slices.ContainsFunc(full, func(ev event) bool { return hasPayload(ev) && !seen[ev.kind] })
		if !news {
			if asked++; asked == 1 {
				if err := w.bare(ctx, a, full, nil); err != nil {
					return err
				}
			}
			continue
		}
		first := len(seen) == 0
		asked++
		for _, ev := range full {
			if hasPayload(ev) {
				seen[ev.kind] = true
			}
		}
		if err := w.bare(ctx, a, full, nil); err != nil {
			return err
		}
		if !first {
			continue
		}
		if err := w.bare(ctx, a, full, object{"limit": len(a.replayed.events) + 1}); err != nil {
			return err
		}
		if err := w.full(ctx, a); err != nil {
			return err
		}
	}
	if asked == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}

func hasPayload(ev event) bool {
	payload, _ := ev.members()["payload"].(object)
	return len(payload) > 0
}

// payloadFlaw looks at an event again in a replay that is asked to include payloads: what a replay
// holds that does not say whether it wants payloads is not printed.
func (w *world) payloadFlaw(ctx context.Context, a *attempt, ev event) (what, got string, wrong bool) {
	if w.askedInFull(a.under()) {
		return "", "", false
	}
	r := w.withPayloads(ctx, w.sc, a.under())
	i := slices.IndexFunc(r.events, func(other event) bool { return other.id == ev.id })
	if i < 0 {
		return "", "", false // CHP-10-05 judges how such a query is answered
	}
	return eventMembers[memberPayload].flaw(r.events[i].members(), memberPayload)
}

// fullAtMost bounds how many correlations are replayed with payloads because a replay that did not
// ask for them lacked one.
const fullAtMost = 16

// askedInFull tells whether enough was asked for.
func (e *examination) askedInFull(correlation string) bool {
	e.done.mu.Lock()
	defer e.done.mu.Unlock()
	_, known := e.done.full[correlation]
	return !known && len(e.done.full) >= fullAtMost
}

// withPayloads is a replay that is asked to include payloads, made once for a correlation.
func (e *examination) withPayloads(ctx context.Context, sc *suites.Scenario, correlation string) replay {
	e.done.mu.Lock()
	defer e.done.mu.Unlock()
	r, known := e.done.full[correlation]
	if known {
		return r
	}
	if e.done.full == nil {
		e.done.full = map[string]replay{}
	}
	r = e.replay(ctx, sc, object{"correlation_id": correlation, "include_payloads": true})
	e.done.full[correlation] = r
	return r
}

// replayOf repeats the replay of an attempt with more in the query.
func (w *world) replayOf(ctx context.Context, a *attempt, query object) (replay, error) {
	query["correlation_id"] = a.supplied
	r := w.replayUntil(ctx, w.sc, query, func(r replay) bool { return subset(a.replayed.events, r.events) })
	w.sc.Cite(r.answer, r.err)
	return r, r.err
}

// bare looks for what the payloads held; a digest in the place of one is fine.
func (w *world) bare(ctx context.Context, a *attempt, full []event, more object) error {
	query := object{"include_payloads": false}
	for name, v := range more {
		query[name] = v
	}
	r, err := w.replayOf(ctx, a, query)
	if err != nil || more != nil && !r.arrived() {
		return err
	}
	for _, was := range full {
		i := slices.IndexFunc(r.events, func(ev event) bool { return ev.id == was.id })
		if i < 0 {
			if more != nil || !w.replay(ctx, w.sc, object{"correlation_id": a.supplied}).holds(was.id) {
				return nil // the limit's, or CHP-6-16's
			}
			return suites.Violated("a replay without payloads leaves events out", "the event "+was.kind+" without its payload", kindsOf(r.events))
		}
		payload, _ := was.members()["payload"].(object)
		left, _ := r.events[i].members()["payload"].(object)
		if leaks(payload, left) {
			return suites.Violated("a replay without payloads holds one", "no payload in the event "+was.kind, suites.Print(left))
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
