package cli

import (
	"io"
	"sync"
	"time"

	"github.com/capconform/capconform/reports"
)

// app is what the commands share.
type app struct {
	in       io.Reader
	out, err io.Writer

	mu      sync.Mutex
	closing []func() // what a second interrupt still has to do
}

// abandonTime is what a second interrupt leaves for children to be ended: one
// that ignores its signals is killed after a second.
const abandonTime = 2 * time.Second

// beforeEnd registers what has to be done where a second interrupt cuts the
// command short: temporary files and children are not to be left behind.
func (a *app) beforeEnd(step func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closing = append(a.closing, step)
}

// abandon takes the steps, all at once. It waits for the command itself, too,
// which may be ending a child that resists, but for neither of them for long.
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
