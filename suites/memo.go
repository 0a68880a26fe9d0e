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

// Get gives what was kept, or does the experiment. One that reports false was cut
// short by the end of the run: it is done again by whoever asks next.
func (m *Memo[T]) Get(experiment func() (T, bool)) T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.done {
		m.kept, m.done = experiment()
	}
	return m.kept
}

// Kept gives what was kept without doing anything, the zero value if nothing was.
func (m *Memo[T]) Kept() T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.kept
}
