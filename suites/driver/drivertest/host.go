// Package drivertest is the contract of all drivers (DESIGN section 9) as a test, with a host whose
// answers are dictated by the requests.
package drivertest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"sync"
	"time"
)

// Method is the operation by which the scripted host receives scripts.
const Method = "test.script"

// Script is the params of Method: what the host must do.
type Script struct {
	// the reply, sent after replacing $ID and $METHOD by those of the request, and $BAD by the
	// byte FF
	Reply   string `json:"reply,omitempty"`
	Fill    int    `json:"fill,omitempty"`    // number of letters in $FILL
	Levels  int    `json:"levels,omitempty"`  // number of nested arrays in $DEEP
	Hold    string `json:"hold,omitempty"`    // wait until a script releases this name
	Release string `json:"release,omitempty"` // release the scripts that hold this name
	Silent  bool   `json:"silent,omitempty"`  // send no answer
	Endless bool   `json:"endless,omitempty"` // after the reply, continue without end
	Drip    bool   `json:"drip,omitempty"`    // send one byte at a time, slowly
	Close   bool   `json:"close,omitempty"`   // after the reply, close the connection
}

// ErrClose tells a front end to close the connection.
var ErrClose = errors.New("drivertest: the script says close")

// Host performs scripts. The zero value is ready to use; it is safe for concurrent use.
type Host struct {
	mu    sync.Mutex
	gates map[string]chan struct{}
}

// request is the part of a JSON-RPC request that the host reads.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Serve answers one JSON-RPC request. The reply is one Write, unless the script demands otherwise.
func (h *Host) Serve(ctx context.Context, message []byte, w io.Writer) error {
	var r request
	if err := json.Unmarshal(message, &r); err != nil || r.ID == nil || r.Method == "" {
		return nil
	}
	var script Script
	if err := json.Unmarshal(r.Params, &script); err != nil || r.Method != Method {
		script = Script{Reply: `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"no such method"}}`}
	}
	return h.perform(ctx, script, r, w)
}

func (h *Host) perform(ctx context.Context, s Script, r request, w io.Writer) error {
	if s.Release != "" {
		close(h.gate(s.Release))
	}
	if s.Hold != "" {
		select {
		case <-h.gate(s.Hold):
		case <-ctx.Done():
			return ErrClose
		}
	}
	if s.Silent {
		<-ctx.Done()
		return ErrClose
	}
	reply := strings.NewReplacer("$ID", string(r.ID), "$METHOD", r.Method, "$FILL",
		strings.Repeat("x", s.Fill), "$BAD", "\xff",
		"$DEEP", strings.Repeat("[", s.Levels)+strings.Repeat("]", s.Levels)).Replace(s.Reply)
	if s.Drip {
		return drip(ctx, reply, w)
	}
	if _, err := io.WriteString(w, reply); err != nil {
		return err
	}
	if s.Endless {
		return endless(ctx, w)
	}
	if s.Close {
		return ErrClose
	}
	return nil
}

func (h *Host) gate(name string) chan struct{} {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gates == nil {
		h.gates = map[string]chan struct{}{}
	}
	if h.gates[name] == nil {
		h.gates[name] = make(chan struct{})
	}
	return h.gates[name]
}

func drip(ctx context.Context, reply string, w io.Writer) error {
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for i := range len(reply) {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return ErrClose
		}
		if _, err := io.WriteString(w, reply[i:i+1]); err != nil {
			return err
		}
	}
	return nil
}

func endless(ctx context.Context, w io.Writer) error {
	chunk := bytes.Repeat([]byte("x"), 32<<10)
	for ctx.Err() == nil {
		if _, err := w.Write(chunk); err != nil {
			return err
		}
	}
	return ErrClose
}

// Service answers one message, as Host.Serve does.
type Service func(ctx context.Context, message []byte, w io.Writer) error

// ServeLines answers messages, one per line, concurrently, until the input ends or a script closes
// the connection.
func ServeLines(ctx context.Context, in io.Reader, out io.Writer, serve Service) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var turn sync.Mutex // held by the writer
	go func() {
		defer cancel()
		lines := bufio.NewReader(in)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				return
			}
			go func() {
				w := &lineWriter{out: out, turn: &turn}
				if w.end(serve(ctx, line, w)) {
					cancel()
				}
			}()
		}
	}()
	<-ctx.Done()
}

// lineWriter locks out other writers from the first byte of a line to its end.
type lineWriter struct {
	out   io.Writer
	turn  *sync.Mutex
	wrote bool
}

// Write implements io.Writer.
func (w *lineWriter) Write(p []byte) (int, error) {
	if !w.wrote {
		w.turn.Lock()
		w.wrote = true
	}
	return w.out.Write(p)
}

// end finishes the line, and reports whether the connection ends.
func (w *lineWriter) end(err error) bool {
	if w.wrote {
		defer w.turn.Unlock()
	}
	if err == nil && w.wrote {
		_, err = w.out.Write([]byte("\n"))
	}
	return err != nil
}
