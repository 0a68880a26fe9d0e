package act

import (
	"context"
	"time"

	"github.com/capconform/capconform/suites/chp/history"
)

// The times of late evidence. A host may store evidence in batches. lateAfter is the age at which late
// evidence is requested again. If it has arrived by then, maxLate bounds the wait for the rest.
const (
	lateAfter = 2100 * time.Millisecond
	maxLate   = 5 * time.Second
	latePoll  = 100 * time.Millisecond
)

// awaitLate replays the attempts whose evidence was late, if the evidence of the oldest attempt
// without any event has arrived since.
func (c bench) awaitLate(ctx context.Context) {
	lacking, oldest := c.lateAttempts()
	if oldest == nil || c.lateSince.IsZero() {
		return
	}
	if !c.arrivesLate {
		pause(ctx, lateAfter-time.Since(c.lateSince))
		if !showsEventsOf([]*history.Attempt{oldest})(c.replay(ctx, by(oldest.CorrelationID(), nil))) {
			return
		}
		c.arrivesLate = true
	}
	end := time.Now().Add(min(maxLate, c.Subject.Deadlines.Call))
	for _, a := range lacking {
		enough := showsEventsOf([]*history.Attempt{a})
		for !c.History.Complete(a) && !enough(c.replay(ctx, by(a.CorrelationID(), nil))) && time.Now().Before(end) &&
			ctx.Err() == nil {
			pause(ctx, latePoll)
		}
	}
}

// lateAttempts returns the attempts for which no replay showed all events that the outcome requires, and
// the first attempt for which no replay showed any event.
func (c bench) lateAttempts() (all []*history.Attempt, oldest *history.Attempt) {
	for _, a := range c.History.Attempts() {
		e := c.History.Evidence(a)
		if !a.Processed() || e.LastReplay == nil || !e.LastReplay.Readable() || c.History.Complete(a) {
			continue
		}
		if oldest == nil && len(e.PossiblyOwn) == 0 {
			oldest = a
		}
		all = append(all, a)
	}
	return all, oldest
}

// pause waits for the given time, or until the run ends.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
