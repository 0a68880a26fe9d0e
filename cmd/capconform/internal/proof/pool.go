package proof

import (
	"context"
	"sync"
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
)

// task is one trial to run.
type task struct {
	trial plan.Trial
	// run adds the faults of the trial to the result.
	run func(ctx context.Context, result *trial.Result)
}

func (t task) once(ctx context.Context) trial.Result {
	result := trial.Result{Trial: t.trial}
	t.run(ctx, &result)
	return result
}

// pool runs tasks, a few at a time.
type pool struct {
	workers  int
	progress func(done, total int, result trial.Result) // may be nil
	total    int

	mu   sync.Mutex
	done int
}

// run returns the results in the order of the tasks.
func (p *pool) run(ctx context.Context, tasks []task) []trial.Result {
	results := make([]trial.Result, len(tasks))
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(1, p.workers) {
		workers.Go(func() {
			for i := range next {
				started := time.Now()
				result := tasks[i].once(ctx)
				if result.Late() { // the machine was busy, or it stood still
					result = tasks[i].once(ctx)
					result.Repeated = true
				}
				result.DurationMS = time.Since(started).Milliseconds()
				results[i] = result
				p.report(result)
			}
		})
	}
	for i := range tasks {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return results
}

func (p *pool) report(result trial.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.progress != nil {
		p.progress(p.done, p.total, result)
	}
}
