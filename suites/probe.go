package suites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// Nowhere is a path that no text knows. A suite that has its own paths lists it among
// them: it shows how a server answers the paths that it does not serve.
func Nowhere() driver.Route {
	return driver.Route{Operation: transcript.Nowhere, Method: http.MethodGet, Path: "/conformance.nowhere"}
}

// noOperation is one that no text knows.
const noOperation = "conformance.nothing"

// probed is one read-only operation that was asked.
type probed struct {
	suite  *Suite
	onPath bool // of the protocol's own
	answer driver.Answer
	err    error
}

func (p probed) returned() bool { return p.err == nil && p.answer.Outcome == driver.Returned }

func (p probed) closed() bool { return errors.Is(p.err, driver.ErrClosed) }

// same tells whether two say the same, other than in words, or both nothing.
func (p probed) same(other probed) bool {
	if p.err != nil || other.err != nil {
		silent := func(err error) bool { return errors.Is(err, driver.ErrClosed) || errors.Is(err, driver.ErrTimeout) }
		return silent(p.err) && silent(other.err)
	}
	a, b := p.answer, other.answer
	if a.Error != nil && b.Error != nil && (a.Error.Code != b.Error.Code || a.Error.Number != b.Error.Number) {
		return false
	}
	return a.Outcome == b.Outcome && a.Exchange.Status == b.Exchange.Status && bytes.Equal(a.Result, b.Result)
}

// probe asks each suite's read-only operations. A suite is spoken if one of
// them gets anything but "not provided", or what the target answers to everybody; a suite
// that was asked for by name is examined in any case. A target that gives no answer at all
// ends the run here.
func probe(
	ctx context.Context, all []*Suite, session driver.Session, subject *Subject, opts Options,
) (map[string]bool, error) {
	ctx = recording.Labelled(ctx, recording.Label{Stimulus: recording.Probe})
	c := &control{session: session, limit: subject.Deadlines.Call, explicit: opts.Explicit, asked: map[string]probed{}}
	spoken := map[string]bool{}
	for _, s := range all {
		spoken[s.Name] = opts.Explicit || s.Plain != nil && s.Plain(session.Info(), subject)
		for _, op := range s.Probes {
			limit := subject.Deadlines.Call
			if len(c.probed) == 0 { // a child may install itself before its first answer
				limit = max(limit, subject.Deadlines.Handshake)
			}
			answer, err := ask(ctx, session, op, limit)
			onPath := slices.ContainsFunc(s.Routes, func(r driver.Route) bool { return r.Operation == op.Name })
			slammed := errors.Is(err, driver.ErrClosed) // other operations may be answered
			if first := len(c.probed) == 0; err != nil && !Survivable(err) && !slammed ||
				first && errors.Is(err, driver.ErrTimeout) {
				return nil, unanswered(!first, err)
			}
			c.probed = append(c.probed, probed{suite: s, onPath: onPath, answer: answer, err: err})
		}
	}
	for _, one := range c.probed {
		switch barred := one.closed() || refusedCredentials(one.answer); {
		case barred && c.keepsOut(ctx, one):
		case one.closed() && c.speaks(one.suite):
			spoken[one.suite.Name] = true // that the operation is not answered is for its scenarios
		case one.closed():
			return nil, unanswered(slices.ContainsFunc(c.probed, func(p probed) bool { return p.err == nil }), one.err)
		case barred:
			return nil, wantsCredentials(one.answer.Exchange)
		case spoken[one.suite.Name], one.err == nil && one.answer.Outcome == driver.NotProvided:
		default:
			spoken[one.suite.Name] = !c.astray(ctx, one)
		}
	}
	return spoken, nil
}

// control asks for what nobody serves, so that an answer to everything is not taken for
// an answer of a protocol.
type control struct {
	session  driver.Session
	limit    time.Duration
	explicit bool
	probed   []probed
	asked    map[string]probed
}

// astray tells whether an answer is what the target says to whatever it doesn't serve: an
// error, a page, a redirect, or nothing. A result says that an operation is
// spoken, but on paths, where it has to be another one than there; and what is no response
// at all says so where one process is one thing.
func (c *control) astray(ctx context.Context, one probed) bool {
	operation, overHTTP := noOperation, one.answer.Exchange.Status != 0
	if one.onPath {
		operation = transcript.Nowhere
	} else if one.returned() || one.answer.Outcome == driver.Malformed && !overHTTP {
		return false
	}
	other, asked := c.asked[operation]
	if !asked {
		other.answer, other.err = ask(ctx, c.session, driver.Operation{Name: operation, List: true}, c.limit)
		c.asked[operation] = other
	}
	return one.same(other)
}

// speaks tells whether an operation of a suite brought a result.
func (c *control) speaks(s *Suite) bool {
	return slices.ContainsFunc(c.probed, func(p probed) bool { return p.suite == s && p.returned() })
}

// keepsOut tells whether 403, or a connection that is closed, is what a gateway says of all
// that it doesn't know, while what the target speaks stands elsewhere. A suite that was
// asked for by name has to be open.
func (c *control) keepsOut(ctx context.Context, one probed) bool {
	if !one.closed() && one.answer.Exchange.Status != http.StatusForbidden || !c.astray(ctx, one) {
		return false
	}
	own := func(p probed) bool { return p.suite == one.suite && p.onPath == one.onPath }
	open := func(p probed) bool { return own(p) && p.returned() }
	elsewhere := func(p probed) bool { return !own(p) && p.returned() && (p.suite == one.suite || !c.explicit) }
	return slices.ContainsFunc(c.probed, elsewhere) && !slices.ContainsFunc(c.probed, open)
}

// Survivable tells whether a call that brought no answer leaves a target that can
// be examined by others: what it gave was too large, it throttles, or it took too
// long over this one.
func Survivable(err error) bool {
	return errors.Is(err, driver.ErrTooLarge) || errors.Is(err, driver.ErrThrottled) || errors.Is(err, driver.ErrTimeout)
}

// ask repeats a call once where the connection was closed.
func ask(ctx context.Context, session driver.Session, op driver.Operation, limit time.Duration) (driver.Answer, error) {
	for attempt := 0; ; attempt++ {
		callCtx, cancel := context.WithTimeout(ctx, limit)
		answer, err := session.Call(callCtx, op)
		cancel()
		if attempt > 0 || !errors.Is(err, driver.ErrClosed) {
			return answer, err
		}
	}
}

func unanswered(answered bool, err error) error {
	switch {
	case errors.Is(err, driver.ErrUnreachable), errors.Is(err, driver.ErrConfiguration),
		errors.Is(err, driver.ErrCancelled):
		return err
	case answered:
		return fmt.Errorf("%w: %w", verdict.ErrTargetDied, err)
	default:
		return fmt.Errorf("%w: %w", driver.ErrUnreachable, err)
	}
}

func refusedCredentials(a driver.Answer) bool {
	return a.Outcome != driver.Returned && refusing(a.Exchange)
}

// refusing says whether a status asks for credentials.
func refusing(e driver.Exchange) bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
}

func wantsCredentials(e driver.Exchange) error {
	return fmt.Errorf("%w: the target answers %s with status %d; give them with --header 'Name: ${VARIABLE}'",
		ErrCredentials, e.Operation, e.Status)
}
