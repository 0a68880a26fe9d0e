package suites

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

// probe asks each suite's read-only operations. A suite is spoken if one of
// them gets anything but "not provided"; a suite that was asked for by name is
// examined in any case. A target that gives no answer at all ends the run here.
func probe(ctx context.Context, all []*Suite, session driver.Session, subject *Subject, opts Options) (map[string]bool, error) {
	spoken := map[string]bool{}
	answered := false
	for _, s := range all {
		spoken[s.Name] = opts.Explicit
		for _, op := range s.Probes {
			limit := subject.Deadlines.Call
			if !answered { // a child may install itself before its first answer
				limit = max(limit, subject.Deadlines.Handshake)
			}
			answer, err := ask(ctx, session, op, limit)
			if err != nil && !Survivable(err) || errors.Is(err, driver.ErrTimeout) && !answered {
				return nil, unanswered(answered, err)
			}
			answered = true
			if refusedCredentials(answer) {
				return nil, wantsCredentials(answer.Exchange)
			}
			if err != nil || answer.Outcome != driver.NotProvided {
				spoken[s.Name] = true
			}
		}
		if s.Plain != nil && s.Plain(session.Info(), subject) {
			spoken[s.Name] = true
		}
	}
	return spoken, nil
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
	case errors.Is(err, driver.ErrUnreachable), errors.Is(err, driver.ErrConfiguration), errors.Is(err, driver.ErrCancelled):
		return err
	case answered:
		return fmt.Errorf("%w: %w", ErrTargetDied, err)
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
	return fmt.Errorf("%w: the target answers %s with status %d; give them with --header 'Name: ${VARIABLE}'", ErrCredentials, e.Operation, e.Status)
}
