package chpsuite

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

// How many invocations keep each other company: enough for a host that keeps in one
// place what belongs to each, and for more events than a small page holds.
const (
	callersAtOnce = 8
	sharersAtOnce = 18
)

// atOnce sends envelopes at the same time.
func (e *examination) atOnce(ctx context.Context, sc *suites.Scenario, envelopes []envelope) []*attempt {
	all := make([]*attempt, len(envelopes))
	var wg sync.WaitGroup
	for i, v := range envelopes {
		wg.Go(func() { all[i] = e.invoke(ctx, sc, v) })
	}
	wg.Wait()
	return all
}

// withOthers are invocations at the same time, each with a correlation of its own. A
// replay may be long, so that each waits for the one before it.
func (e *examination) withOthers(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.keptOnce(ctx, &e.done.together, func() ([]*attempt, error) {
		return e.withOne(ctx, sc, func(v envelope) []*attempt {
			var envelopes []envelope
			for range callersAtOnce {
				v.kind, v.correlation, v.uncommon = "an invocation beside others", caller(), true
				envelopes = append(envelopes, v)
			}
			all := e.atOnce(ctx, sc, envelopes)
			for _, a := range all {
				e.withEvidence(ctx, sc, a)
			}
			return all
		})
	})
}

// usedAgain are two invocations under one correlation, the second after the first was
// replayed.
func (e *examination) usedAgain(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.keptOnce(ctx, &e.done.used, func() ([]*attempt, error) {
		all, err := e.aroundOne(ctx, sc, func(v envelope) []envelope {
			v.kind, v.correlation, v.uncommon = "an invocation under a correlation id that was used before", caller(), true
			return []envelope{v, v}
		})
		if err == nil {
			all[0].shown = len(all[0].events()) > 0
		}
		return all, err
	})
}

// sharing are invocations of two capabilities, and one of a capability that nobody has, under one
// correlation, most of them at the same time. Each has the replay that was made in the end.
func (e *examination) sharing(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.keptOnce(ctx, &e.done.sharing, func() ([]*attempt, error) {
		candidates, err := e.succeeded(ctx, sc)
		if err != nil {
			return nil, err
		}
		return e.withOne(ctx, sc, func(v envelope) []*attempt {
			correlation := caller()
			share := func(v envelope) envelope {
				v.kind, v.correlation, v.uncommon = "an invocation under a shared correlation", correlation, true
				return v
			}
			second := share(otherThan(v, candidates))
			v = share(v)
			all := []*attempt{e.invoke(ctx, sc, v)}
			for _, u := range e.unknownOnes(ctx, sc)[:1] {
				u := share(u.envelope)
				u.id = ""
				all = append(all, e.invoke(ctx, sc, u))
			}
			all = append(all, e.invoke(ctx, sc, second))
			var envelopes []envelope
			for range sharersAtOnce / 2 {
				envelopes = append(envelopes, v, second)
			}
			return e.sharedReplay(ctx, sc, append(all, e.atOnce(ctx, sc, envelopes)...))
		})
	})
}

// otherThan gives an envelope for another capability, the same where there is none.
func otherThan(v envelope, candidates []envelope) envelope {
	for _, other := range candidates {
		if other.capability != v.capability {
			return other
		}
	}
	return v
}

// sharedReplay gives attempts of one correlation one replay. Where nothing lies behind it, it is whole.
func (e *examination) sharedReplay(ctx context.Context, sc *suites.Scenario, all []*attempt) []*attempt {
	all = withRepeated(all)
	whole := e.replayUntil(ctx, sc, object{"correlation_id": all[0].supplied}, func(r replay) bool {
		return !slices.ContainsFunc(all, func(a *attempt) bool { return !a.settledIn(r) })
	})
	if n := len(whole.events); n > 0 {
		rest := e.replay(ctx, sc, object{"correlation_id": all[0].supplied, "since_sequence": plainly(whole.events[n-1].sequence)})
		whole.whole = rest.arrived() && subset(rest.events, whole.events)
	}
	for i, a := range all {
		a.before, a.replayed, a.sharer, a.crowded = nil, whole, i > 0, true
	}
	return all
}

// keptOnce keeps attempts for the run, unless none could be made.
func (e *examination) keptOnce(ctx context.Context, memo *suites.Memo[[]*attempt], make func() ([]*attempt, error)) (all []*attempt, err error) {
	all = memo.Get(ctx, func() ([]*attempt, bool) {
		var made []*attempt
		made, err = make()
		return made, ctx.Err() == nil && err == nil
	})
	return all, err
}

// alike are correlation ids that a host may take for one: by their beginning, without
// regard to case, to blanks, to signs or to how a letter is composed, or as patterns.
func alike() []string {
	id, long := sender+uuid.NewString(), strings.Repeat("long-", 48)+uuid.NewString()
	return []string{
		id, id + "-2", id + "/2", id + " ", strings.ToUpper(id), long + "-a", long + "-b",
		id + "_2", id + "%", id + "*", id + "-\u00fc", id + "-u\u0308",
	}
}

// sideBySide are invocations under such ids. Each is replayed when all are over.
func (e *examination) sideBySide(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.keptOnce(ctx, &e.done.alike, func() ([]*attempt, error) {
		return e.withOne(ctx, sc, func(v envelope) []*attempt {
			var all []*attempt
			for _, id := range alike() {
				v.kind, v.correlation, v.uncommon, v.form = "an invocation under an id like another", object{"correlation_id": id}, true, "alike"
				all = append(all, e.invoke(ctx, sc, v))
			}
			for _, a := range all {
				e.withEvidence(ctx, sc, a)
			}
			return all
		})
	})
}

// stranger is the replay of an id that nobody used.
func (e *examination) stranger(ctx context.Context, sc *suites.Scenario) replay {
	return e.done.stranger.Get(ctx, func() (replay, bool) {
		r := e.replay(ctx, sc, object{"correlation_id": sender + uuid.NewString()})
		return r, ctx.Err() == nil
	})
}
