package instance

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Ahead makes inputs that a run is likely to want while it waits for answers, until it
// is closed. What it can't make is missed by nobody: whoever wants it makes it. The
// zero value is ready.
type Ahead struct {
	begun  sync.Once
	closed atomic.Bool
}

// Begin starts to work, the first time it is called.
func (a *Ahead) Begin(work iter.Seq[func()]) {
	a.begun.Do(func() {
		go func() {
			defer func() { _ = recover() }() // as above
			for step := range work {
				if a.closed.Load() {
					return
				}
				step()
			}
		}()
	})
}

// Close implements io.Closer: nothing is begun any more.
func (a *Ahead) Close() error {
	a.closed.Store(true)
	return nil
}
