package stdiodriver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/child"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/lines"
)

const exitTime = 300 * time.Millisecond // from the end of a child's output to its exit status

// Peer is a child with which JSON-RPC lines are exchanged, whatever the methods mean. It is safe
// for concurrent use. The caller of Start must close it.
type Peer struct {
	config  Config
	shell   string // the command as a shell takes it
	process *child.Process
	conn    *lines.Conn
	nextID  atomic.Int64

	closing atomic.Bool
	first   sync.Once
	silence *time.Timer
	wire    Wire
	heard   *driver.Hearing
	prelude []string // the lines that a repeated request must follow
}

// Wire contains what a protocol above the lines decides.
type Wire struct {
	Serve     func(method string) json.RawMessage    // answers a request of the child's; nil is -32601
	Abandoned func(p *Peer, id int64, method string) // called when a request was abandoned; must not wait
}

// Start starts the child. The error is a *driver.CallError.
func Start(ctx context.Context, config Config, wire Wire) (*Peer, error) {
	if ctx.Err() != nil {
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: "stdiodriver: start"}
	}
	process, err := child.Start(child.Config{Command: config.Command, Dir: config.Dir, Env: config.Env, Pass: config.Pass})
	if err != nil {
		var failed *driver.CallError
		if errors.As(err, &failed) {
			failed.Detail = config.secrets().MaskText(failed.Detail)
		}
		return nil, err
	}
	config.Secrets = config.secrets()
	p := &Peer{config: config, shell: config.shell(), process: process, wire: wire, heard: &driver.Hearing{}}
	p.conn = lines.New(lines.Config{
		In: process.Stdout, Out: process.Stdin, Limits: config.Limits, Serve: wire.Serve, Ended: p.ended,
		Heard: p.heard,
	})
	return p, nil
}

// Request sends one request and waits for its reply, which may be as long as Limits.For permits.
// The error is a *driver.CallError.
func (p *Peer) Request(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := p.config.Deadlines.ForCall(ctx)
	defer cancel()
	p.first.Do(p.watch)
	id := p.nextID.Add(1)
	request, err := jsonrpc.Request(id, op.Name, op.Params)
	exchange := driver.Begin(op, request)
	if err != nil {
		return driver.Answer{}, exchange.Fail(driver.ErrConfiguration, err.Error(), p.config.Secrets)
	}
	if ctx.Err() != nil {
		return driver.Answer{}, exchange.Fail(driver.ContextKind(ctx), "before the call", p.config.Secrets)
	}
	reply, failed := p.conn.Do(ctx, lines.Call{ID: id, Method: op.Name, Request: request, Limit: p.Limits().For(op)})
	exchange.Repeat = p.repeat(request)
	if failed != nil {
		if ctx.Err() != nil && p.wire.Abandoned != nil {
			p.wire.Abandoned(p, id, op.Name)
		}
		exchange = exchange.Complete(failed.Exchange.Received, p.config.Secrets)
		detail := failed.Detail
		if failed.Kind == driver.ErrTimeout && !p.conn.Answered() {
			detail += p.stderr(false)
		}
		return driver.Answer{}, exchange.Fail(failed.Kind, detail, p.config.Secrets)
	}
	reply.Answer.Exchange = exchange.Complete(reply.Line, p.config.Secrets)
	return reply.Answer, nil
}

// carry sends a request, or a message unchanged.
func (p *Peer) carry(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	if op.Heard {
		return p.Heard(op)
	}
	if op.Message {
		return p.Message(ctx, op)
	}
	return p.Request(ctx, op)
}

// Message sends a message unchanged, and returns what arrives. The error is a *driver.CallError.
func (p *Peer) Message(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	ctx, cancel := p.config.Deadlines.ForCall(ctx)
	defer cancel()
	p.first.Do(p.watch)
	exchange := driver.Begin(op, op.Body)
	if bytes.ContainsAny(op.Body, "\r\n") {
		return driver.Answer{}, exchange.Fail(driver.ErrConfiguration, "a message over stdio is one line", p.config.Secrets)
	}
	arrived, failed := p.conn.Exchange(ctx, op.Body, op.Quiet)
	exchange.Repeat = p.repeat(op.Body)
	if failed != nil {
		exchange = exchange.Complete(failed.Exchange.Received, p.config.Secrets)
		return driver.Answer{}, exchange.Fail(failed.Kind, failed.Detail, p.config.Secrets)
	}
	answer, err := jsonrpc.Raw(arrived...)
	exchange = exchange.Complete(bytes.Join(arrived, nil), p.config.Secrets)
	return jsonrpc.Concluded(exchange, answer, err)
}

// Heard returns what the child sent on its own.
func (p *Peer) Heard(op driver.Operation) (driver.Answer, error) {
	return p.heard.Answer(op, p.config.Secrets)
}

// Notify sends a notification.
func (p *Peer) Notify(ctx context.Context, method string, params json.RawMessage) error {
	line, err := jsonrpc.Notification(method, params)
	if err != nil {
		return &driver.CallError{Kind: driver.ErrConfiguration, Detail: err.Error()}
	}
	if failed := p.conn.Notify(ctx, line); failed != nil {
		return failed
	}
	return nil
}

// Prelude sets the lines that must precede a request that a person repeats. It is called before the
// calls that it is for.
func (p *Peer) Prelude(lines ...string) { p.prelude = lines }

// Warnings returns the irregularities on the wire, secrets masked.
func (p *Peer) Warnings() []string {
	warnings := p.conn.Warnings()
	for i, warning := range warnings {
		warnings[i] = p.config.Secrets.MaskText(warning)
	}
	return warnings
}

// Noise returns what the child wrote besides messages.
func (p *Peer) Noise() driver.Noise {
	noise := p.conn.Noise()
	noise.First = p.config.Secrets.MaskText(noise.First)
	return noise
}

// Limits returns the bounds for the output of the child.
func (p *Peer) Limits() driver.Limits { return p.config.Limits.WithDefaults() }

// Alive reports whether the child can still be called.
func (p *Peer) Alive() bool { return p.conn.Death() == nil }

// Answered reports whether the child answered a request.
func (p *Peer) Answered() bool { return p.conn.Answered() }

// Close ends the child and its descendants.
func (p *Peer) Close() error {
	if !p.closing.Swap(true) {
		p.first.Do(func() {}) // no further watch begins
		if p.silence != nil {
			p.silence.Stop()
		}
		p.conn.Fail(&driver.CallError{Kind: driver.ErrClosed, Detail: "the session was closed"})
	}
	p.process.Stop()
	<-p.conn.Done()
	return nil
}

// watch bounds the time to the first answer, independent of the deadlines of the calls.
func (p *Peer) watch() {
	bound := p.config.Deadlines.WithDefaults().Handshake
	p.silence = time.AfterFunc(bound, func() {
		if p.conn.Answered() {
			return
		}
		p.conn.Fail(&driver.CallError{
			Kind:   driver.ErrUnreachable,
			Detail: fmt.Sprintf("no answer within %v of the first request%s", bound, p.stderr(false)),
		})
		p.process.Kill()
	})
}

// ended returns why the output of the child ended, and ends the child. It may be called before Start has set conn, and
// does not use it.
func (p *Peer) ended(end lines.End) *driver.CallError {
	kind, what := driver.ErrClosed, "the child ended"
	if !end.Answered {
		kind, what = driver.ErrUnreachable, "the child ended before its first answer"
	}
	flood, line := errors.Is(end.Cause, lines.ErrFlood), errors.Is(end.Cause, lines.ErrLine)
	if errors.Is(end.Cause, io.EOF) {
		p.exited()
	}
	status := p.process.Status()
	switch {
	case flood:
		what = "the child floods its output with messages that answer nothing"
	case status == "":
		what = "the child closed its output"
	}
	if line {
		what = "the child writes a line of more than " + driver.Size(p.Limits().Total)
	}
	if flood && end.Answered || line {
		kind = driver.ErrTooLarge // a limit of the harness ended it, not the child
	}
	p.process.Kill()
	if status != "" {
		what += " (" + status + ")"
	}
	return &driver.CallError{Kind: kind, Detail: what + p.stderr(end.Answered)}
}

func (p *Peer) exited() {
	timer := time.NewTimer(exitTime)
	defer timer.Stop()
	select {
	case <-p.process.Done():
	case <-timer.C:
	}
}

// stderr returns the end of the child's stderr as lines that follow the line of an error. The command precedes them if
// the child never answered.
func (p *Peer) stderr(answered bool) string {
	text := p.config.Secrets.MaskText(p.process.Stderr()) // before it is cut, so that no part of a secret remains
	lines, command := lastLines(text), ""
	if !answered {
		command = "\ncommand: " + p.config.Address()
	}
	switch {
	case len(lines) > 0:
		return command + "\nstderr:\n  " + strings.Join(lines, "\n  ")
	case command != "":
		return command + "\nstderr: nothing"
	}
	return ""
}

func (p *Peer) repeat(request []byte) func() string {
	const longest = 64 << 10 // a shell does not accept a longer command
	prelude := p.prelude     // of now: there is none during the handshake
	return func() string {
		if len(request) > longest {
			return ""
		}
		words := append(append([]string{"printf", `%s\n`}, prelude...), string(request))
		// Many servers end when their input ends, even if they owe answers: the input stays open
		// for a while.
		return "(" + driver.ShellQuote(p.config.Secrets.MaskTexts(words...)...) + "; sleep 2) | " + p.shell
	}
}
