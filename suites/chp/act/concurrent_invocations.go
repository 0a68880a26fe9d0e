package act

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
)

// How many invocations run at once: enough for a host that stores the data of all of them in
// one place, and for more events than a small page holds.
const (
	callersAtOnce = 8
	sharersAtOnce = 18
)

// together sends envelopes at the same time.
func (c *Caller) together(ctx context.Context, l *suites.Laboratory, envelopes []envelope) []*history.Attempt {
	all := make([]*history.Attempt, len(envelopes))
	var wg sync.WaitGroup
	for i, v := range envelopes {
		wg.Go(func() { all[i] = c.invoke(ctx, l, v) })
	}
	wg.Wait()
	return all
}

// atOnce makes invocations at the same time, each with its correlation. A replay may
// be long, so that each waits for the one before it.
func (c *Caller) atOnce(ctx context.Context, l *suites.Laboratory) error {
	return c.withOne(ctx, l, func(v envelope) []*history.Attempt {
		var envelopes []envelope
		for range callersAtOnce {
			envelopes = append(envelopes, v.under(caller()))
		}
		all := c.together(ctx, l, envelopes)
		for _, a := range all {
			c.look(ctx, l, a)
		}
		return all
	})
}

// usedAgain makes two invocations under one correlation, the second after the first was
// replayed.
func (c *Caller) usedAgain(ctx context.Context, l *suites.Laboratory) error {
	return c.aroundOne(ctx, l, func(v envelope) []envelope {
		v = v.under(caller())
		return []envelope{v, v}
	})
}

// shared makes invocations of two capabilities, and one of a capability that nobody has, under
// one correlation, most of them at the same time. One replay is made in the end.
func (c *Caller) shared(ctx context.Context, l *suites.Laboratory) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	return c.withOne(ctx, l, func(v envelope) []*history.Attempt {
		correlation := caller()
		v, second := v.under(correlation), otherThan(v, candidates).under(correlation)
		all := []*history.Attempt{c.invoke(ctx, l, v)}
		all = append(all, c.invoke(ctx, l, envelope{capability: unknownID(), mode: Sync, payload: history.Object{},
			correlation: correlation}.
			with(history.AboutEnding, history.Unknown)))
		all = append(all, c.invoke(ctx, l, second))
		var envelopes []envelope
		for range sharersAtOnce / 2 {
			envelopes = append(envelopes, v, second)
		}
		all = append(all, c.together(ctx, l, envelopes)...)
		c.sharedReplay(ctx, l, all)
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
func (c *Caller) sharedReplay(ctx context.Context, l *suites.Laboratory, all []*history.Attempt) {
	var each []*history.Attempt
	for _, a := range all {
		each = append(append(each, a.Before...), a)
	}
	id := all[0].Supplied
	whole := c.replayUntil(ctx, l, by(id, nil), settled(each))
	if events := whole.Whole(); len(events) > 0 {
		c.replay(ctx, l,
			by(id, history.Object{"since_sequence": history.Plainly(events[len(events)-1].Sequence)}).in(history.StepRest))
	}
}

// similar are correlation ids that a host may take for one: by their beginning, without
// regard to case, to blanks, to signs or to how a letter is composed, or as patterns.
func similar() []string {
	id, long := fresh(), strings.Repeat("long-", 48)+uuid.NewString()
	return []string{
		id, id + "-2", id + "/2", id + " ", strings.ToUpper(id), long + "-a", long + "-b",
		id + "_2", id + "%", id + "*", id + "-\u00fc", id + "-u\u0308",
	}
}

// sideBySide makes invocations under such ids. Each is replayed when all are over.
func (c *Caller) sideBySide(ctx context.Context, l *suites.Laboratory) error {
	return c.withOne(ctx, l, func(v envelope) []*history.Attempt {
		var all []*history.Attempt
		for _, id := range similar() {
			all = append(all, c.invoke(ctx, l, v.under(history.Object{"correlation_id": id}).with(history.AboutForm, "alike")))
		}
		for _, a := range all {
			c.look(ctx, l, a)
		}
		return all
	})
}

// replaysOften is how often the same evidence is asked for.
const replaysOften = 10

// often makes one invocation and ten replays of it, with nothing between them.
func (c *Caller) often(ctx context.Context, l *suites.Laboratory) error {
	var last *history.Attempt
	err := c.withOne(ctx, l, func(v envelope) []*history.Attempt {
		last = c.try(ctx, l, v.under(caller()))
		return []*history.Attempt{last}
	})
	if err != nil || !last.Answered() {
		return err
	}
	// A host may replay from several stores, one of which is a little behind.
	select {
	case <-ctx.Done():
	case <-time.After(settlePoll):
	}
	for range replaysOften - 1 {
		q := by(last.Under(), nil)
		q.about = map[string]string{history.AboutAfter: history.AfterWait}
		c.replay(ctx, l, q)
	}
	return nil
}

// unusedID replays ids that nobody used: a fresh one, and two that are close to one that was used.
func (c *Caller) unusedID(ctx context.Context, l *suites.Laboratory) error {
	c.replay(ctx, l, by(fresh(), nil))
	if whole := c.sharedLook(); whole != nil {
		used := whole.Correlation()
		for _, id := range []string{used[:len(used)-1], strings.ToUpper(used)} {
			c.replay(ctx, l, by(id, nil))
		}
	}
	return nil
}
