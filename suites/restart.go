package suites

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// restartPoll is how often a target that restarts is asked whether it is back.
const restartPoll = 100 * time.Millisecond

// Restart runs the target file's restart command and waits, within the
// handshake deadline, until the target serves again.
func (s *Scenario) Restart(ctx context.Context) error {
	if len(s.Subject.Restart) == 0 {
		return Undecided("the target file names no command under restart")
	}
	ctx, cancel := context.WithTimeout(ctx, s.Subject.Deadlines.Handshake)
	defer cancel()
	command := exec.CommandContext(ctx, s.Subject.Restart[0], s.Subject.Restart[1:]...)
	if out, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("suites: the restart command failed: %w: %.200s", err, out)
	}
	ticker := time.NewTicker(restartPoll)
	defer ticker.Stop()
	for {
		err := s.run.examination.Control(ctx, s.session)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ErrTargetDied, err)
		case <-ticker.C:
		}
	}
}
