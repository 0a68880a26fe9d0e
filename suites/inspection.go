package suites

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/verdict"
)

// ErrNotSpoken reports that a target answers but speaks none of the suites. It wraps
// driver.ErrUnreachable.
var ErrNotSpoken error = notSpoken{}

type notSpoken struct{}

// Error returns the message.
func (notSpoken) Error() string { return "the target speaks none of the protocols" }

// Unwrap returns driver.ErrUnreachable.
func (notSpoken) Unwrap() error { return driver.ErrUnreachable }

// Inspection is what a suite finds on a target before any scenario runs.
type Inspection struct {
	Suite   *Suite
	Profile Profile
	Played  []live.Role // roles that a capability of the target plays
	Vacant  []live.Role // roles that no capability plays
	// Trials are the capabilities that were considered for vacant roles, by the name of the role.
	Trials map[string][]Trial
}

// Inspect connects to a target and returns what each suite that it speaks finds there, without judging
// anything. Inspect invokes only the candidates for vacant roles, if the options name any and the
// policy admits them. The peer describes the server that answered. The errors are those of Run, and
// ErrNotSpoken.
func Inspect(
	ctx context.Context, all []*Suite, subject *Subject, opts Options,
) (peer driver.Info, seen []Inspection, err error) {
	subject.Deadlines = subject.Deadlines.WithDefaults()
	subject.Limits = subject.Limits.WithDefaults()
	session, err := driver.Reopening(subject.Driver).Open(ctx)
	if err != nil {
		return peer, nil, refusedOr(err)
	}
	defer session.Close() // the session is not used again, so its error does not matter
	all = InRevision(all, session.Info().Negotiated)
	found, err := probe(ctx, all, session, subject, opts)
	if err != nil {
		return peer, nil, err
	}
	if all, err = found.inSpoken(all, opts); err != nil {
		return peer, nil, err
	}
	reader := admission.PublishedReader()
	for _, s := range suitesSpoken(all, found.spoken) {
		gate := gateOf(&s.Definition, session, subject, reader, nil)
		gate.SetBlocked(true)
		examination, err := s.Examine(ctx, subject, gate)
		if err != nil {
			return peer, nil, unanswered(err, verdict.ErrTargetDied)
		}
		found := inspectionOf(s, examination)
		if opts.Candidates != nil {
			gate.SetBlocked(false)
			found.try(ctx, opts.Candidates, newTrials(s, subject, gate, examination))
			gate.SetBlocked(true)
		}
		seen = append(seen, found)
		if open, ok := examination.(io.Closer); ok {
			if err := open.Close(); err != nil {
				return peer, nil, fmt.Errorf("suites: %w", err)
			}
		}
	}
	if len(seen) == 0 {
		said := probesInWords(found.answers)
		if found.hint != "" {
			said = found.hint + "; " + said
		}
		return peer, nil, fmt.Errorf("%w: %s", ErrNotSpoken, said)
	}
	return session.Info(), seen, nil
}

func inspectionOf(s *Suite, examination Examination) Inspection {
	found := Inspection{Suite: s, Profile: examination.Profile()}
	for _, role := range s.Roles {
		if examination.Condition("role", role.Name) == nil {
			found.Played = append(found.Played, role)
		} else {
			found.Vacant = append(found.Vacant, role)
		}
	}
	return found
}

// try tries the candidates for the vacant roles.
func (s *Inspection) try(ctx context.Context, candidates func(live.Role, []string) []string, t *trials) {
	s.Trials = map[string][]Trial{}
	for _, role := range s.Vacant {
		if all := t.tried(ctx, role, candidates(role, s.Profile.Capabilities)); len(all) > 0 {
			s.Trials[role.Name] = all
		}
	}
}

// refusedOr returns ErrCredentials if the target refused the credentials in a handshake, and err
// otherwise.
func refusedOr(err error) error {
	if lost := (*driver.CallError)(nil); errors.As(err, &lost) && requiresCredentials(lost.Exchange) {
		return credentialsError(lost.Exchange)
	}
	return err
}
