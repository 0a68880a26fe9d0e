package examine

import (
	"context"
	"errors"
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// attempts repeats a run until the target speaks a suite or the time of --wait has passed.
type attempts struct {
	patience time.Duration
	bar      *process.Bar
	kept     *recordFile
}

// run returns the result of the last attempt.
func (a attempts) run(ctx context.Context, e *Examination) (report *reports.Report, err error) {
	options := e.Options
	attempt := func() error {
		options.Record = a.kept.begin()
		report, err = suites.Run(ctx, e.Suites, e.Subject, options)
		return err
	}
	if ask := e.Options.Unspoken; ask != nil && a.patience > 0 {
		options.Unspoken = func(ctx context.Context) (string, error) {
			note, err := ask(ctx)
			if note == "" && err == nil {
				err = suites.ErrNotSpoken // the target may still be starting
			}
			return note, err
		}
	}
	err = retryUnreachable(ctx, a.patience, a.bar, attempt)
	if errors.Is(err, suites.ErrNotSpoken) {
		options.Unspoken = nil
		err = attempt()
	}
	return report, err
}

// The pauses between two attempts of --wait.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = time.Second
)

// retryUnreachable tries again while the target is unreachable, until the time has passed.
func retryUnreachable(ctx context.Context, patience time.Duration, b *process.Bar, attempt func() error) error {
	begun := time.Now()
	until := begun.Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		err := attempt()
		left := time.Until(until)
		if !errors.Is(err, driver.ErrUnreachable) || left <= 0 || ctx.Err() != nil {
			return err
		}
		ended := b.Wait(begun, func() string { return "the target to start" })
		timer := time.NewTimer(min(pause, left))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		ended()
	}
}
