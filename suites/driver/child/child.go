// Package child starts a target's command and ends it, with everything that it
// started itself, in bounded time.
package child

import (
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/capconform/capconform/suites/driver"
)

const (
	afterStdin = 500 * time.Millisecond // from the end of stdin to the polite signal
	afterTerm  = 500 * time.Millisecond // from the polite signal to the one that can't be refused
	afterExit  = 500 * time.Millisecond // from the child's end to the end of its stdout, if a descendant holds it
	sweepTime  = 2 * time.Second        // for descendants to be found and to die
	tailTime   = 500 * time.Millisecond // for the last of stderr to arrive
)

// Config says what to start.
type Config struct {
	Command []string // the program and its arguments
	Dir     string   // working directory; empty means ours
	Env     []string // NAME=value pairs for the child beside what every child gets
	Pass    []string // names to hand on from our environment, also credentials; "all" hands on everything
}

// Process is a running command with everything below it. Its methods are safe for
// concurrent use; whoever started it calls Stop or Kill.
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

// Start starts the command. The error is a *driver.CallError: ErrConfiguration
// without a command, ErrUnreachable where it can't be started.
func Start(config Config) (*Process, error) {
	if len(config.Command) == 0 {
		return nil, &driver.CallError{Kind: driver.ErrConfiguration, Detail: "child: there is no command"}
	}
	p, err := start(config)
	if err != nil {
		return nil, &driver.CallError{Kind: driver.ErrUnreachable, Detail: fmt.Sprintf("child: %v", err)}
	}
	return p, nil
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

// pipes are the three streams of a child. Our own os.Pipe, because the pipes of
// os/exec are closed by Wait while something is still to be read.
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

// Status says how the process ended, such as "exit status 1"; empty while it runs.
func (p *Process) Status() string {
	select {
	case <-p.done:
		return p.status
	default:
		return ""
	}
}

// Stderr gives the last 64 KiB of what the child wrote there, secrets included.
func (p *Process) Stderr() string { return p.stderr.String() }

// Stop ends the child: politely by the end of its stdin, then by a signal, then
// like Kill.
func (p *Process) Stop() {
	_ = p.Stdin.Close()
	if !within(p.done, afterStdin) {
		p.group.terminate()
		within(p.done, afterTerm)
	}
	p.Kill()
}

// Kill ends the child and all its descendants at once, and returns when they are
// gone or can't be found. It may be called again.
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

// within waits for a channel to be closed.
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
