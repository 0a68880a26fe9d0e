package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// Illustration is one requirement broken, as a real run shows it, and the same
// kept by the reference.
type Illustration struct {
	Name    string // of the mutant, or of the broken document
	Summary string // what it does, in one sentence
	Failure *reports.Failure
	// Broken is the last exchange of the scenario that failed, Kept the same call
	// to the reference; nil where a document is broken.
	Kept, Broken *reports.Exchange
	// Line is the place of a document that the failure's first finding points at.
	Line string
}

// Illustrate finds somebody who breaks a requirement and examines it, and the
// reference beside it. Nil without an error where nobody breaks it in a way that
// a run in process shows.
func (p Population) Illustrate(ctx context.Context, s *suites.Suite, id string) (*Illustration, error) {
	for _, m := range p.Mutants {
		if m.Suite == s.Name && m.Requirement == id && m.Driver == "" && !m.Strict {
			return illustrateLive(ctx, s, m)
		}
	}
	for _, d := range p.Documents {
		if d.Suite == s.Name && d.Requirement == id {
			return illustrateDocument(ctx, s, d)
		}
	}
	return nil, nil
}

func illustrateLive(ctx context.Context, s *suites.Suite, m mutant.Mutant) (*Illustration, error) {
	options := reference.Options{Suites: []string{s.Name}}
	_, kept, err := overhear(ctx, s, m.Requirement, options)
	if err != nil {
		return nil, err
	}
	options.Alter = m.Apply
	failed, broken, err := overhear(ctx, s, m.Requirement, options)
	if err != nil || failed == nil {
		return nil, err
	}
	shown := &Illustration{Name: m.Name, Summary: m.Summary, Failure: failed.Failure}
	if n := len(failed.Failure.Exchanges); n > 0 {
		shown.Broken = &failed.Failure.Exchanges[n-1]
		shown.Kept = counterpart(shown.Broken, broken, kept)
	}
	return shown, nil
}

// counterpart finds the call of one run in another: both make the same calls in
// the same order, as far as they are answered alike.
func counterpart(of *reports.Exchange, made, others []driver.Exchange) *reports.Exchange {
	at := slices.IndexFunc(made, func(e driver.Exchange) bool { return string(e.Sent) == of.Sent.Text })
	if at < 0 || at >= len(others) || others[at].Operation != of.Operation {
		return nil
	}
	e := others[at]
	return &reports.Exchange{Operation: e.Operation, Sent: reports.NewPayload(e.Sent), Received: reports.NewPayload(e.Received)}
}

// overhear examines one requirement on a host, and gives the first scenario that
// failed, if one did, and every call that was answered.
func overhear(ctx context.Context, s *suites.Suite, id string, options reference.Options) (*reports.Scenario, []driver.Exchange, error) {
	f, err := frontOfReference("reference", options)
	if err != nil {
		return nil, nil, err
	}
	defer f.close() //nolint:errcheck // the host was made for this alone
	wire := &overheard{Driver: inproc.New(f.name, f.handle)}
	subject := &suites.Subject{
		Name: f.name, Driver: wire, Invoke: suites.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"},
		Seed: seed, Restarter: f.restart, Options: map[string]string{},
	}
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject, suites.Options{
		Explicit: true, Concurrency: 1, Selection: suites.Selection{Requirements: []string{id}},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("proof: %w", err)
	}
	return failedScenario(report, id), wire.calls, nil
}

// overheard keeps every call that is answered on its sessions.
type overheard struct {
	driver.Driver
	mu    sync.Mutex
	calls []driver.Exchange
}

// Open implements driver.Driver.
func (o *overheard) Open(ctx context.Context) (driver.Session, error) {
	session, err := o.Driver.Open(ctx)
	return overheardSession{session, o}, err
}

type overheardSession struct {
	driver.Session
	wire *overheard
}

// Call implements driver.Session.
func (s overheardSession) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
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

func illustrateDocument(ctx context.Context, s *suites.Suite, d mutant.Document) (*Illustration, error) {
	report, err := lintReport(ctx, s, d)
	if err != nil {
		return nil, err
	}
	failed := failedScenario(report, d.Requirement)
	if failed == nil {
		return nil, nil
	}
	shown := &Illustration{Name: d.Name, Summary: d.Summary, Failure: failed.Failure}
	lines := strings.Split(string(d.Content), "\n")
	if len(failed.Failure.Findings) > 0 {
		if at := failed.Failure.Findings[0].Line; at > 0 && at <= len(lines) {
			shown.Line = strings.TrimSpace(lines[at-1])
		}
	}
	return shown, nil
}
