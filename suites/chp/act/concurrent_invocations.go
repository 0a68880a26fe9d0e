package act

import (
	"context"
	"fmt"
	"maps"
	"sync"

	"github.com/capconform/capconform/suites/chp/history"
)

// The numbers of concurrent invocations: enough to show a host that stores their data in one
// place, and to exceed a page of 50 events.
const (
	callersAtOnce = 7
	sharersAtOnce = 24
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

// atOnce makes concurrent invocations, each with its own correlation. It replays them one after
// another, since a replay may be long.
func (c concurrent) atOnce(ctx context.Context) error {
	return c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		var envelopes []envelope
		for range callersAtOnce {
			envelopes = append(envelopes, v.under(caller()))
		}
		all := c.together(ctx, envelopes)
		for _, a := range all {
			c.replayEvidence(ctx, a)
		}
		return all
	})
}

// shared makes invocations of two capabilities, and one of a capability that does not exist,
// under one correlation, most of them concurrently. At the end, it makes one replay. If a capability is
// known to return its input, it is the second one, and each concurrent invocation has its own value.
func (c concurrent) shared(ctx context.Context) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	return c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		correlation := caller()
		v, second := v.under(correlation), c.echoOr(otherThan(v, candidates)).under(correlation)
		all := []*history.Attempt{c.invoke(ctx, v)}
		all = append(all, c.invoke(ctx, envelope{capability: unknownID(), mode: Sync, payload: history.Object{},
			correlation: correlation}.
			with(history.AboutEnding, history.Unknown)))
		all = append(all, c.invoke(ctx, second))
		var envelopes []envelope
		for i := range sharersAtOnce / 2 {
			envelopes = append(envelopes, v, withOwnValue(second, i))
		}
		all = append(all, c.together(ctx, envelopes)...)
		c.sharedReplay(ctx, correlation, all)
		return all
	})
}

// echoOr returns an envelope for the capability that is known to return its input if it succeeded, and
// otherwise another one.
func (c concurrent) echoOr(other envelope) envelope {
	for _, a := range c.History.Of(history.InRole) {
		if v := c.envelopeOf(a); a.Role() == Echo && a.Outcome() == history.Success && v.of != nil {
			return v
		}
	}
	return other
}

// withOwnValue returns an envelope for the role echo with a value that no other one has.
func withOwnValue(v envelope, number int) envelope {
	payload, _ := v.payload.(history.Object)
	if _, text := payload["value"].(string); v.about[history.AboutRole] != Echo || !text {
		return v
	}
	v.payload = maps.Clone(payload)
	v.payload.(history.Object)["value"] = fmt.Sprintf("%s %d", mark(), number)
	return v
}

// otherThan returns an envelope for another capability, or the same one if there is no other.
func otherThan(v envelope, candidates []envelope) envelope {
	for _, other := range candidates {
		if other.capability != v.capability {
			return other
		}
	}
	return v
}
