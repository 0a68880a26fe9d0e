package acdsuite

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/capconform/capconform/suites"
)

var shellSentences = []sentence{
	say(`the shell runs a script`, func(w *world) any { return w.shellRuns }),
	say(`the shell can be used from within`, func(w *world) any { return w.shellWithin }),
	try(`the shell asks for a permission`, (*world).shellPermission),
	say(`the sandbox of the shell holds`, func(w *world) any { return w.shellSandboxed }),
	say(`two exit statuses come back`, func(w *world) any { return w.exitStatuses }),
}

func (w *world) script(ctx context.Context, script string, permissions ...string) answered {
	c := w.players[roleShell].Capability
	mode := modeDirect
	if all := c.modes(); len(all) > 0 && !strings.Contains(strings.Join(all, " "), modeDirect) {
		mode = all[0]
	}
	return w.invoke(ctx, invocation{id: c.id, mode: mode, permissions: permissions, input: object{"script": script}})
}

// allowed runs a script with everything that the shell requires.
func (w *world) allowed(ctx context.Context, script string) answered {
	return w.script(ctx, script, w.players[roleShell].Capability.required()...)
}

const alive = "capconform-alive"

// shellRuns is the positive control of the shell.
func (w *world) shellRuns(ctx context.Context) error {
	a := w.allowed(ctx, "echo "+alive)
	if err := a.missing(); err != nil {
		return err
	}
	if !a.accepted() || !holdsText(a.value, alive) {
		return suites.Undecided("the shell does not run a script: %s", a.received())
	}
	return nil
}

// shellWithin invokes the shell directly, without a channel and without UMF.
func (w *world) shellWithin(ctx context.Context) error {
	a := w.allowed(ctx, "echo "+alive)
	if err := a.missing(); err != nil {
		return err
	}
	if !a.accepted() || !holdsText(a.value, alive) {
		return broken("the shell can't be used from within", alive+" in the output of a direct call with all permissions", a.received())
	}
	return nil
}

func (w *world) shellPermission(ctx context.Context) error {
	c := w.players[roleShell].Capability
	lacking := [][]string{nil, {"conformance.other"}}
	if required := c.required(); len(required) > 1 {
		lacking = append(lacking, required[:1])
	}
	for _, held := range lacking {
		a := w.script(ctx, "echo "+alive, held...)
		if err := a.missing(); err != nil {
			return err
		}
		if a.accepted() {
			return broken("a shell runs for a caller who lacks its permission", "an error", a.received())
		}
	}
	i := invocation{mode: c.modes()[0], input: object{"script": "echo " + alive}}
	if err := w.copyKeepsStill(ctx, c, i, "a shell runs for a caller who lacks its permission"); err != nil {
		return err
	}
	return w.hookNeedsShell(ctx, c)
}

// copyKeepsStill makes a call of a copy, which nobody else calls, and wants that it
// never ran. That no copy of a shell is taken shows nothing.
func (w *world) copyKeepsStill(ctx context.Context, of *capability, i invocation, message string) error {
	c, err := w.registerCopy(ctx, of, nil)
	if err != nil {
		return nil //nolint:nilerr // the shell itself was looked at
	}
	i.id = c.id
	a := w.invoke(ctx, i)
	if a.accepted() || w.runs(ctx, c.id) > 0 {
		return broken(message, "an error, and nothing that ran", a.received())
	}
	return nil
}

// escaped is what a probe says where the sandbox let it.
const escaped = "capconform-escaped"

// shellSandboxed tries to write a file of ours and to reach a listener of ours.
func (w *world) shellSandboxed(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "capconform-")
	if err != nil {
		return fmt.Errorf("acdsuite: %w", err)
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a folder that stays is empty but for a probe
	file := filepath.Join(folder, "probe")
	a := w.allowed(ctx, fmt.Sprintf("(echo probe > '%s') && echo %s", file, escaped))
	written, _ := os.ReadFile(file) // an empty file holds nothing of the probe
	wrote := holdsText(member(a.value, "output"), escaped) || len(written) > 0
	reached, port, stop, err := listen(ctx)
	if err != nil {
		return err
	}
	defer stop()
	b := w.allowed(ctx, connecting(port))
	granted := suites.Texts(member(w.players[roleShell].Capability.members, "dependencies.resources"))
	files, network := slices.Contains(granted, "filesystem"), slices.Contains(granted, "network")
	switch {
	case !wrote || !reached():
		return nil // it is restricted in one way at least, and the text does not say in which
	case files && network:
		return suites.Undecided("the descriptor of the shell names filesystem and network among its resources, so that neither shows a sandbox")
	default:
		return broken("the shell writes a file outside of its sandbox and reaches the network", "no file, or no connection", a.received()+"; "+b.received())
	}
}

// connecting tries what a system may have to make a connection.
func connecting(port int) string {
	at := strconv.Itoa(port)
	return "(exec 3<>/dev/tcp/127.0.0.1/" + at + ") 2>/dev/null; for try in 'bash -c \"exec 3<>/dev/tcp/127.0.0.1/" + at + "\"' 'nc -w 1 127.0.0.1 " + at +
		"' 'curl -s -m 1 http://127.0.0.1:" + at + "/' 'wget -q -T 1 -O - http://127.0.0.1:" + at + "/'; do eval \"$try\" </dev/null >/dev/null 2>&1; done; echo done"
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
			_ = connection.Close() // it came, which is all that counts
			select {
			case came <- struct{}{}:
			default:
			}
		}
	}()
	address, _ := listener.Addr().(*net.TCPAddr)
	return func() bool { return len(came) > 0 }, address.Port, func() { _ = listener.Close(); <-ended }, nil
}

// exitStatuses shows that a process of the operating system stood behind the call.
func (w *world) exitStatuses(ctx context.Context) error {
	for _, status := range []int64{7, 3} {
		a := w.allowed(ctx, fmt.Sprintf("exit %d", status))
		if err := a.missing(); err != nil {
			return err
		}
		if got, told := number(member(a.value, "output.exit_status")); !told || got != status {
			return broken("the exit status of a script does not come back", fmt.Sprintf("exit_status %d in the output", status), a.received())
		}
	}
	return nil
}
