package instance

import (
	"iter"
	"sync"
	"sync/atomic"
)

// Prefetcher makes inputs that a run probably needs while it waits for answers, until it is closed. An
// input that it has not made is made when it is needed. The zero value is ready to use.
type Prefetcher struct {
	begun  sync.Once
	closed atomic.Bool
}

// Begin starts the work when it is called for the first time.
func (a *Prefetcher) Begin(work iter.Seq[func()]) {
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

// Close implements io.Closer. No further work begins.
func (a *Prefetcher) Close() error {
	a.closed.Store(true)
	return nil
}
