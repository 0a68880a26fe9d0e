package chpsuite

import (
	"context"
	"strings"
	"sync"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
)

// How many invocations keep each other company: enough for a host that keeps in one
// place what belongs to each, and for more events than a small page holds.
const (
	callersAtOnce = 8
	sharersAtOnce = 10
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
				v.kind, v.correlation = "an invocation beside others", caller()
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
			v.kind, v.correlation = "an invocation under a correlation id that was used before", caller()
			return []envelope{v, v}
		})
		if err == nil {
			all[0].shown = len(all[0].events()) > 0
		}
		return all, err
	})
}

// sharing are invocations under one correlation, some of them at the same time. Each
// has the replay that was made in the end.
func (e *examination) sharing(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.keptOnce(ctx, &e.done.sharing, func() ([]*attempt, error) {
		return e.withOne(ctx, sc, func(v envelope) []*attempt {
			v.kind, v.correlation = "an invocation under a shared correlation", caller()
			all := []*attempt{e.invoke(ctx, sc, v), e.invoke(ctx, sc, v)}
			var envelopes []envelope
			for range sharersAtOnce {
				envelopes = append(envelopes, v)
			}
			all = append(all, e.atOnce(ctx, sc, envelopes)...)
			whole := e.replayUntil(ctx, sc, object{"correlation_id": all[0].supplied}, func(r replay) bool {
				for _, a := range all {
					if !a.settledIn(r) {
						return false
					}
				}
				return true
			})
			for _, a := range all {
				a.replayed = whole
			}
			return all
		})
	})
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
// regard to case, to blanks or to signs.
func alike() []string {
	id, long := sender+uuid.NewString(), strings.Repeat("long-", 48)+uuid.NewString()
	return []string{id, id + "-2", id + "/2", id + " ", strings.ToUpper(id), long + "-a", long + "-b"}
}

// sideBySide are invocations under such ids. Each is replayed when all are over.
func (e *examination) sideBySide(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.withOne(ctx, sc, func(v envelope) []*attempt {
		var all []*attempt
		for _, id := range alike() {
			v.kind, v.correlation = "an invocation under an id like another", object{"correlation_id": id}
			all = append(all, e.invoke(ctx, sc, v))
		}
		for _, a := range all {
			e.withEvidence(ctx, sc, a)
		}
		return all
	})
}

// stranger is the replay of an id that nobody used.
func (e *examination) stranger(ctx context.Context, sc *suites.Scenario) replay {
	return e.done.stranger.Get(ctx, func() (replay, bool) {
		r := e.replay(ctx, sc, object{"correlation_id": sender + uuid.NewString()})
		return r, ctx.Err() == nil
	})
}
