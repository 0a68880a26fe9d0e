package suites

import (
	"cmp"
	"context"
	"io"
	"sync"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/admission"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// gateOf returns the session of a suite on a target, under the policy of the subject. The journal
// may be nil.
func gateOf(
	d *Definition, session driver.Session, subject *Subject, reader *admission.Reader, journal *recording.Journal,
) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: reader, Journal: journal,
	})
}

// recordedGate returns the session of a suite on a record.
func recordedGate(d *Definition, session driver.Session, subject *Subject) *live.Gate {
	return live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: admission.PublishedReader(), Recorded: true,
	})
}

// protocol returns the description of the protocol for a gate.
func (d *Definition) protocol() live.Protocol {
	return live.Protocol{Suite: d.Name, Roles: d.Roles, Fixtures: d.Fixtures, Uses: d.Uses, Changes: d.Changes,
		Shows: d.Shows}
}

// invocationNotes returns notes on the capabilities that the policy excluded, each with the flag
// that admits it, and on the names in --invoke that no listed capability has.
func invocationNotes(s reports.Suite, unlisted []string) []string {
	notes := s.LeftOutNotes()
	for _, name := range unlisted {
		notes = append(notes, s.Suite+": --invoke names "+name+", which is not listed")
	}
	return notes
}

// Gated returns a session for calls that a document contains. The session sends to a target only the
// calls that a run would send. Gated first requests the list of capabilities, without invoking any.
// The session then does not send calls that the policy of the subject excludes, calls that register
// or change something, and calls that may name an excluded capability in another way. Such a call
// fails with a *verdict.Inconclusive.
func Gated(ctx context.Context, session driver.Session, d Definition, subject *Subject) (driver.Session, error) {
	subject.Deadlines = subject.Deadlines.WithDefaults()
	subject.Limits = subject.Limits.WithDefaults()
	gate := live.NewGate(session, d.protocol(), live.Options{
		Policy: subject.Invoke, Admitted: subject.Admitted, Reader: admission.PublishedReader(), Foreign: true,
	})
	if d.Uses == nil { // no capability is invoked, so the list of them does not matter
		return gate, nil
	}
	gate.SetBlocked(true)
	examination, err := d.Examine(ctx, subject, gate)
	if err != nil {
		return nil, unanswered(err, verdict.ErrTargetDied)
	}
	gate.SetBlocked(false)
	for _, id := range subject.Admitted {
		gate.Offer(live.Candidate{ID: id, Named: true})
	}
	if open, ok := examination.(io.Closer); ok {
		return gate, open.Close()
	}
	return gate, nil
}

// scenarioKey marks the context of a scenario.
type scenarioKey struct{}

// withinScenario returns the context for the steps of a scenario.
func withinScenario(ctx context.Context) context.Context {
	return context.WithValue(ctx, scenarioKey{}, true)
}

// origin is a session that notes which mapping of the target file made the first mapped answer
// before the scenarios. All adapters of the harness are above it.
type origin struct {
	driver.Session

	mu      sync.Mutex
	mapping string
}

// Call implements driver.Session.
func (o *origin) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := o.Session.Call(ctx, op)
	if answer.Provided != "" && ctx.Value(scenarioKey{}) == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.mapping = cmp.Or(o.mapping, answer.Provided)
	}
	return answer, err
}

// first returns the first mapping, or "" if there is none.
func (o *origin) first() string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mapping
}
