package act

import (
	"context"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/chp/history"
)

// replaysOften is the number of replays of the same evidence.
const replaysOften = 10

// repetitions replays the same evidence more than once.
type repetitions struct{ bench }

// often makes one invocation and ten replays of it, without other calls in between.
func (c repetitions) often(ctx context.Context) error {
	var last *history.Attempt
	err := c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		last = c.invokeAndReplay(ctx, v.under(caller()))
		return []*history.Attempt{last}
	})
	if err != nil || !last.Answered() {
		return err
	}
	// A host may replay from several stores, one of which lags.
	select {
	case <-ctx.Done():
	case <-time.After(settlePoll):
	}
	for range replaysOften - 1 {
		q := by(last.CorrelationID(), nil)
		q.about = map[string]string{history.AboutAfter: history.AfterWait}
		c.replay(ctx, q)
	}
	return nil
}

// late replays the attempts whose evidence was late.
func (c repetitions) late(ctx context.Context) error {
	c.awaitLate(ctx)
	return nil
}

// outcomesLater is the greatest number of attempts other than a success that are replayed again
// later.
const outcomesLater = 5

// later replays the same evidence twice, with other invocations in between.
func (c repetitions) later(ctx context.Context) error {
	var a *history.Attempt
	err := c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		a = c.invokeAndReplay(ctx, v.under(caller()).with(history.AboutStep, history.StepBefore))
		return []*history.Attempt{a}
	})
	if err != nil || !a.Answered() {
		return err
	}
	earlier := map[string]*history.Replay{}
	ids := []string{a.CorrelationID()}
	for _, other := range c.oneOfEach() {
		ids = append(ids, other.CorrelationID())
		earlier[other.CorrelationID()] = c.replay(ctx, by(other.CorrelationID(), nil).in(history.StepBefore))
	}
	if e := c.History.Evidence(a); e.LastReplay != nil {
		earlier[a.CorrelationID()] = e.LastReplay
	}
	again := c.envelopeOf(a)
	for range 2 {
		c.serves(ctx, again)
	}
	used := c.invoke(ctx, again.under(history.Object{"correlation_id": a.CorrelationID()}).with(history.AboutForm,
		history.FormUsed))
	c.longAfter(ctx, again)
	for _, id := range ids {
		before := earlier[id]
		if before == nil {
			continue
		}
		kept, done := showsAllOf(before.Whole()), showsEventsOf([]*history.Attempt{used})
		c.replayUntil(ctx, by(id, nil).in(history.StepAfter), func(r *history.Replay) bool {
			return kept(r) && (id != a.CorrelationID() || done(r))
		})
	}
	return nil
}

// longAfter invokes under the correlation of the first success of the run, and replays it: many events of
// other correlations lie between the two.
func (c repetitions) longAfter(ctx context.Context, v envelope) {
	first := c.successes()[0]
	c.invokeAndReplay(ctx, v.under(history.Object{"correlation_id": first.CorrelationID()}).with(history.AboutForm,
		history.FormUsed))
}

// oneOfEach returns an attempt of each outcome other than success, and one with an event that a
// capability itself emitted.
func (c repetitions) oneOfEach() []*history.Attempt {
	var some []*history.Attempt
	seen := map[string]bool{history.Success: true}
	for _, a := range c.History.Attempts() {
		e := c.History.Evidence(a)
		kind := a.Outcome()
		if slices.ContainsFunc(e.Events, func(ev *history.Event) bool { return !ev.JudgedAsCore() }) {
			kind += " with more"
		}
		if a.Supplied != "" && len(e.Events) > 0 && !seen[kind] && e.LastReplay != nil && !e.LastReplay.Large &&
			len(some) < outcomesLater {
			seen[kind] = true
			some = append(some, a)
		}
	}
	return some
}
