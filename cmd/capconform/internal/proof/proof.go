// Package proof shows that the suites detect (DESIGN sections 5 and 12): every
// mutant is killed by its own requirement and no other, no variant is accused,
// no null host passes anything, and no requirement is without a scenario or a
// host that breaks it. It is where suites and reference meet.
package proof

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/suites"
)

// Options say what is proven.
type Options struct {
	Suites     []*suites.Suite
	Population Population
	// Names restricts the trials to the hosts and documents of these names; the
	// references are always examined. Empty: all.
	Names []string
	// Drivers are the ways to reach the hosts, of Drivers(). Empty: in process alone.
	Drivers []string
	// Depth is how much of the population is met beside the trials in process with fixtures: there
	// it is always all of it.
	Depth Depth
	// Relay is the command that joins its stdin and stdout to the address that is
	// appended to it (see Relay). Without it there is nothing over stdio.
	Relay []string
	// Golden permits every status but failed and error where a golden file decides: the golden files are
	// about to be written from the matrix (see Matrix.Observed).
	Golden bool
	// EachScenario wants every scenario to be seen to fail.
	EachScenario bool
	// Workers is how many hosts are examined at once; below 1 counts as 1.
	Workers int
	// Progress is told how many trials of how many are done. May be nil. It is
	// called by several goroutines, never at the same time.
	Progress func(done, total int, trial Trial)
}

// Depth states how much of the population is met over a driver that is not in process (a wire), and in
// process without fixtures. The reference, the canary, the null hosts, and in process each variant always are.
type Depth int

// The depths.
const (
	// Spread meets each variant, and one mutant a section of the text, over one wire, in turn. In process
	// without fixtures it meets one mutant a requirement, and those that a golden file lists. The record of one
	// mutant a requirement is judged again.
	Spread  Depth = iota
	Sampled       // each variant, and one mutant a requirement, over each wire
	Full          // everything over each
)

// Selftest examines every host of the population and gives the kill matrix. The
// error is not nil if there is none: an unknown name or driver, a host that
// can't be put together, or a ctx that ended. Whether the matrix is as it should
// be, it says itself: see Matrix.OK.
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
	// What can't tell the reference from one obvious mutant can't tell anything.
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
			return fmt.Errorf("proof: nobody is named %q", name)
		}
	}
	for _, name := range o.Drivers {
		if !slices.Contains(Drivers(), name) {
			return fmt.Errorf("proof: unknown driver %q", name)
		}
	}
	return nil
}

// proving is one selftest under way.
type proving struct {
	options Options
	matrix  *Matrix

	mu        sync.Mutex
	baselines map[setting]statuses
	done      int
	total     int
}

// job is one trial to be held.
type job struct {
	trial Trial
	// hold examines and gives what is wrong, nothing if all is well.
	hold func(ctx context.Context, trial *Trial)
}

// pool holds trials, a few at a time. Their order in the matrix is that of the plan.
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

// void states why the trials so far let nothing be concluded: a reference that is
// not sound, a canary that can't be started or survives.
func (p *proving) void() string {
	for _, t := range p.matrix.Trials {
		if (t.Kind == KindReference || t.Canary) && !t.OK() {
			return fmt.Sprintf("%s %s%s: %s", t.Kind, t.Name, t.where(), t.Faults[0])
		}
	}
	return ""
}
