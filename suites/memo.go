package suites

import "sync"

// Memo keeps the outcome of an experiment that is done once a run, by the first
// scenario that needs it, and judged by every scenario under its own
// requirement. The zero value is empty. It is safe for concurrent use.
type Memo[T any] struct {
	mu   sync.Mutex
	done bool
	kept T
}

// Get returns the kept outcome, or performs the experiment. If the experiment
// reports false, the end of the run cut it short, and the next caller performs it
// again.
func (m *Memo[T]) Get(experiment func() (T, bool)) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.done {
		m.kept, m.done = experiment()
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
