package acdhost

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"
)

// sandbox is the preamble of a script. After it, the operating system prevents the script from
// opening a file descriptor, and so a file or a socket, and limits its time.
const sandbox = "ulimit -t 2; ulimit -n 3; "

// scriptDeadline is the longest time that a script may run.
const scriptDeadline = 5 * time.Second

// shell runs the script of an input in a sandbox.
func shell(ctx context.Context, call *Call) (any, error) {
	return RunScript(ctx, sandbox, text(call.Input, "script"))
}

// RunScript runs a script after a preamble, without environment, and returns its exit
// status and its output. If there is no sh, an interpreter in this process runs it.
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
