package trial

import (
	"context"
	"errors"
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// The deadlines for a null host, over a wire and in process. A missed deadline never makes a null
// host pass more requirements.
const (
	nullDeadline          = 100 * time.Millisecond
	nullDeadlineInProcess = nullDeadline / 4
)

// ExamineNull runs each request of a job on its null host, and passes each report to judge.
func (b Bench) ExamineNull(
	ctx context.Context, job plan.Job, result *Result, judge func(plan.Request, *reports.Report),
) {
	for _, request := range job.Requests {
		if report := b.runNull(ctx, job, request, result); report != nil {
			judge(request, report)
		}
	}
}

// runNull runs one request and returns its report, or nil if the run returned none.
func (b Bench) runNull(ctx context.Context, job plan.Job, request plan.Request, result *Result) *reports.Report {
	patience := nullDeadline
	if job.Trial.Driver == plan.InProcess {
		patience = nullDeadlineInProcess
	}
	deadlines := driver.Deadlines{Call: patience, Slow: patience, Handshake: patience}
	f := frontOfNull(job.Null)
	at, err := b.serve(ctx, f, job.Trial.Driver, deadlines)
	if err != nil {
		result.Fault("could not be examined: %v", err)
		return nil
	}
	defer at.stop()
	subject := &suites.Subject{
		Name: f.Name, Driver: at.driver, Invoke: live.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"},
		Seed: Seed, Deadlines: deadlines,
	}
	report, err := suites.Run(ctx, []*suites.Suite{job.Suite}, subject,
		suites.Options{Explicit: request.Explicit, Concurrency: 1, Plain: true, Selection: request.Selection})
	// Without a report there is nothing to judge, and no command treats that as a success.
	if report == nil && !errors.Is(err, suites.ErrCredentials) && ctx.Err() == nil {
		result.Fault("no report%s: %v", request.Name, err)
	}
	return report
}
