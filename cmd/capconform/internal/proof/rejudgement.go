package proof

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// rejudged reports whether the record of a trial is judged again: that of a mutant if the plan says
// so, those of all other hosts in every setting.
func (t *Trial) rejudged() bool { return t.Kind != KindMutant || t.again }

// judgesAgain reports whether the record of a mutant is judged again in a setting: that of each
// mutant once, and in a spread selftest only that of the first mutant of each requirement.
func (p *proving) judgesAgain(m mutant.Mutant, at setting) bool {
	if m.Driver != "" {
		return true
	}
	if at.driver != InProcess || at.ordinary {
		return false
	}
	first := slices.IndexFunc(p.options.Population.Mutants, func(other mutant.Mutant) bool {
		return other.Suite == m.Suite && other.Requirement == m.Requirement && other.Name != canary(m.Suite) &&
			at.shows(other)
	})
	return p.options.Depth != Spread || first >= 0 && p.options.Population.Mutants[first].Name == m.Name
}

// recorded runs a suite, and judges its record again if the trial demands it.
func recorded(
	ctx context.Context, s *suites.Suite, subject *suites.Subject, opts suites.Options, trial *Trial,
) (*reports.Report, error) {
	if !trial.rejudged() {
		return suites.Run(ctx, []*suites.Suite{s}, subject, opts)
	}
	opts.Record = record.NewWriter(nil)
	defer opts.Record.Close() // what was spooled is not needed any more
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject, opts)
	if err != nil || report.Run.Stopped != nil {
		return report, err // there is nothing, or not everything, to judge
	}
	again, err := judged(ctx, s, report, opts)
	if err != nil {
		return nil, err
	}
	trial.compare(s, report, again)
	return report, nil
}

// judged judges the record of a run.
func judged(
	ctx context.Context, s *suites.Suite, report *reports.Report, opts suites.Options,
) (*reports.Report, error) {
	h := opts.Record.Described()
	h.Suites = []record.Suite{{Suite: s.Name, SpecVersion: s.Catalogue.Version}}
	h.Subject = record.Subject{Name: report.Subject.Name, Version: report.Subject.Version, Driver: report.Subject.Driver}
	var text bytes.Buffer
	if _, err := opts.Record.Save(&text, h); err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	held, err := record.Read(&text)
	if err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	again, err := suites.Judge(ctx, []*suites.Suite{s}, held, suites.Options{
		Selection: suites.RecordedSelection(held.Header), Explicit: true, Concurrency: 1, Strict: opts.Strict,
	})
	return again, errors.Join(err, held.Close())
}

// compare adds a fault for each requirement whose status in the record differs from that in the
// run.
func (t *Trial) compare(s *suites.Suite, run, again *reports.Report) {
	first, err := read(s, run)
	second, err2 := read(s, again)
	if err = errors.Join(err, err2); err != nil {
		t.fault("the record cannot be judged: %v", err)
		return
	}
	for _, id := range first.order {
		if first.status[id] != second.status[id] {
			t.fault("%s is %s in the run and %s when its record is judged: %s", id, first.status[id],
				second.status[id], second.reason[id])
		}
	}
}
