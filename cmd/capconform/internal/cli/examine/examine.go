package examine

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// examineTarget examines the target that the arguments name, or its base URL if only that speaks a suite. The report
// is nil if there is none.
func examineTarget(a *process.App, c *cobra.Command, f *RunFlags, args []string) (*reports.Report, error) {
	e, err := f.Prepare(c, args)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	err = examine(c.Context(), a, f, e)
	if other, is := followed(c, err); is {
		defer other.Close()
		e, err = other, examine(c.Context(), a, f, other)
	}
	return e.report, err
}

// examine performs run.
func examine(ctx context.Context, a *process.App, f *RunFlags, e *Examination) error {
	out, err := process.OpenReports(a, f.reports, e.Suites, e.Options.Selection.Partial(), e.inputFiles)
	if err != nil {
		return err
	}
	defer out.Discard()
	if err := f.baseline.prepare(e.Options.Selection.Partial(), e.Suites); err != nil {
		return err
	}
	if f.timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.timeout)
		defer cancel()
	}
	kept, err := f.openRecord(out, e)
	if err != nil {
		return err
	}
	defer kept.discard()
	a.BeforeEnd(kept.discard)
	bar := process.Progress(a, f.quiet)
	e.Subject.Driver = process.Watched{Driver: e.Subject.Driver, App: a, Bar: bar}
	e.Options.Progress = bar.Event
	report, runErr := attempts{f.Wait, bar, kept}.run(ctx, e)
	bar.End()
	if report == nil {
		return access.WithKeyHint(runErr, e.suiteNames, os.Getenv)
	}
	if len(report.Suites) > 0 {
		e.Suites, err = suites.InEditions(suites.InRevision(e.Suites, report.Suites[0].Negotiated), report.EditionOf)
		if err != nil {
			return err
		}
		out.SetCatalogues(e.Suites)
	}
	e.Complete(report)
	e.report = report
	exit := f.baseline.judge(a, report, runErr == nil)
	if err := errors.Join(kept.save(report), process.Deliver(a, out, report)); err != nil {
		return err
	}
	if runErr != nil {
		return f.explainCancellation(ctx, runErr)
	}
	if err := printReport(a, report, f, out); err != nil {
		return err
	}
	if err := f.baseline.finish(a, report); err != nil {
		return err
	}
	return process.ExitError(exit(reports.Policy{Strict: f.Strict, AllowIncomplete: f.allowIncomplete}))
}

// explainCancellation returns an error that explains why there is nothing to judge.
func (f *RunFlags) explainCancellation(ctx context.Context, err error) error {
	switch {
	case !errors.Is(err, driver.ErrCancelled):
		return err
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Errorf("%w by --timeout %s before there was anything to judge", process.ErrInterrupted, f.timeout)
	default:
		return fmt.Errorf("%w before there was anything to judge", process.ErrInterrupted)
	}
}
