package act

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// bench performs one stimulus: it invokes and replays, with capabilities that succeed.
type bench struct{ laboratory }

func newBench(c *Caller, l *suites.Laboratory) bench { return bench{laboratory{c, l}} }

// invokeAndReplay invokes, and then replays the evidence by the correlation id of the caller, or by the one
// that the host generated.
func (c bench) invokeAndReplay(ctx context.Context, v envelope, links ...record.Link) *history.Attempt {
	a := c.invoke(ctx, v, links...)
	c.replayEvidence(ctx, a)
	return a
}

// replayEvidence replays the evidence of an attempt.
func (c bench) replayEvidence(ctx context.Context, a *history.Attempt) *history.Replay {
	if a.CorrelationID() == "" || !a.Answered() {
		return nil
	}
	repeated := slices.DeleteFunc(append(slices.Clone(a.Before), a),
		func(one *history.Attempt) bool { return one.CorrelationID() != a.CorrelationID() })
	return c.replayUntil(ctx, request{query: history.Object{"correlation_id": a.CorrelationID()}}, showsEventsOf(repeated))
}

// maxCandidates is the greatest number of capabilities with which a stimulus is tried.
const maxCandidates = 3

// candidates returns envelopes that succeeded, one per capability, for stimuli about the
// circumstances of an invocation.
func (c bench) candidates() ([]envelope, error) {
	var all []envelope
	for _, a := range c.successes() {
		v := c.envelopeOf(a)
		if v.of != nil && len(all) < maxCandidates && !slices.ContainsFunc(all,
			func(known envelope) bool { return known.of == v.of }) {
			all = append(all, v.under(caller()))
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	if err := c.NotReady(); err != nil {
		return nil, err
	}
	return nil, NoSuccess()
}

// serves reports whether an envelope currently succeeds.
func (c bench) serves(ctx context.Context, v envelope) bool {
	return c.invoke(ctx, v.under(caller()).with(history.AboutStep, history.StepBetween)).Outcome() == history.Success
}

// withCandidate performs an action with an envelope that succeeds. If its capability was removed or
// disabled since, withCandidate uses another one.
func (c bench) withCandidate(ctx context.Context, do func(v envelope) []*history.Attempt) error {
	candidates, err := c.candidates()
	if err != nil {
		return err
	}
	for _, v := range candidates {
		all := do(v)
		switch well := succeeded(all); {
		case well == len(all) || unanswered(all):
			return nil
		case !c.serves(ctx, v):
			continue
		case well == 0: // the capability may have been unavailable during the action
			do(v)
		}
		return nil
	}
	return verdict.Undecided("no capability that succeeded continues to succeed")
}

func succeeded(all []*history.Attempt) int {
	n := 0
	for _, a := range all {
		if a.Outcome() == history.Success {
			n++
		}
	}
	return n
}

func unanswered(all []*history.Attempt) bool {
	return slices.ContainsFunc(all, func(a *history.Attempt) bool { return !a.Answered() && !a.Closed })
}

// tryAround is withCandidate for envelopes of which each is sent and replayed.
func (c bench) tryAround(ctx context.Context, make func(v envelope) []envelope) error {
	return c.withCandidate(ctx, func(v envelope) []*history.Attempt {
		var all []*history.Attempt
		for _, made := range make(v) {
			all = append(all, c.invokeAndReplay(ctx, made))
		}
		return all
	})
}

// sharedReplay replays attempts of one correlation, and then requests the events after the last
// one.
func (c bench) sharedReplay(ctx context.Context, correlation history.Object, all []*history.Attempt) {
	var each []*history.Attempt
	for _, a := range all {
		each = append(append(each, a.Before...), a)
	}
	id := correlation["correlation_id"].(string)
	whole := c.replayUntil(ctx, by(id, nil), showsEventsOf(each))
	if whole.Readable() && len(whole.Events) == 0 && !c.lateSince.IsZero() {
		pause(ctx, lateAfter)
		whole = c.replay(ctx, by(id, nil))
	}
	events := whole.Whole()
	if len(events) == 0 {
		return
	}
	if last, ok := history.WholeNumber(events[len(events)-1].Sequence); ok && last.Sign() >= 0 { // else CHP-6-09
		c.replay(ctx, by(id, history.Object{"since_sequence": numeral(last)}).in(history.StepRest))
	}
}
