package proof

import (
	"context"
	"slices"
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

// waitsAfter is the time after which a trial is taken to wait and no longer to compute. Few trials that compute take as
// long.
const waitsAfter = 3 * time.Second

// pool runs tasks: as many at a time as it has workers, and as many again while others wait.
type pool struct {
	workers  int
	progress func(done, total int, result trial.Result) // may be nil
	total    int

	mu   sync.Mutex
	done int
}

// run returns the results in the order of the tasks. It starts with the last task, because hosts of the later suites
// wait longest, and at the end nothing would run beside them.
func (p *pool) run(ctx context.Context, tasks []task) []trial.Result {
	results := make([]trial.Result, len(tasks))
	workers := max(1, p.workers)
	running := make(chan struct{}, 2*workers)
	computing := make(chan struct{}, workers)
	var all sync.WaitGroup
	for i, t := range slices.Backward(tasks) {
		running <- struct{}{}
		computing <- struct{}{}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-running }()
			next := sync.OnceFunc(func() { <-computing })
			defer next()
			defer time.AfterFunc(waitsAfter, next).Stop()
			results[i] = t.settled(ctx)
			p.report(results[i])
		})
	}
	all.Wait()
	return results
}

// settled runs a task, and again if an answer was late.
func (t task) settled(ctx context.Context) trial.Result {
	started := time.Now()
	result := t.once(ctx)
	if result.Late() { // the machine was busy, or it stood still
		result = t.once(ctx)
		result.Repeated = true
	}
	result.DurationMS = time.Since(started).Milliseconds()
	return result
}

func (p *pool) report(result trial.Result) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.progress != nil {
		p.progress(p.done, p.total, result)
	}
}
