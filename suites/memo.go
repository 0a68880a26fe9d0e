package suites

import (
	"context"
	"sync"
)

// Memo keeps the outcome of an experiment that is done once a run, by the first
// scenario that needs it, and judged by every scenario under its own
// requirement. The zero value is empty. It is safe for concurrent use.
type Memo[T any] struct {
	mu       sync.Mutex
	done     bool
	kept     T
	mappings []string // by which the answers of the experiment were made
}

// Get returns the kept outcome, or performs the experiment. If the experiment
// reports false, the end of the run cut it short, and the next caller performs it
// again. The context is that of a step: every scenario that judges the outcome rests
// on the same mapped answers as the one that performed the experiment.
func (m *Memo[T]) Get(ctx context.Context, experiment func() (T, bool)) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	sc := scenarioOf(ctx)
	if m.done {
		sc.rest(m.mappings...)
		return m.kept
	}
	before := len(sc.restsOn())
	m.kept, m.done = experiment()
	m.mappings = nil // each once: a long experiment has thousands of answers
	for _, mapping := range sc.restsOn()[before:] {
		m.mappings = appendNew(m.mappings, mapping)
	}
	return m.kept
}

// Kept returns the kept outcome and performs nothing. It is the zero value if there
// is none.
func (m *Memo[T]) Kept() T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}
