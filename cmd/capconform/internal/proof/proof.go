// Package proof shows that the suites detect (DESIGN sections 5 and 12): every mutant is killed by
// its own requirement and no other, no variant fails, no null host passes anything, and every
// requirement has a scenario and a host that breaks it. Only this package imports both the suites
// and the reference.
package proof

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/suites"
)

// Options select what is proven.
type Options struct {
	Suites     []*suites.Suite
	Population Population
	// Names restricts the trials to the hosts and documents with these names; the references are
	// always examined. Empty: all.
	Names []string
	// Drivers are the ways to reach the hosts, from Drivers(). Empty: in process only.
	Drivers []string
	// Depth is how much of the population is tried in addition to the trials in process with
	// fixtures, which always comprise all of it.
	Depth Depth
	// Relay is the command that connects its stdin and stdout to the address that is appended to
	// it (see Relay). Without it, there are no trials over stdio.
	Relay []string
	// Golden permits every status but failed and error where a golden file decides: the golden
	// files will be written from the matrix (see Matrix.Observed).
	Golden bool
	// EachScenario requires that every scenario fails in some trial.
	EachScenario bool
	// Workers is how many hosts are examined at once; values below 1 count as 1.
	Workers int
	// Progress receives the numbers of completed and of all trials. It may be nil. Several
	// goroutines call it, never at the same time.
	Progress func(done, total int, trial Trial)
}

// Depth is how much of the population is tried over a driver that is not in process (a wire), and
// in process without fixtures. The reference, the canary, the null hosts, and in process each
// variant always are.
type Depth int

// The depths.
const (
	// Spread tries each variant, and one mutant per section of the text, over one wire, in turn.
	// In process without fixtures it tries one mutant per requirement, and those that a golden
	// file lists. It judges the record of one mutant per requirement again.
	Spread  Depth = iota
	Sampled       // each variant, and one mutant per requirement, over each wire
	Full          // everything over each
)

// Selftest examines every host of the population and returns the kill matrix. The error is not nil
// if there is no matrix: an unknown name or driver, a host that cannot be made, or a ctx that
// ended. Matrix.OK reports whether every trial succeeded.
func Selftest(ctx context.Context, options Options) (*Matrix, error) {
	if err := options.check(); err != nil {
		return nil, err
	}
	m := newMatrix(options)
	run := &proving{options: options, matrix: m}
	all, err := run.plan()
	if err != nil {
		return nil, err
	}
	run.total = len(all.references) + len(all.canaries) + len(all.trials)
	// A suite that does not distinguish the reference from one obvious mutant detects nothing.
	for _, stage := range [][]job{all.references, all.canaries, all.trials} {
		run.pool(ctx, stage)
		if err := context.Cause(ctx); err != nil {
			return nil, fmt.Errorf("proof: %w", err)
		}
		if m.Void = run.void(); m.Void != "" {
			break
		}
	}
	if options.Golden {
		m.contradictions()
	} else {
		m.unobserved(options.Population.Undecided)
	}
	m.settle()
	if options.EachScenario && m.Void == "" {
		m.Idle = run.idle()
	}
	return m, nil
}

func (o Options) check() error {
	known := o.Population.Names()
	for _, name := range o.Names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("proof: no host or document is named %q", name)
		}
	}
	for _, name := range o.Drivers {
		if !slices.Contains(Drivers(), name) {
			return fmt.Errorf("proof: unknown driver %q", name)
		}
	}
	return nil
}

// proving is one selftest in progress.
type proving struct {
	options Options
	matrix  *Matrix

	mu        sync.Mutex
	baselines map[setting]statuses
	done      int
	total     int
}

// job is one trial to run.
type job struct {
	trial Trial
	// hold runs the trial. It returns its faults, or nothing if it succeeded.
	hold func(ctx context.Context, trial *Trial)
}

// pool runs trials, a few at a time. The matrix has them in the order of the plan.
func (p *proving) pool(ctx context.Context, jobs []job) {
	results := make([]Trial, len(jobs))
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(1, p.options.Workers) {
		workers.Go(func() {
			for i := range next {
				trial, started := jobs[i].trial, time.Now()
				jobs[i].hold(ctx, &trial)
				trial.DurationMS = time.Since(started).Milliseconds()
				results[i] = trial
				p.report(trial)
			}
		})
	}
	for i := range jobs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	p.matrix.Trials = append(p.matrix.Trials, results...)
}

func (p *proving) report(trial Trial) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done++
	if p.options.Progress != nil {
		p.options.Progress(p.done, p.total, trial)
	}
}

// void returns why the trials so far permit no conclusion: a reference that does not conform, or a
// canary that cannot be started or survives.
func (p *proving) void() string {
	for _, t := range p.matrix.Trials {
		if (t.Kind == KindReference || t.Canary) && !t.OK() {
			return fmt.Sprintf("%s %s%s: %s", t.Kind, t.Name, t.where(), t.Faults[0])
		}
	}
	return ""
}
