package proof

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
)

// seed makes the generated inputs of all trials the same.
const seed = 1

// impatience is how long a null host is waited for. A deadline that is missed
// can't make a null host look better.
const impatience = 100 * time.Millisecond

// examine runs a suite on a host, as the trial has it, and gives its statuses.
func (p *proving) examine(ctx context.Context, s *suites.Suite, f front, trial *Trial) (statuses, error) {
	at, err := p.reach(ctx, f, trial.Driver, driver.Deadlines{})
	if err != nil {
		return statuses{}, err
	}
	defer func() {
		at.stop()
		if err := f.close(); err != nil {
			trial.fault("does not close: %v", err)
		}
	}()
	subject := &suites.Subject{
		Name: f.name, Driver: at.driver, Invoke: suites.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"}, Seed: seed,
		Restarter: f.restart, Options: map[string]string{"strict": strconv.FormatBool(trial.Strict)},
	}
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1, Strict: trial.Strict})
	if err != nil {
		return statuses{}, fmt.Errorf("proof: %w", err)
	}
	return read(s, report)
}

// lint runs a suite on one document.
func lint(ctx context.Context, s *suites.Suite, d mutant.Document) (statuses, error) {
	file, err := document.Parse(d.File, d.Content, document.Limits{})
	if err != nil {
		return statuses{}, fmt.Errorf("proof: %w", err)
	}
	if s.Recognises == nil || !s.Recognises(file) {
		return statuses{}, fmt.Errorf("proof: %s is recognised as no document of %s", d.Name, s.Name)
	}
	subject := &suites.Subject{Name: d.Name, Documents: []suites.Document{*file}, Seed: seed}
	if len(d.Supports) > 0 {
		subject.Supports = map[string][]string{"skills": d.Supports}
	}
	report, err := suites.Lint(ctx, []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	if err != nil {
		return statuses{}, fmt.Errorf("proof: %w", err)
	}
	return read(s, report)
}

var errNoStatus = errors.New("proof: the run gave no status")

func read(s *suites.Suite, report *reports.Report) (statuses, error) {
	for i := range report.Suites {
		if report.Suites[i].Suite != s.Name || report.Suites[i].Plan.Executed == 0 {
			continue
		}
		got := statuses{status: map[string]reports.Status{}, reason: map[string]string{}, sums: map[string][]string{}}
		for _, q := range report.Suites[i].Requirements {
			got.order = append(got.order, q.ID)
			got.status[q.ID], got.reason[q.ID] = q.Status, q.Reason
			if r, known := s.Catalogue.Lookup(q.ID); known && len(r.SumOf) > 0 {
				got.sums[q.ID] = r.SumOf
			}
		}
		return got, nil
	}
	return statuses{}, errNoStatus
}
