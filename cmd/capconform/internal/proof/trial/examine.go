package trial

import (
	"context"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/plainmcp"
)

// Examine runs the suite of a job on its subject, which must not be a null host, and returns the
// statuses. If that is impossible, ok is false and the result has a fault.
func (b Bench) Examine(ctx context.Context, job plan.Job, result *Result) (got Statuses, ok bool) {
	var err error
	switch job.Trial.Kind {
	case plan.KindDocument:
		got, err = lint(ctx, job.Suite, job.Document, result)
	case plan.KindPlain:
		server, failed := plainmcp.New(false)
		if failed != nil {
			result.Fault("could not be started: %v", failed)
			return got, false
		}
		job.Plain.Apply(server)
		got, err = b.examine(ctx, job.Suite, frontOfPlain(job.Plain.Name, server), result)
	default:
		got, err = b.examineReference(ctx, job, result)
	}
	if err != nil {
		result.Fault("could not be examined: %v", err)
	}
	return got, err == nil
}

// examineReference examines the reference after a change.
func (b Bench) examineReference(ctx context.Context, job plan.Job, result *Result) (Statuses, error) {
	f, err := FrontOfReference(result.Name,
		reference.Options{Suites: []string{job.Suite.Name}, NoFixtures: result.Ordinary, Alter: job.Alter})
	if err != nil {
		return Statuses{}, err
	}
	return b.examine(ctx, job.Suite, f, result)
}
