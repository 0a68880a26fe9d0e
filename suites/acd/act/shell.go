package act

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// shells examine the shell.
type shells struct{ bench }

// shell returns the capability with the role shell, or an error if it cannot be invoked.
func (b shells) shell() (*history.Item, error) {
	p, assigned := b.Players["shell"]
	switch {
	case !assigned:
		return nil, verdict.Undecided("no capability has the role shell")
	case len(p.Capability.Modes()) == 0:
		return nil, verdict.Undecided("%s has no mode", p.Capability.ID)
	}
	if why := b.Gate.ReasonAgainst(p.Capability.ID, ""); why != "" {
		return nil, live.NotInvoked(p.Capability.ID, why)
	}
	return p.Capability, nil
}

// script runs a script in the shell.
func (b shells) script(ctx context.Context, c *history.Item, script string, held ...string) *history.Call {
	mode := "direct"
	if !slices.Contains(c.Modes(), mode) {
		mode = c.Modes()[0]
	}
	return b.invoke(ctx, invocation{id: c.ID, mode: mode, held: held, input: object{"script": script}})
}

// scripts runs scripts with all required permissions: one that prints a text, and two that exit with different
// statuses.
func (b shells) scripts(ctx context.Context) error {
	c, err := b.shell()
	if err != nil {
		return err
	}
	for _, script := range []string{history.AliveScript, "exit 7", "exit 3"} {
		before := b.recordsBefore(ctx)
		if b.script(ctx, c, script, c.Required()...).Accepted() {
			b.recorded(ctx, c, before)
		}
	}
	return nil
}

// refusedScripts runs the shell and a copy of it for callers who lack a required permission, and calls a copy that
// has a shell as a hook.
func (b shells) refusedScripts(ctx context.Context) error {
	c, err := b.shell()
	if err != nil {
		return err
	}
	lacking := [][]string{nil, {"conformance.other"}}
	if required := c.Required(); len(required) > 1 {
		lacking = append(lacking, required[:1])
	}
	for _, held := range lacking {
		b.script(ctx, c, history.AliveScript, held...)
	}
	if made, err := b.register(ctx, c, nil); err == nil {
		b.all(ctx, invocation{id: made.ID, mode: c.Modes()[0], input: object{"script": history.AliveScript}})
	}
	t := b.History.Template()
	if t == nil || !slices.ContainsFunc(c.Required(), func(p string) bool { return !slices.Contains(t.Held, p) }) {
		return nil
	}
	if hook, err := b.register(ctx, c, nil); err == nil {
		b.hookedIn(ctx, b.find(t.ID), hook)
	}
	return nil
}

// sandbox lets the shell write a file and connect to a listener of the suite. Each success becomes an entry of the
// record.
func (b shells) sandbox(ctx context.Context) error {
	c, err := b.shell()
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "capconform-")
	if err != nil {
		return fmt.Errorf("acdsuite: %w", err)
	}
	defer os.RemoveAll(folder) // if this fails, the folder contains nothing but a probe
	file := filepath.Join(folder, "probe")
	b.script(ctx, c, fmt.Sprintf("(echo probe > '%s') && echo %s", file, history.Escaped), c.Required()...)
	written, _ := os.ReadFile(file) // a missing file is an empty one
	reached, port, stop, err := listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	b.script(ctx, c, connecting(port), c.Required()...)
	if len(written) > 0 {
		b.escaped(history.OpFile)
	}
	if reached() {
		b.escaped(history.OpConnection)
	}
	return nil
}

// escaped adds an entry that the shell reached something outside its sandbox.
func (b shells) escaped(operation string) {
	b.Gate.Enter(record.Entry{
		Begun: b.Gate.Tick(), Done: b.Gate.Tick(), Party: record.Service, From: record.Target, Stimulus: history.Sandbox,
		Operation: operation, Outcome: record.Returned,
	})
}

// connecting returns a script that tries the programs that a system may have to open a connection.
func connecting(port int) string {
	at := strconv.Itoa(port)
	return "(exec 3<>/dev/tcp/127.0.0.1/" + at + ") 2>/dev/null; for try in 'bash -c \"exec 3<>/dev/tcp/127.0.0.1/" + at +
		"\"' 'nc -w 1 127.0.0.1 " + at +
		"' 'curl -s -m 1 http://127.0.0.1:" + at + "/' 'wget -q -T 1 -O - http://127.0.0.1:" + at +
		"/'; do eval \"$try\" </dev/null >/dev/null 2>&1; done; echo done"
}

// listen waits for a connection on loopback.
func listen(ctx context.Context) (reached func() bool, port int, stop func(), err error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, 0, nil, fmt.Errorf("acdsuite: %w", err)
	}
	came := make(chan struct{}, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			_ = connection.Close() // only the connection itself counts
			select {
			case came <- struct{}{}:
			default:
			}
		}
	}()
	address, _ := listener.Addr().(*net.TCPAddr)
	return func() bool { return len(came) > 0 }, address.Port, func() { _ = listener.Close(); <-ended }, nil
}
