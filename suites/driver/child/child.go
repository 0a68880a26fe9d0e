// Package child starts the command of a target, and ends it and all its descendants within a
// bounded time.
package child

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

const (
	afterStdin = 500 * time.Millisecond // from the end of stdin to the termination signal
	afterTerm  = 500 * time.Millisecond // from the termination signal to the kill signal
	afterExit  = 500 * time.Millisecond // from the child's end to the end of its stdout, if a descendant holds it
	sweepTime  = 2 * time.Second        // for descendants to be found and to die
	tailTime   = 500 * time.Millisecond // for the rest of stderr to arrive
)

// Config describes what to start.
type Config struct {
	Command []string // the program and its arguments
	Dir     string   // working directory; empty: that of this process
	Env     []string // NAME=value pairs in addition to what every child gets
	Pass    []string // names of variables to pass on from this process, even credentials; "all": every variable
}

// Process is a running command with its descendants. Its methods are safe for concurrent use. The
// caller of Start must call Stop or Kill.
type Process struct {
	Stdin  *os.File // what the child reads; write deadlines work on it
	Stdout *Output  // what the child writes

	cmd    *exec.Cmd
	group  *group
	stderr *tail
	done   chan struct{}
	status string // written before done is closed

	killing sync.Once
	killed  chan struct{}
}

// Start starts the command. The error is a *driver.CallError: ErrConfiguration if there is no
// command, ErrUnreachable if it cannot be started.
func Start(config Config) (*Process, error) {
	if len(config.Command) == 0 {
		return nil, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "child: the command is missing"}
	}
	p, err := start(config)
	if err != nil {
		return nil, &driver.CallError{Kind: driver.ErrUnreachable, Detail: unstarted(config.Command[0], err)}
	}
	return p, nil
}

// unstarted states why a command cannot be started, without the words of package os.
func unstarted(command string, err error) string {
	var named *exec.Error
	var at *os.PathError
	switch {
	case errors.As(err, &named):
		err = named.Err
	case errors.As(err, &at):
		err = at.Err
	}
	return fmt.Sprintf("the command %s cannot be started: %v", command, err)
}

func start(config Config) (*Process, error) {
	marker := rand.Text()
	cmd := exec.Command(config.Command[0], config.Command[1:]...)
	cmd.Dir = config.Dir
	cmd.Env = append(Environment(os.Environ(), config), markerName+"="+marker)
	cmd.SysProcAttr = attributes()
	pipes, err := newPipes()
	if err != nil {
		return nil, err
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = pipes.theirs[0], pipes.theirs[1], pipes.theirs[2]
	adoptOrphans()
	err = cmd.Start()
	closeAll(pipes.theirs[:])
	if err != nil {
		closeAll(pipes.ours[:])
		return nil, err
	}
	p := &Process{
		Stdin: pipes.ours[0], Stdout: &Output{file: pipes.ours[1]}, cmd: cmd, stderr: newTail(pipes.ours[2]),
		group: newGroup(cmd.Process.Pid, marker), done: make(chan struct{}), killed: make(chan struct{}),
	}
	go p.wait()
	return p, nil
}

// pipes are the three streams of a child. They are made by os.Pipe, because Wait closes the pipes
// of os/exec while there is still something to read.
type pipes struct{ ours, theirs [3]*os.File }

func newPipes() (p pipes, err error) {
	for i := range p.ours {
		r, w, err := os.Pipe()
		if err != nil {
			closeAll(p.ours[:i])
			closeAll(p.theirs[:i])
			return p, err
		}
		p.ours[i], p.theirs[i] = r, w
		if i == 0 {
			p.ours[i], p.theirs[i] = w, r
		}
	}
	return p, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		_ = f.Close()
	}
}

func (p *Process) wait() {
	err := p.cmd.Wait()
	p.status = "exit status 0"
	if err != nil {
		p.status = err.Error()
	}
	p.Stdout.end(time.Now().Add(afterExit))
	close(p.done)
}

// Done is closed when the started process itself has ended.
func (p *Process) Done() <-chan struct{} { return p.done }

// Status describes how the process ended, such as "exit status 1". It is empty while the process
// runs.
func (p *Process) Status() string {
	select {
	case <-p.done:
		return p.status
	default:
		return ""
	}
}

// Stderr returns the last 64 KiB that the child wrote to stderr, secrets included.
func (p *Process) Stderr() string { return p.stderr.String() }

// Stop ends the child: first by closing its stdin, then by a termination signal, then as Kill does.
func (p *Process) Stop() {
	_ = p.Stdin.Close()
	if !within(p.done, afterStdin) {
		p.group.terminate()
		within(p.done, afterTerm)
	}
	p.Kill()
}

// Kill ends the child and all its descendants immediately. It returns when they have ended or
// cannot be found. It may be called more than once.
func (p *Process) Kill() {
	p.killing.Do(func() {
		defer close(p.killed)
		_ = p.Stdin.Close()
		p.group.kill(time.Now().Add(sweepTime))
		_ = p.cmd.Process.Kill()
		within(p.done, sweepTime)
		within(p.stderr.ended, tailTime)
		p.stderr.close()
		_ = p.Stdout.file.Close()
	})
	<-p.killed
}

// within waits for a channel to be closed, for a limited time.
func within(done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
		return false
	}
}
