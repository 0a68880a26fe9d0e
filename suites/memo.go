package suites

import "sync"

// Memo keeps the outcome of an experiment. The first scenario that needs the outcome performs the
// experiment, once in a run, and every scenario judges it under its requirement. The zero value is
// empty. A Memo is safe for concurrent use.
type Memo[T any] struct {
	mu   sync.Mutex
	done bool
	kept T
}

// Get returns the kept outcome, or performs the experiment if there is none. If the experiment
// returns false, the run ended before it completed, and the next caller performs it again.
func (m *Memo[T]) Get(experiment func() (T, bool)) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.done {
		m.kept, m.done = experiment()
	}
	return m.kept
}

// Kept returns the kept outcome without performing the experiment. It returns the zero value if
// there is none.
func (m *Memo[T]) Kept() T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}
