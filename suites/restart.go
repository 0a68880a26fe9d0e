package suites

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// restartPoll is how often a target that restarts is asked whether it is back.
const restartPoll = 100 * time.Millisecond

// outputDelay is how long the output of a restart command is read after its end.
const outputDelay = 500 * time.Millisecond

// Restartable says whether a target can be restarted.
func (s *Subject) Restartable() bool { return len(s.Restart) > 0 || s.Restarter != nil }

// restart is one restart of the target, however it is done.
func (s *Subject) restart(ctx context.Context) error {
	if s.Restarter != nil {
		if err := s.Restarter(ctx); err != nil {
			return fmt.Errorf("suites: the restart failed: %w", err)
		}
		return nil
	}
	command := exec.CommandContext(ctx, s.Restart[0], s.Restart[1:]...)
	command.Env = s.RestartEnv
	command.WaitDelay = outputDelay // the target that it started may hold its output
	out, err := command.CombinedOutput()
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		said := jsonvalue.Clip(strings.TrimSpace(string(out)))
		return verdict.Undecided("the restart command of the target file failed: %v: %s", err, said)
	}
	return nil
}

// Restart runs the target file's restart command and waits, within the
// handshake deadline, until the target serves again.
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
		err := s.run.examination.Control(ctx, s.session)
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

// wakeOthers lets the other suites of the run meet the target again: what they had
// told it may be gone. How it serves them is for their own scenarios to judge.
func (s *Scenario) wakeOthers(ctx context.Context) {
	for _, other := range s.run.others {
		_ = other.Control(ctx, other.session)
	}
}
