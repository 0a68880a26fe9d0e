package act

import (
	"context"
	"sync"

	"github.com/capconform/capconform/suites/chp/history"
)

// How many invocations run at once: enough for a host that stores the data of all of them in
// one place, and for more events than a small page holds.
const (
	callersAtOnce = 8
	sharersAtOnce = 18
)

// concurrent invocations run at the same time.
type concurrent struct{ bench }

// together sends envelopes at the same time.
func (c concurrent) together(ctx context.Context, envelopes []envelope) []*history.Attempt {
	all := make([]*history.Attempt, len(envelopes))
	var wg sync.WaitGroup
	for i, v := range envelopes {
		wg.Go(func() { all[i] = c.invoke(ctx, v) })
	}
	wg.Wait()
	return all
}

// atOnce makes invocations at the same time, each with its correlation. A replay may
// be long, so that each waits for the one before it.
func (c concurrent) atOnce(ctx context.Context) error {
	return c.withOne(ctx, func(v envelope) []*history.Attempt {
		var envelopes []envelope
		for range callersAtOnce {
			envelopes = append(envelopes, v.under(caller()))
		}
		all := c.together(ctx, envelopes)
		for _, a := range all {
			c.look(ctx, a)
		}
		return all
	})
}

// shared makes invocations of two capabilities, and one of a capability that nobody has, under
// one correlation, most of them at the same time. One replay is made in the end.
func (c concurrent) shared(ctx context.Context) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	return c.withOne(ctx, func(v envelope) []*history.Attempt {
		correlation := caller()
		v, second := v.under(correlation), otherThan(v, candidates).under(correlation)
		all := []*history.Attempt{c.invoke(ctx, v)}
		all = append(all, c.invoke(ctx, envelope{capability: unknownID(), mode: Sync, payload: history.Object{},
			correlation: correlation}.
			with(history.AboutEnding, history.Unknown)))
		all = append(all, c.invoke(ctx, second))
		var envelopes []envelope
		for range sharersAtOnce / 2 {
			envelopes = append(envelopes, v, second)
		}
		all = append(all, c.together(ctx, envelopes)...)
		c.sharedReplay(ctx, all)
		return all
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

// sharedReplay replays attempts of one correlation, and asks what lies behind the last event.
func (c concurrent) sharedReplay(ctx context.Context, all []*history.Attempt) {
	var each []*history.Attempt
	for _, a := range all {
		each = append(append(each, a.Before...), a)
	}
	id := all[0].Supplied
	whole := c.replayUntil(ctx, by(id, nil), settled(each))
	if events := whole.Whole(); len(events) > 0 {
		c.replay(ctx,
			by(id, history.Object{"since_sequence": history.Plainly(events[len(events)-1].Sequence)}).in(history.StepRest))
	}
}
