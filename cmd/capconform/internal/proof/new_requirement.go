package proof

import (
	"context"
	"fmt"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/survey"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/suites"
)

// JudgeNew judges every lawful host, in process, and every lawful document by the new requirements,
// and adds the results to a survey. If there are no new requirements, it examines nothing.
func JudgeNew(ctx context.Context, s *survey.Survey, options Options) error {
	for _, suite := range options.Suites {
		if suite.Source != nil { // the population has no host of it
			continue
		}
		fresh := options.Population.Unjudged(suite)
		if len(fresh) == 0 {
			continue
		}
		found, err := judgeNew(ctx, suite, fresh, options)
		if err != nil {
			return err
		}
		s.AddNew(found)
	}
	return nil
}

func judgeNew(
	ctx context.Context, s *suites.Suite, fresh []string, options Options,
) ([]survey.NewRequirement, error) {
	found := make([]survey.NewRequirement, len(fresh))
	for i, id := range fresh {
		found[i].ID = id
	}
	var mu sync.Mutex
	bench := options.bench()
	tasks := make([]task, 0, len(options.Population.Variants))
	for _, job := range options.Population.Lawful(s) {
		tasks = append(tasks, task{job.Trial, func(ctx context.Context, result *trial.Result) {
			got, ok := bench.Examine(ctx, job.Job, result)
			if !ok {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for i := range found {
				found[i].Add(s.Catalogue, job.Trial, got, job.Variant)
			}
		}})
	}
	results := (&pool{workers: options.Workers, total: len(tasks), progress: options.Progress}).run(ctx, tasks)
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("proof: %w", err)
	}
	for _, r := range results {
		if !r.OK() {
			return nil, fmt.Errorf("proof: %s %s%s: %s", r.Kind, r.Name, r.Where(), r.Faults[0])
		}
	}
	return found, nil
}
