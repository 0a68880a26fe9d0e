package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// Illustrator finds runs of a suite that show how requirements are broken. A run performs every stimulus, whatever it
// judges, so one run of the reference can be compared with all others.
type Illustrator struct {
	Suite      *suites.Suite
	Population plan.Population
	valid      map[driver.Deadlines][]driver.Exchange
}

// Illustrate examines a host or a document that breaks a requirement. It returns nil without an
// error if no run in process shows the breach.
func (i *Illustrator) Illustrate(ctx context.Context, id string) (*format.Illustration, error) {
	for _, m := range i.Population.Mutants {
		if m.Suite == i.Suite.Name && m.Requirement == id && m.Driver == "" && !m.Strict {
			return i.live(ctx, m)
		}
	}
	for _, d := range i.Population.Documents {
		if d.Suite == i.Suite.Name && d.Requirement == id {
			return illustrateDocument(ctx, i.Suite, d)
		}
	}
	return nil, nil
}

func (i *Illustrator) live(ctx context.Context, m mutant.Mutant) (*format.Illustration, error) {
	options := reference.Options{Suites: []string{i.Suite.Name}}
	var deadlines driver.Deadlines
	if m.ShortWait {
		deadlines.Slow = brevity
	}
	if i.valid[deadlines] == nil {
		_, calls, err := observe(ctx, i.Suite, m.Requirement, options, deadlines)
		if err != nil {
			return nil, err
		}
		if i.valid == nil {
			i.valid = map[driver.Deadlines][]driver.Exchange{}
		}
		i.valid[deadlines] = calls
	}
	options.Alter = m.Apply
	failed, broken, err := observe(ctx, i.Suite, m.Requirement, options, deadlines)
	if err != nil || failed == nil {
		return nil, err
	}
	shown := illustration(m.Requirement, m.Name, m.Summary, failed.Failure)
	if n := len(failed.Failure.Exchanges); n > 0 {
		last := failed.Failure.Exchanges[n-1]
		shown.Broken = &format.IllustratedCall{
			Operation: last.Operation,
			Sent:      last.Sent.Text,
			Received:  last.Received.Text,
		}
		shown.Kept = counterpart(shown.Broken, broken, i.valid[deadlines])
	}
	return shown, nil
}

func illustration(requirement, breaker, summary string, f *reports.Failure) *format.Illustration {
	return &format.Illustration{Requirement: requirement, Breaker: breaker, Summary: summary, Found: f.Message,
		Want: f.Want, Got: f.Got}
}

// counterpart finds the call in another run: both runs make the same calls in the same order while the answers are
// equal.
func counterpart(of *format.IllustratedCall, made, others []driver.Exchange) *format.IllustratedCall {
	at := slices.IndexFunc(made, func(e driver.Exchange) bool { return string(e.Sent) == of.Sent })
	if at < 0 || at >= len(others) || others[at].Operation != of.Operation {
		return nil
	}
	e := others[at]
	return &format.IllustratedCall{Operation: e.Operation, Sent: reports.NewPayload(e.Sent).Text,
		Received: reports.NewPayload(e.Received).Text}
}

// observe examines one requirement on a host. It returns the first scenario that failed, if any, and every answered
// call.
func observe(
	ctx context.Context, s *suites.Suite, id string, options reference.Options, deadlines driver.Deadlines,
) (*reports.Scenario, []driver.Exchange, error) {
	f, err := trial.FrontOfReference("reference", options)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close() // the host served only this run
	wire := &observing{Driver: inproc.New(f.Name, f.Handle)}
	subject := &suites.Subject{
		Name: f.Name, Driver: wire, Invoke: live.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"},
		Seed: seed, Restarter: f.Restart, Deadlines: deadlines, Options: map[string]string{},
	}
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject, suites.Options{
		Explicit: true, Concurrency: 1, Selection: suites.Selection{Requirements: []string{id}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("proof: %w", err)
	}
	return failedScenario(report, id), wire.calls, nil
}

// observing records every answered call of its sessions.
type observing struct {
	driver.Driver
	mu    sync.Mutex
	calls []driver.Exchange
}

// Open implements driver.Driver.
func (o *observing) Open(ctx context.Context) (driver.Session, error) {
	session, err := o.Driver.Open(ctx)
	return observingSession{session, o}, err
}

type observingSession struct {
	driver.Session
	wire *observing
}

// Call implements driver.Session.
func (s observingSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := s.Session.Call(ctx, op)
	s.wire.mu.Lock()
	defer s.wire.mu.Unlock()
	s.wire.calls = append(s.wire.calls, answer.Exchange)
	return answer, err
}

func failedScenario(report *reports.Report, id string) *reports.Scenario {
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			for i := range q.Scenarios {
				if q.ID == id && q.Scenarios[i].Failure != nil {
					return &q.Scenarios[i]
				}
			}
		}
	}
	return nil
}

func illustrateDocument(ctx context.Context, s *suites.Suite, d mutant.Document) (*format.Illustration, error) {
	report, err := trial.Lint(ctx, s, d, d.Strict)
	if err != nil {
		return nil, err
	}
	failed := failedScenario(report, d.Requirement)
	if failed == nil {
		return nil, nil
	}
	shown := illustration(d.Requirement, d.Name, d.Summary, failed.Failure)
	lines := strings.Split(string(d.Content), "\n")
	if len(failed.Failure.Findings) > 0 {
		first := failed.Failure.Findings[0]
		shown.Found = first.Message
		if at := first.Line; at > 0 && at <= len(lines) {
			shown.Line, shown.Text = at, strings.TrimSpace(lines[at-1])
		}
	}
	return shown, nil
}
