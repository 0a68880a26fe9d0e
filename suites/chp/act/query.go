package act

import (
	"context"
	"encoding/json"
	"math/big"
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/verdict"
)

// smallLimit is a limit below the number of events of the shared correlation.
const smallLimit = 3

// sequenceOffset is added to the last sequence of a correlation, so that no event follows.
const sequenceOffset = 1_000_000

// combinations returns queries in which each pair of members occurs at least once.
func combinations(at json.Number) []history.Object {
	return []history.Object{
		{"limit": smallLimit, "since_sequence": at},
		{"limit": smallLimit, "include_payloads": false},
		{"limit": smallLimit, "include_payloads": true},
		{"since_sequence": at, "include_payloads": false},
		{"since_sequence": at, "include_payloads": true},
		{"limit": smallLimit, "since_sequence": at, "include_payloads": false},
		{"limit": smallLimit, "since_sequence": at, "include_payloads": true},
	}
}

// queries replays with the optional members of a query.
type queries struct{ bench }

// queries replays a shared correlation with each member of a query, and with several at once.
func (c queries) queries(ctx context.Context) error {
	whole := c.lastSharedReplay()
	if whole == nil || len(whole.Whole()) < 2 {
		return verdict.Undecided("the shared correlation has fewer than two events, so no limit can omit any: see CHP-8-08")
	}
	id, events, page := whole.Correlation(), whole.Whole(), whole.Page
	ask := func(more history.Object) { c.replay(ctx, by(id, more)) }
	until := func(more history.Object, enough func(*history.Replay) bool) {
		c.replayUntil(ctx, by(id, more), func(r *history.Replay) bool { return !r.Arrived() || enough(r) })
	}
	for _, limit := range slices.Compact([]int{1, smallLimit, page, page + 10}) {
		until(history.Object{"limit": limit}, func(r *history.Replay) bool { return r.Page >= min(limit, page) })
	}
	ask(history.Object{}) // the host may have added to it
	at, ok := history.WholeNumber(events[len(events)/2].Sequence)
	before, numbered := history.WholeNumber(events[len(events)/2-1].Sequence) // the one before the middle
	first, known := history.WholeNumber(events[0].Sequence)
	if !ok || !numbered || !known {
		return verdict.Undecided("the sequence of an event is not a number: see CHP-6-09")
	}
	for _, since := range []*big.Int{at, before, shorter(first)} {
		behind := slices.DeleteFunc(slices.Clone(events), func(ev *history.Event) bool {
			n, ok := history.WholeNumber(ev.Sequence)
			return !ok || n.Cmp(since) <= 0
		})
		until(history.Object{"since_sequence": numeral(since)}, showsAllOf(behind))
	}
	ask(history.Object{"limit": 1, "since_sequence": numeral(first)}) // as a caller who reads in pages
	ask(history.Object{"limit": smallLimit, "since_sequence": numeral(at)})
	ask(history.Object{"limit": page + 10, "since_sequence": numeral(at)}) // which is above the number of events
	if last, ok := history.WholeNumber(events[len(events)-1].Sequence); ok {
		ask(history.Object{"since_sequence": numeral(last.Add(last, big.NewInt(sequenceOffset)))})
	}
	if second, ok := history.WholeNumber(events[1].Sequence); ok {
		for _, query := range combinations(numeral(second)) {
			ask(query)
		}
	}
	ask(history.Object{"include_payloads": true})
	return nil
}

func numeral(n *big.Int) json.Number { return json.Number(n.String()) }

// shorter returns the greatest number with fewer digits, or 0. Compared as strings, the two
// numbers have the opposite order.
func shorter(n *big.Int) *big.Int {
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(n.String())-1)), nil)
	return power.Sub(power, big.NewInt(1))
}

// payloadKinds is the number of event types that are replayed without their payloads.
// bareThreads is the number of correlations that are replayed although no plain replay shows a
// payload.
const (
	payloadKinds = 3
	bareThreads  = 6
)

// payloadsOf replays attempts without their payloads, for several types of events: a host may
// write each type in another place.
func (c queries) payloadsOf(ctx context.Context) error {
	c.awaitLate(ctx)
	seen, known, asked, varied := map[string]bool{}, map[string]bool{}, 0, false
	for _, a := range c.History.Attempts() {
		e := c.History.Evidence(a)
		if a.Supplied == "" || a.HasUncommonID() || len(e.Events) == 0 || len(seen) >= payloadKinds || e.LastReplay == nil {
			continue
		}
		full := c.lastPlain(a).Whole()
		unasked := slices.ContainsFunc(full, hasPayload)
		if !unasked {
			if len(seen) > 0 || asked >= bareThreads || !adds(known, full, func(*history.Event) bool { return true }) {
				continue
			}
			// a plain replay may contain none
			full = c.replay(ctx, by(a.Supplied, history.Object{"include_payloads": true})).Whole()
		}
		asked++
		news := adds(seen, full, hasPayload)
		if !news && unasked && asked > 1 {
			continue
		}
		without := history.Object{"include_payloads": false}
		if r := c.replayUntil(ctx, by(a.Supplied, without), showsAllOf(full)); r.Readable() && !r.Cut() &&
			!showsAllOf(full)(r) {
			c.replay(ctx, by(a.Supplied, nil)) // the host may have discarded the missing events
			c.replay(ctx, by(a.Supplied, without))
		}
		if varied || !news {
			continue
		}
		varied = true
		without["limit"] = len(full) + 1
		c.replay(ctx, by(a.Supplied, without))
		c.replayUntil(ctx, by(a.Supplied, history.Object{"include_payloads": true}), showsAllOf(full))
	}
	return nil
}

// lastPlain returns the last plain replay of the correlation of an attempt that was replayed.
func (c queries) lastPlain(a *history.Attempt) *history.Replay {
	last := c.History.Evidence(a).LastReplay
	for _, r := range c.History.Thread(a.CorrelationID()).Replays {
		if r.Plain() && r.Readable() && r.Entry > last.Entry {
			last = r
		}
	}
	return last
}

// adds adds the types of the events for which the predicate is true, and reports whether one is
// new.
func adds(known map[string]bool, events []*history.Event, which func(*history.Event) bool) bool {
	before := len(known)
	for _, ev := range events {
		if which(ev) {
			known[ev.Kind] = true
		}
	}
	return len(known) > before
}

func hasPayload(ev *history.Event) bool { return len(ev.Payload()) > 0 }
