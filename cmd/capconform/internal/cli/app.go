package cli

import (
	"io"
	"sync"
	"time"

	"github.com/capconform/capconform/reports"
)

// app is the state that the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer

	mu      sync.Mutex
	closing []func() // the steps that a second interrupt must still take
}

// abandonTime is the time that a second interrupt leaves for children to end: one that ignores its
// signals is killed after a second.
const abandonTime = 2 * time.Second

// beforeEnd registers a step that a second interrupt must still take, so that no temporary file or
// child is left behind.
func (a *app) beforeEnd(step func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closing = append(a.closing, step)
}

// abandon takes the registered steps concurrently. It also waits for the command itself, which may
// be ending a child. It waits for at most abandonTime.
func (a *app) abandon(done <-chan reports.Exit) reports.Exit {
	a.mu.Lock()
	steps := a.closing
	a.mu.Unlock()
	for _, step := range steps {
		go step()
	}
	timer := time.NewTimer(abandonTime)
	defer timer.Stop()
	select {
	case exit := <-done:
		return exit
	case <-timer.C:
		return reports.ExitIncomplete
	}
}
