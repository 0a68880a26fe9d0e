package chpsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/capconform/capconform/suites"
)

var querySentences = []sentence{
	say(`its evidence is asked for by several members of a query at once`, func(w *world) any { return w.combineQuery }),
	say(`the same evidence is replayed ten times`, func(w *world) any { return w.replayTenTimes }),
	say(`each limit bounds its replay`, func(w *world) any { return w.limitsBound }),
	say(`each replay since a sequence begins there`, func(w *world) any { return w.sincesBegin }),
	say(`each replay has the payloads that it is asked for`, func(w *world) any { return w.payloadsAsAsked }),
	say(`each of the ten shows it`, func(w *world) any { return w.tenShow }),
	say(`each of the ten shows it unchanged`, func(w *world) any { return w.tenUnchanged }),
}

// combinations of the members of a query: each pair of them at least once.
func combinations(at json.Number) []object {
	return []object{
		{"limit": few, "since_sequence": at},
		{"limit": few, "include_payloads": false},
		{"limit": few, "include_payloads": true},
		{"since_sequence": at, "include_payloads": false},
		{"since_sequence": at, "include_payloads": true},
		{"limit": few, "since_sequence": at, "include_payloads": false},
		{"limit": few, "since_sequence": at, "include_payloads": true},
	}
}

// combined replays a shared correlation by such queries.
func (e *examination) combined(ctx context.Context, sc *suites.Scenario) []replay {
	return e.done.combined.Get(ctx, func() ([]replay, bool) {
		shared, err := e.sharing(ctx, sc)
		if err != nil || len(shared) == 0 || len(shared[0].replayed.events) < 2 {
			return nil, ctx.Err() == nil
		}
		at, ok := wholeNumber(shared[0].replayed.events[1].sequence)
		if !ok {
			return nil, ctx.Err() == nil
		}
		var all []replay
		for _, query := range combinations(json.Number(at.String())) {
			query["correlation_id"] = shared[0].supplied
			all = append(all, e.replay(ctx, sc, query))
		}
		return all, ctx.Err() == nil
	})
}

// replaysOften is how often the same evidence is asked for.
const replaysOften = 10

// often is one invocation and ten replays of it, with nothing between them.
func (e *examination) often(ctx context.Context, sc *suites.Scenario) (looks, error) {
	var err error
	some := e.done.often.Get(ctx, func() (looks, bool) {
		var all []*attempt
		all, err = e.aroundOne(ctx, sc, func(v envelope) []envelope {
			v.correlation = caller()
			return []envelope{v}
		})
		if err != nil {
			return looks{}, false
		}
		l := looks{of: all[0]}
		// A host may replay from several stores, one of which is a little behind.
		select {
		case <-ctx.Done():
		case <-time.After(settlePoll):
		}
		for range replaysOften - 1 {
			l.replays = append(l.replays, e.replay(ctx, sc, object{"correlation_id": all[0].supplied}))
		}
		return l, ctx.Err() == nil
	})
	return some, err
}

// looks are further replays of one attempt.
type looks struct {
	of      *attempt
	replays []replay
}

// asAttempts gives an attempt for each further replay, so that what is demanded of every event is
// judged there as well.
func (l looks) asAttempts() []*attempt {
	var all []*attempt
	for _, r := range l.replays {
		a := *l.of
		a.before, a.replayed, a.sharer, a.crowded, a.uncommon = nil, r, false, true, true
		all = append(all, &a)
	}
	return all
}

// further are the replays that were made beside the one of each attempt.
func (e *examination) further(ctx context.Context, sc *suites.Scenario) []*attempt {
	var all []*attempt
	if l, err := e.often(ctx, sc); err == nil && l.of != nil {
		all = append(append(all, l.of), l.asAttempts()...)
	}
	if shared, err := e.sharing(ctx, sc); err == nil && len(shared) > 0 {
		all = append(all, looks{shared[0], e.combined(ctx, sc)}.asAttempts()...)
	}
	return all
}

func (w *world) combineQuery(ctx context.Context) error {
	w.replays = append(w.replays, w.combined(ctx, w.sc)...)
	if len(w.replays) < 2 {
		return suites.Undecided("the shared correlation has no two events with a sequence: see CHP-8-08 and CHP-6-09")
	}
	return nil
}

// eachCombined judges the replays that were answered. One that is refused is for CHP-10-05 to judge
// where it asks about payloads, and for CHP-10-04 otherwise.
func (w *world) eachCombined(judge func(r replay) error) error {
	judged := 0
	for _, r := range w.replays[1:] {
		if !r.arrived() || r.broken != nil {
			continue
		}
		judged++
		if err := judge(r); err != nil {
			w.sc.Cite(w.replays[0].answer, w.replays[0].err)
			w.sc.Cite(r.answer, r.err)
			return err
		}
	}
	if judged == 0 {
		return suites.Undecided("no query with several members was answered: see CHP-10-04 and CHP-10-05")
	}
	return nil
}

// inWords gives the members of a query that shape the replay.
func inWords(query object) string {
	rest := maps.Clone(query)
	delete(rest, "correlation_id")
	return suites.Print(sortedNames(rest))
}

func (w *world) limitsBound() error {
	return w.eachCombined(func(r replay) error {
		limit, limited := r.query["limit"].(int)
		switch {
		case limited && r.page > limit:
			return suites.Violated("a limit does not bound the events of a replay with "+inWords(r.query), fmt.Sprintf("at most %d", limit), fmt.Sprint(r.page))
		case limited && r.page == 0 && r.query["since_sequence"] == nil:
			return suites.Violated("a limit leaves no event at all in a replay with "+inWords(r.query), "an event, since there are some", "none")
		}
		return nil
	})
}

func (w *world) sincesBegin() error {
	return w.eachCombined(func(r replay) error {
		since, given := r.query["since_sequence"]
		at, ok := wholeNumber(since)
		if !given || !ok {
			return nil
		}
		if err := earlier(r, at); err != nil {
			return err
		}
		if r.query["limit"] != nil || r.result["truncated"] == true {
			return nil
		}
		return lacksBehind(r, w.replays[0].events, at)
	})
}

// lacksBehind finds an event behind a place that a replay without a limit leaves out.
func lacksBehind(r replay, whole []event, at *big.Int) error {
	came := idsOf(r.events)
	for _, ev := range whole {
		if n, ok := wholeNumber(ev.sequence); ok && n.Cmp(at) > 0 && !came[ev.id] {
			return suites.Violated("a replay since a sequence lacks an event behind it", "the event with sequence "+n.String(), kindsOf(r.events))
		}
	}
	return nil
}

// payloadsAsAsked is CHP-10-05 beside other members of the query.
func (w *world) payloadsAsAsked(ctx context.Context) error {
	full := w.withPayloads(ctx, w.sc, w.correlation())
	payloads := map[string]object{}
	for _, ev := range full.events {
		payloads[ev.id], _ = ev.members()["payload"].(object)
	}
	return w.eachCombined(func(r replay) error {
		wanted, said := r.query["include_payloads"].(bool)
		for _, ev := range r.events {
			has, _ := ev.members()["payload"].(object)
			switch {
			case !said:
			case wanted && len(payloads[ev.id]) > 0 && len(has) == 0:
				return suites.Violated("a replay that is to include payloads has none, with "+inWords(r.query), "the payload of the event "+ev.kind, suites.Print(has))
			case !wanted && leaks(payloads[ev.id], has):
				return suites.Violated("a replay without payloads holds one, with "+inWords(r.query), "no payload in the event "+ev.kind, suites.Print(has))
			}
		}
		return nil
	})
}

// leaks tells whether what is left of a payload holds a member of it.
func leaks(payload, left object) bool {
	return slices.ContainsFunc(sortedNames(payload), func(name string) bool {
		return left[name] != nil && suites.EqualJSON(left[name], payload[name])
	})
}

func (w *world) replayTenTimes(ctx context.Context) error {
	l, err := w.often(ctx, w.sc)
	if err != nil {
		return err
	}
	w.attempts = []*attempt{l.of}
	w.replays = append([]replay{l.of.replayed}, l.replays...)
	if err := lost(w.attempts); err != nil {
		return err
	}
	if len(l.of.events()) == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01")
	}
	return nil
}

func (w *world) tenShow() error {
	for _, r := range w.replays[1:] {
		shows := slices.ContainsFunc(r.events, w.attempts[0].owns)
		if r.err == nil && !shows {
			return w.violated(r.answer, nil, "a replay that is asked for again leaves its invocation out", "the events of "+w.attempts[0].id, suites.Received(r.answer, nil))
		}
	}
	return nil
}

func (w *world) tenUnchanged() error {
	for _, r := range w.replays[1:] {
		if !slices.ContainsFunc(r.events, w.attempts[0].owns) {
			continue // CHP-10-01's
		}
		if err := w.unchanged(w.replays[0], r); err != nil {
			return err
		}
	}
	return nil
}
