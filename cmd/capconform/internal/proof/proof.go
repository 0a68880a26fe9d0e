// Package proof proves that the suites detect (DESIGN sections 5 and 12): every mutant is killed by
// its own requirement and no other, no variant fails, no null host passes a requirement, and every
// requirement has a scenario and a host that breaks it. Only the packages of this folder import both
// the suites and the reference.
package proof

import (
	"context"
	"fmt"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/judgement"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/matrix"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
)

// Options select the trials, and how they are run.
type Options struct {
	plan.Options
	// EachScenario requires that every scenario fails in some trial.
	EachScenario bool
	// Workers is how many hosts are examined at once; values below 1 count as 1.
	Workers int
	// Progress receives the numbers of completed and of all trials. It may be nil. Several
	// goroutines call it, never at the same time.
	Progress func(done, total int, result trial.Result)
}

func (o Options) bench() trial.Bench { return trial.Bench{Suites: o.Suites, Relay: o.Relay} }

// Selftest examines every host of the population and returns the kill matrix. The error is not nil
// if there is no matrix: an unknown name or driver, a host that cannot be made, or a ctx that
// ended. Matrix.OK reports whether every trial succeeded.
func Selftest(ctx context.Context, options Options) (*matrix.Matrix, error) {
	if err := options.Check(); err != nil {
		return nil, err
	}
	all, err := plan.New(options.Options)
	if err != nil {
		return nil, err
	}
	m := matrix.New(options.Suites, len(options.Names) == 0)
	baselines := &judgement.Baselines{}
	running := &pool{workers: options.Workers, progress: options.Progress,
		total: len(all.References) + len(all.Canaries) + len(all.Trials)}
	// A suite that does not distinguish the reference from one obvious mutant detects nothing.
	for _, stage := range [][]plan.Job{all.References, all.Canaries, all.Trials} {
		m.Trials = append(m.Trials, running.run(ctx, tasksOf(options.bench(), stage, baselines))...)
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("proof: %w", err)
		}
		if m.Void = m.Obstacle(); m.Void != "" {
			break
		}
	}
	if options.Golden {
		m.FindContradictions()
	} else {
		m.CompareGolden(options.Population.Undecided)
	}
	m.Settle()
	if options.EachScenario && m.Void == "" {
		everywhere := !slices.ContainsFunc(plan.Drivers(),
			func(name string) bool { return !slices.Contains(options.Over(), name) })
		m.FindIdle(options.Suites, baselines.Passed(), everywhere)
	}
	return m, nil
}

// tasksOf returns the tasks that run jobs and judge their results.
func tasksOf(bench trial.Bench, jobs []plan.Job, baselines *judgement.Baselines) []task {
	tasks := make([]task, len(jobs))
	for i, job := range jobs {
		run := func(ctx context.Context, result *trial.Result) {
			if got, ok := bench.Examine(ctx, job, result); ok {
				judgement.Judge(result, job, baselines, got)
			}
		}
		if job.Trial.Kind == plan.KindNull {
			run = func(ctx context.Context, result *trial.Result) {
				bench.ExamineNull(ctx, job, result, func(request plan.Request, report *reports.Report) {
					judgement.Null(result, request.Name, report)
				})
			}
		}
		tasks[i] = task{job.Trial, run}
	}
	return tasks
}
