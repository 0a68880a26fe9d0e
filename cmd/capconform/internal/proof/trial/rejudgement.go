package trial

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// Run runs a suite, and judges its record again if the trial requires it.
func Run(
	ctx context.Context, s *suites.Suite, subject *suites.Subject, opts suites.Options, result *Result,
) (*reports.Report, error) {
	if !result.Rejudged() {
		return suites.Run(ctx, []*suites.Suite{s}, subject, opts)
	}
	opts.Record = record.NewWriter(nil)
	defer opts.Record.Close() // the spooled record is no longer needed
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject, opts)
	if err != nil || report.Run.Stopped != nil {
		return report, err // the record is missing or incomplete
	}
	again, err := Rejudge(ctx, s, report, opts)
	if err != nil {
		return nil, err
	}
	result.compare(s, report, again)
	return report, nil
}

// Rejudge judges the record of a run.
func Rejudge(
	ctx context.Context, s *suites.Suite, report *reports.Report, opts suites.Options,
) (*reports.Report, error) {
	h := opts.Record.Described()
	h.Suites = []record.Suite{{Suite: s.Name, SpecVersion: s.Catalogue.Version}}
	h.Subject = record.Subject{
		Name:    report.Subject.Name,
		Version: report.Subject.Version,
		Driver:  report.Subject.Driver,
	}
	text, saved := io.Pipe() // the text of a record has megabytes, which nobody else reads
	go func() {
		_, err := opts.Record.Save(saved, h)
		_ = saved.CloseWithError(err) // never fails
	}()
	stored, err := record.Read(text)
	_ = text.Close() // never fails, and ends Save
	if err != nil {
		return nil, fmt.Errorf("trial: %w", err)
	}
	again, err := suites.Judge(ctx, []*suites.Suite{s}, stored, suites.Options{
		Selection: suites.RecordedSelection(stored.Header), Explicit: true, Concurrency: 1, Strict: opts.Strict,
	})
	return again, errors.Join(err, stored.Close())
}

// compare adds a fault for each requirement whose status in the record differs from that in the
// run.
func (r *Result) compare(s *suites.Suite, run, again *reports.Report) {
	first, err := Read(s, run)
	second, err2 := Read(s, again)
	if err = errors.Join(err, err2); err != nil {
		r.Fault("the record cannot be judged: %v", err)
		return
	}
	for _, id := range first.Order {
		if first.Status[id] != second.Status[id] {
			r.Fault("%s is %s in the run and %s when its record is judged: %s", id, first.Status[id],
				second.Status[id], second.Reason[id])
		}
	}
}
