package proof

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// seed makes the generated inputs of all trials the same.
const seed = 1

// How long a null host is waited for, over a wire and in process. A missed deadline never makes a
// null host pass more.
const (
	impatience = 100 * time.Millisecond
	inAHurry   = impatience / 4
)

// brevity is how long a trial waits for something that never happens.
const brevity = 2 * time.Second

// examine runs a suite on a host in the setting of the trial, and returns the statuses.
func (p *proving) examine(ctx context.Context, s *suites.Suite, f front, trial *Trial) (statuses, error) {
	var deadlines driver.Deadlines
	if trial.never {
		deadlines.Slow = brevity
	}
	at, err := p.reach(ctx, f, trial.Driver, deadlines)
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
		Name: f.name, Driver: at.driver, Invoke: policyOf(s, trial), Adapter: suites.Adapter{Mode: "auto"}, Seed: seed,
		Restarter: f.restart, Actors: strings.Fields(trial.Actors), Deadlines: deadlines,
		Options: map[string]string{"strict": strconv.FormatBool(trial.Strict)},
	}
	opts := suites.Options{Explicit: true, Concurrency: 1, Strict: trial.Strict, Plain: true}
	report, err := recorded(ctx, s, subject, opts, trial)
	if err != nil {
		return statuses{}, fmt.Errorf("proof: %w", err)
	}
	got, err := read(s, report)
	trial.failed = got.failed
	return got, err
}

// policyOf returns safe, except for the registry of ACD without fixtures: there, only a name or all
// admits the operations that create, enable and bind.
func policyOf(s *suites.Suite, trial *Trial) live.InvokePolicy {
	if s.Name == "acd" && trial.Ordinary {
		return live.InvokeAll
	}
	return live.InvokeSafe
}

// lint runs a suite on one document.
func lint(ctx context.Context, s *suites.Suite, d mutant.Document, strict bool) (statuses, error) {
	report, err := lintReport(ctx, s, d, strict)
	if err != nil {
		return statuses{}, err
	}
	return read(s, report)
}

func lintReport(ctx context.Context, s *suites.Suite, d mutant.Document, strict bool) (*reports.Report, error) {
	file := parse(d.File, d.Content)
	if s.Recognises == nil || !s.Recognises(file) {
		if file.Err != nil {
			return nil, fmt.Errorf("proof: %w", file.Err)
		}
		return nil, fmt.Errorf("proof: %s is not recognised as a document of %s", d.Name, s.Name)
	}
	subject := &suites.Subject{Name: d.Name, Documents: []suites.Document{*file}, Seed: seed, Options: map[string]string{}}
	if len(d.Supports) > 0 {
		subject.Supports = map[string][]string{"skills": d.Supports}
	}
	if d.Publishable {
		subject.Options["mode"] = "publishable"
	}
	subject.Options["strict"] = strconv.FormatBool(strict)
	if d.Against != nil {
		subject.Older = []suites.Document{*parse("older-"+d.File, d.Against)}
	}
	report, err := suites.Lint(ctx, []*suites.Suite{s}, subject,
		suites.Options{Explicit: true, Concurrency: 1, Strict: strict})
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	return report, nil
}

// parse reads a document. A document that cannot be parsed may still belong to a suite.
func parse(name string, content []byte) *document.File {
	file, err := document.Parse(name, content, document.Limits{})
	if failed, ok := errors.AsType[*document.Error](err); ok {
		return &document.File{Path: name, Text: content, Err: failed}
	}
	return file
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
			for _, scenario := range q.Scenarios {
				switch key := keyOf(q.ID, scenario.Name); scenario.Status {
				case reports.Passed:
					got.passed = append(got.passed, key)
				case reports.Failed:
					got.failed = append(got.failed, key)
				}
			}
			if r, known := s.Catalogue.Lookup(q.ID); known && len(r.SumOf) > 0 {
				got.sums[q.ID] = r.SumOf
			}
		}
		return got, nil
	}
	return statuses{}, errNoStatus
}
