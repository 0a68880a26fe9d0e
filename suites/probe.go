package suites

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
	"github.com/capconform/capconform/suites/verdict"
)

// UndefinedRoute returns a route with a path that no protocol defines. A suite with its own paths includes
// it in its routes: it shows how a server answers paths that it does not serve.
func UndefinedRoute() driver.Route {
	return driver.Route{Operation: transcript.UndefinedPath, Method: http.MethodGet, Path: "/conformance.nowhere"}
}

// noOperation is an operation that no protocol defines.
const noOperation = "conformance.nothing"

// probed is the result of one read-only operation.
type probed struct {
	suite     *Suite
	operation string
	onPath    bool // the operation has a path of the protocol
	answer    driver.Answer
	err       error
}

func (p probed) returned() bool { return p.err == nil && p.answer.Outcome == driver.Returned }

// notProvided reports whether the target replied, well-formed or not, that it does not provide the operation.
func (p probed) notProvided() bool {
	return p.err == nil && (p.answer.Outcome == driver.NotProvided || p.content().Outcome == driver.NotProvided)
}

// content returns the result or the error of a reply, also of one that is no response of JSON-RPC otherwise.
func (p probed) content() driver.Answer {
	if p.answer.Content != nil {
		return *p.answer.Content
	}
	return p.answer
}

func (p probed) closed() bool { return errors.Is(p.err, driver.ErrClosed) }

// isDocument reports whether the result is a document of the suite, such as a list of manifests.
func (p probed) isDocument() bool {
	content := p.content()
	if p.err != nil || content.Outcome != driver.Returned || p.suite.Recognises == nil {
		return false
	}
	file, err := document.Parse("result.json", content.Result, document.Limits{})
	return err == nil && p.suite.Recognises(file)
}

// same reports whether two results are equal apart from their messages and the name of the operation. Two calls without
// an answer are equal if each ended with a closed connection or a timeout.
func (p probed) same(other probed) bool {
	if p.err != nil || other.err != nil {
		silent := func(err error) bool { return errors.Is(err, driver.ErrClosed) || errors.Is(err, driver.ErrTimeout) }
		return silent(p.err) && silent(other.err)
	}
	if p.answer.Outcome != other.answer.Outcome || p.answer.Exchange.Status != other.answer.Exchange.Status {
		return false
	}
	a, b := p.content(), other.content()
	if a.Error != nil && b.Error != nil && (a.Error.Code != b.Error.Code || a.Error.Number != b.Error.Number) {
		return false
	}
	nameless := func(result []byte, operation string) []byte {
		return bytes.ReplaceAll(result, []byte(operation), nil)
	}
	return a.Outcome == b.Outcome && bytes.Equal(nameless(a.Result, p.operation), nameless(b.Result, other.operation))
}

// probe calls the read-only operations of each suite and returns which suites the target speaks. A
// target speaks a suite if one of the operations returns a document of the suite, or anything other than "not provided"
// or the target's answer to unknown operations. An operation that closes the connection, although the target
// answers unknown ones, counts only if the target speaks no other suite. A suite that the user named is
// examined in any case. The error is not nil if the target does not answer at all or requires
// credentials.
func probe(
	ctx context.Context, all []*Suite, session driver.Session, subject *Subject, opts Options,
) (probeResults, error) {
	ctx = recording.Labelled(ctx, recording.Label{Stimulus: recording.Probe})
	c := &control{
		session: session, limit: subject.Deadlines.Call, explicit: opts.Explicit, spoken: map[string]bool{},
		answers: map[string]probed{},
	}
	adapted := map[string]bool{} // by suite
	for _, s := range all {
		adapted[s.Name] = !opts.Explicit && s.Plain != nil && s.Plain(session.Info(), subject)
		c.spoken[s.Name] = opts.Explicit || adapted[s.Name]
		if err := c.try(ctx, s, subject.Deadlines.Handshake); err != nil {
			return probeResults{}, err
		}
	}
	if err := c.decide(ctx); err != nil {
		return probeResults{}, err
	}
	only := maps.Equal(c.spoken, adapted) && slices.Contains(slices.Collect(maps.Values(adapted)), true)
	if opts.Adapted != nil && only {
		if err := opts.Adapted(); err != nil {
			return probeResults{}, err
		}
	}
	found := probeResults{spoken: c.spoken, answers: c.probed}
	if opts.Unspoken == nil || c.recognised(ctx) {
		return found, nil
	}
	var err error
	found.hint, err = opts.Unspoken(ctx)
	return found, err
}

// control decides which suites a target speaks. It also calls operations that no protocol defines, so that a
// server that gives the same answer to every call is not mistaken for one that speaks a protocol.
type control struct {
	session  driver.Session
	limit    time.Duration // for an answer
	explicit bool          // the user named the suites
	spoken   map[string]bool
	probed   []probed
	answers  map[string]probed // the results of operations that no protocol defines
}

// try calls the read-only operations of a suite. A child process may install itself before its first answer, so that
// the first call may take as long as a handshake.
func (c *control) try(ctx context.Context, s *Suite, handshake time.Duration) error {
	for _, op := range s.Probes {
		first, limit := len(c.probed) == 0, c.limit
		if first {
			limit = max(limit, handshake)
		}
		answer, err := ask(ctx, c.session, op, limit)
		onPath := slices.ContainsFunc(s.Routes, func(r driver.Route) bool { return r.Operation == op.Name })
		closed := errors.Is(err, driver.ErrClosed) // the target may answer other operations
		if err != nil && !CanContinueAfter(err) && !closed || first && errors.Is(err, driver.ErrTimeout) {
			if first {
				return unanswered(err, driver.ErrUnreachable)
			}
			return unanswered(err, verdict.ErrTargetDied)
		}
		c.probed = append(c.probed, probed{suite: s, operation: op.Name, onPath: onPath, answer: answer, err: err})
	}
	return nil
}

// decide finds out which suites the results show.
func (c *control) decide(ctx context.Context) error {
	var closed []string // suites of which operations closed the connection and none returned a result
	for _, one := range c.probed {
		switch refused := one.closed() || refusedCredentials(one.answer); {
		case refused && c.blockedByGateway(ctx, one):
		case one.closed() && c.speaks(one.suite):
			c.spoken[one.suite.Name] = true // its scenarios judge the missing answer
		case one.closed() && !c.answersAlike(ctx, one): // the target answers other calls
			closed = append(closed, one.suite.Name)
		case one.closed():
			return unanswered(one.err, c.fault())
		case refused:
			return credentialsError(one.answer.Exchange)
		case c.spoken[one.suite.Name], one.notProvided():
		default:
			c.spoken[one.suite.Name] = !c.answersAlike(ctx, one) || one.isDocument()
		}
	}
	if !slices.Contains(slices.Collect(maps.Values(c.spoken)), true) {
		for _, name := range closed {
			c.spoken[name] = true
		}
	}
	return nil
}

// recognised reports whether an answer shows that the target speaks a suite, whichever suites the user named.
func (c *control) recognised(ctx context.Context) bool {
	return slices.ContainsFunc(c.probed, probed.returned) || slices.ContainsFunc(c.probed, func(p probed) bool {
		return p.err == nil && !p.notProvided() && !c.answersAlike(ctx, p)
	})
}

// answersAlike reports whether a result is the same as the target's result for an unknown operation: an
// error, a page, a redirect, no answer, or a result that tells nothing of the operation.
func (c *control) answersAlike(ctx context.Context, one probed) bool {
	operation := noOperation
	if one.onPath {
		operation = transcript.UndefinedPath
	}
	other, asked := c.answers[operation]
	if !asked {
		other.operation = operation
		other.answer, other.err = ask(ctx, c.session, driver.Operation{Name: operation, List: true}, c.limit)
		c.answers[operation] = other
	}
	return one.same(other)
}

// speaks reports whether an operation of a suite returned a result.
func (c *control) speaks(s *Suite) bool {
	return slices.ContainsFunc(c.probed, func(p probed) bool { return p.suite == s && p.returned() })
}

// blockedByGateway reports whether status 403 or a closed connection is a gateway's answer to all unknown
// calls, while the target returns results elsewhere. If the user named the suites, only a result of
// the same suite counts.
func (c *control) blockedByGateway(ctx context.Context, one probed) bool {
	if !one.closed() && one.answer.Exchange.Status != http.StatusForbidden || !c.answersAlike(ctx, one) {
		return false
	}
	own := func(p probed) bool { return p.suite == one.suite && p.onPath == one.onPath }
	open := func(p probed) bool { return own(p) && p.returned() }
	elsewhere := func(p probed) bool { return !own(p) && p.returned() && (p.suite == one.suite || !c.explicit) }
	return slices.ContainsFunc(c.probed, elsewhere) && !slices.ContainsFunc(c.probed, open)
}

// CanContinueAfter reports whether the target can still be examined after a call that brought no answer:
// the answer was too large, the target throttled the call, or the call timed out.
func CanContinueAfter(err error) bool {
	return errors.Is(err, driver.ErrTooLarge) || errors.Is(err, driver.ErrThrottled) || errors.Is(err, driver.ErrTimeout)
}

// ask makes a call, and repeats it once if the connection was closed.
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

// unanswered returns the error of a call without an answer. The fault states what that means for the target, unless
// the error itself does.
func unanswered(err, fault error) error {
	if errors.Is(err, driver.ErrUnreachable) || errors.Is(err, driver.ErrConfiguration) ||
		errors.Is(err, driver.ErrCancelled) {
		return err
	}
	return fmt.Errorf("%w: %w", fault, err)
}

// fault is driver.ErrUnreachable if the target answered no call so far, otherwise verdict.ErrTargetDied.
func (c *control) fault() error {
	if slices.ContainsFunc(c.probed, func(p probed) bool { return p.err == nil }) {
		return verdict.ErrTargetDied
	}
	return driver.ErrUnreachable
}

func refusedCredentials(a driver.Answer) bool {
	return a.Outcome != driver.Returned && requiresCredentials(a.Exchange)
}

// requiresCredentials reports whether the status of an exchange requires credentials.
func requiresCredentials(e driver.Exchange) bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden
}

func credentialsError(e driver.Exchange) error {
	return fmt.Errorf("%w: the target answers %s with status %d; give them with --header 'Name: ${VARIABLE}'",
		ErrCredentials, e.Operation, e.Status)
}
