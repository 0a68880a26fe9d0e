package chpsuite

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/suites"
)

// shareCorrelation needs two invocations that succeed under one correlation.
func (w *world) shareCorrelation(ctx context.Context) error {
	all, err := w.sharing(ctx, w.sc)
	if err := w.take(ctx, all, err); err != nil {
		return err
	}
	if successes(w.attempts) < 2 {
		return suites.Undecided("an invocation that succeeded before does not do so under a shared correlation")
	}
	w.replays = []replay{w.attempts[0].replayed}
	return nil
}

func (w *world) correlation() string { return w.attempts[0].supplied }

func (w *world) useAlike(ctx context.Context) error {
	all, err := w.sideBySide(ctx, w.sc)
	return w.take(ctx, all, err)
}

// usuallyShown tells whether an invocation of the same capability, that had the same outcome, was
// found in a replay of a usual correlation id. If not, CHP-6-01 is about it.
func (w *world) usuallyShown(a *attempt) bool {
	return slices.ContainsFunc(w.usual, func(b *attempt) bool {
		return !b.uncommon && b.capability == a.capability && b.outcome() == a.outcome() && b.code() == a.code() && len(b.events()) > 0
	})
}

// eachIsFound is CHP-10-01 for correlation ids that are unusual.
func (w *world) eachIsFound() error {
	judged := 0
	for _, a := range w.attempts {
		kept := a.resultCorrelation() == "" || a.resultCorrelation() == a.supplied
		if !a.processed() || a.supplied == "" || !kept || a.replayed.err != nil || a.replayed.query == nil || a.replayed.broken != nil {
			continue
		}
		if a.outcome() != outcomeSuccess && !taken(w.attempts, a.form) || !w.usuallyShown(a) {
			continue
		}
		judged++
		if len(a.near()) == 0 {
			return w.blame(a, "a replay does not find the evidence of "+a.kind, "the events of the invocation in a replay of "+a.supplied, suites.Received(a.replayed.answer, a.replayed.err))
		}
	}
	if err := lost(w.attempts); err != nil {
		return err
	}
	if judged == 0 {
		return suites.Undecided("no invocation left evidence: see CHP-6-01")
	}
	return nil
}

// replayShowsAll is CHP-10-01: the id alone is a complete query.
func (w *world) replayShowsAll(ctx context.Context) error {
	r := w.replays[0]
	if !r.arrived() || r.broken != nil {
		return w.violated(r.answer, r.err, "a replay by correlation id gives no evidence", "a ReplayResult for "+w.correlation(), suites.Received(r.answer, r.err))
	}
	lacking := "" // a later invocation may be left out as a whole, which is worse
	for _, a := range w.attempts {
		if !a.processed() {
			continue
		}
		if got := a.resultCorrelation(); got != "" && got != w.correlation() && w.keptUsually(a) {
			return suites.Undecided("an invocation did not keep the correlation id that it shares: see CHP-7-05")
		}
		if a.outcome() != outcomeSuccess && !w.usuallyShown(a) {
			continue // CHP-6-01
		}
		seen := slices.ContainsFunc(r.events, a.owns)
		if !seen && (len(r.events) > 0 || a.shown) {
			return w.violated(r.answer, nil, "a replay leaves an invocation of its correlation out", "events of "+a.id, fmt.Sprintf("%d events of other invocations", len(r.events)))
		}
		for _, id := range texts(a.result["evidence_ids"]) {
			if seen && !a.shown && !r.holds(id) { // what was there and is gone is CHP-6-16's
				lacking = id
			}
		}
	}
	if len(r.events) == 0 {
		return suites.Undecided("no invocation left evidence: see CHP-6-01")
	}
	if lacking != "" {
		return w.cutOff(ctx, r, lacking)
	}
	return nil
}

// cutOff looks for an event that a replay lacks among those that come after it.
func (w *world) cutOff(ctx context.Context, r replay, id string) error {
	last := plainly(r.events[len(r.events)-1].sequence)
	rest := w.replayBy(ctx, w.sc, opReplay, object{"correlation_id": w.correlation(), "since_sequence": last})
	if !rest.holds(id) {
		return nil // CHP-6-02
	}
	again := w.replay(ctx, w.sc, r.query)
	if !again.arrived() || again.holds(id) {
		return suites.Undecided("evidence was late")
	}
	return w.violated(again.answer, nil, "a replay leaves out what a replay of what comes after it shows", "the event "+id+" as well", fmt.Sprintf("%d other events", len(again.events)))
}

func (w *world) ownEventsAlone(ctx context.Context) error {
	ours := map[string]*attempt{}
	for _, a := range w.attempts {
		ours[a.id] = a
	}
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			b := ours[ev.invocation]
			if a.owns(ev) || b != nil && (b.under() == a.under() || ev.correlation != b.under()) {
				continue // the host made one id of two: CHP-7-01 and CHP-7-05
			}
			if b != nil || ev.correlation != "" && ev.correlation != a.under() {
				return w.blame(a, "a replay holds an event of another correlation", "events of "+a.under()+" alone", suites.Clip(string(ev.raw)))
			}
		}
	}
	stranger := w.stranger(ctx, w.sc)
	if stranger.err == nil && len(stranger.events) > 0 {
		return w.violated(stranger.answer, nil, "a replay of an id that nobody used holds events", "no events, or an error", suites.Received(stranger.answer, nil))
	}
	if _, err := w.simplest(ctx, w.sc); err != nil || !slices.ContainsFunc(w.attempts, func(a *attempt) bool { return len(a.replayed.events) > 0 }) {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}
