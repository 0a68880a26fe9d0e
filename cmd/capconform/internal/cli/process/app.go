package process

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reports"
)

// App is the state that the commands share.
type App struct {
	In       io.Reader
	Out, Err io.Writer

	mu      sync.Mutex
	closing []func() // the steps that a second interrupt must still take

	Abandoned atomic.Bool // a second interrupt arrived
}

// abandonTime is the time that a second interrupt leaves for children to end: one that ignores its
// signals is killed after a second.
const abandonTime = 2 * time.Second

// BeforeEnd registers a step that a second interrupt must still take, so that no temporary file or
// child is left behind.
func (a *App) BeforeEnd(step func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.closing = append(a.closing, step)
}

// Abandon takes the registered steps concurrently. It also waits for the command itself, which may
// be ending a child. It waits for at most abandonTime.
func (a *App) Abandon(done <-chan reports.Exit) reports.Exit {
	a.Abandoned.Store(true)
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

// CommandError returns the error of a command. After a second interrupt, a file that was discarded while
// the command wrote it is not an error of capconform.
func CommandError(a *App, err error) error {
	if a.Abandoned.Load() && errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("%w a second time: not every file was written", ErrInterrupted)
	}
	return err
}
