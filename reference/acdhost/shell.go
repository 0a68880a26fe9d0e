package acdhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// sandbox goes before a script: no file descriptor can be opened any more, so that
// neither a file nor a socket can; and nothing can be started for long. The operating
// system holds to it.
const sandbox = "ulimit -t 2; ulimit -n 3; "

// scriptDeadline bounds one script.
const scriptDeadline = 5 * time.Second

// shell runs the script of an input in a sandbox.
func shell(ctx context.Context, call *Call) (any, error) {
	return RunScript(ctx, sandbox, text(call.Input, "script"))
}

// RunScript runs a script behind a preamble, without environment, and gives its exit
// status and what it wrote. Where there is no sh, an interpreter in this process runs it.
func RunScript(ctx context.Context, preamble, script string) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, scriptDeadline)
	defer cancel()
	command := exec.CommandContext(ctx, "sh", "-c", preamble+script)
	command.Env = []string{"PATH=/usr/bin:/bin"}
	command.WaitDelay = scriptDeadline
	var out bytes.Buffer
	command.Stdout = &out
	err := command.Run()
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return interpret(ctx, preamble+script)
	case err != nil && !errors.As(err, &exit):
		return nil, fmt.Errorf("acdhost: sh: %w", err)
	}
	return object{"exit_status": command.ProcessState.ExitCode(), "stdout": out.String()}, nil
}
