package suites

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/verdict"
)

// tally counts how a target answers. It is safe for concurrent use: a call that is left behind may end after the run.
type tally struct {
	mu     sync.Mutex
	health reports.Health
}

// note counts a call of the harness.
func (t *tally) note(e record.Entry, exchange driver.Exchange) {
	if e.Operation == "" || e.From != "" {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	h := &t.health
	request := e.Operation + " (" + e.Stimulus + ")"
	switch {
	case e.Error != nil && e.Error.Kind == record.Closed:
		h.Dropped.Add(request)
	case e.Error != nil && e.Error.Kind == record.TimedOut && e.About[recording.AboutBody] != "":
		// Silence may be the right answer to a whole message: the suite judges it.
	case e.Error != nil && e.Error.Kind == record.TimedOut:
		h.Timeouts.Add(request)
	case e.Status >= http.StatusInternalServerError:
		h.ServerErrors.Add(request)
	}
	if ms := exchange.Took.Milliseconds(); ms > 0 {
		h.AddSlow(reports.Slow{Request: request, TookMS: ms})
	}
}

// copied returns what was counted so far.
func (t *tally) copied() *reports.Health {
	t.mu.Lock()
	defer t.mu.Unlock()
	health := &reports.Health{}
	health.Merge(&t.health)
	return health
}

// addHealth adds to a report how the target answered, and notes on what went wrong.
func addHealth(report *reports.Report, t *tally, info driver.Info, opened driver.Session) {
	health := t.copied()
	health.Noise = reports.Noise(info.Noise)
	times, last := endingsOf(opened)
	if health.Restarts = times; times > 0 {
		health.Ending = reasonOf(last)
	}
	report.Run.Health = health
	for _, note := range []string{health.Sentence(), health.Noise.Sentence()} {
		if note != "" {
			report.Notes = append(report.Notes, note)
		}
	}
}

// reasonOf returns what happened during a call without an answer.
func reasonOf(err error) string {
	if failed := (*driver.CallError)(nil); errors.As(err, &failed) && failed.Detail != "" {
		return failed.Detail
	}
	return err.Error()
}

// restartPoll is the interval between control calls while the target restarts.
const restartPoll = 100 * time.Millisecond

// outputDelay is how long the output of a restart command is read after the command ends.
const outputDelay = 500 * time.Millisecond

// Restartable reports whether the target can be restarted.
func (s *Subject) Restartable() bool { return len(s.Restart) > 0 || s.Restarter != nil }

// restart restarts the target once, by Restarter or by the command Restart.
func (s *Subject) restart(ctx context.Context) error {
	if s.Restarter != nil {
		if err := s.Restarter(ctx); err != nil {
			return fmt.Errorf("suites: the restart failed: %w", err)
		}
		return nil
	}
	command := exec.CommandContext(ctx, s.Restart[0], s.Restart[1:]...)
	command.Env = s.RestartEnv
	command.WaitDelay = outputDelay // the restarted target may keep the output open
	out, err := command.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		said := jsonvalue.Clip(strings.TrimSpace(string(out)))
		return verdict.Undecided("the restart command of the target file failed: %v: %s", err, said)
	}
	return nil
}

// Restart restarts the target and waits, within the handshake deadline, until it serves again. The
// error wraps verdict.ErrTargetDied if it does not, and is a *verdict.Inconclusive if the target
// file names no restart command or the command fails.
func (s *Scenario) Restart(ctx context.Context) error {
	if !s.Subject.Restartable() {
		return verdict.Undecided("the target file names no command under restart")
	}
	ctx, cancel := context.WithTimeout(ctx, s.Subject.Deadlines.Handshake)
	defer cancel()
	if err := s.Subject.restart(ctx); err != nil {
		return err
	}
	ticker := time.NewTicker(restartPoll)
	defer ticker.Stop()
	for {
		err := s.shared.examination.Control(ctx, s.session)
		if err == nil {
			s.wakeOthers(ctx)
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(verdict.ErrTargetDied, err)
		case <-ticker.C:
		}
	}
}

// wakeOthers makes the control calls of the other suites of the run, because the restarted target
// may have lost the state that they set up. The scenarios of those suites judge how the target
// serves them.
func (s *Scenario) wakeOthers(ctx context.Context) {
	for _, other := range s.shared.others {
		_ = other.Control(ctx, other.session)
	}
}
