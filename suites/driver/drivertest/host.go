// Package drivertest is the contract that every driver keeps (DESIGN section 9), as
// a test, and a host whose every answer is dictated by the request.
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

// Method is the operation that the scripted host obeys.
const Method = "test.script"

// Script is the params of Method: what the host is to do.
type Script struct {
	// sent as it is, after replacing $ID and $METHOD by the request's, $BAD by the byte FF
	Reply   string `json:"reply,omitempty"`
	Fill    int    `json:"fill,omitempty"`    // how many letters $FILL stands for
	Levels  int    `json:"levels,omitempty"`  // how many arrays $DEEP stands for
	Hold    string `json:"hold,omitempty"`    // wait until a script releases this name
	Release string `json:"release,omitempty"` // let those go on that hold this name
	Silent  bool   `json:"silent,omitempty"`  // answer nothing
	Endless bool   `json:"endless,omitempty"` // after the reply, go on for ever
	Drip    bool   `json:"drip,omitempty"`    // send a byte at a time, slowly
	Close   bool   `json:"close,omitempty"`   // after the reply, end the connection
}

// ErrClose tells a front end to end the connection.
var ErrClose = errors.New("drivertest: the script says close")

// Host obeys scripts. The zero value is ready; it is safe for concurrent use.
type Host struct {
	mu    sync.Mutex
	gates map[string]chan struct{}
}

// request is the part of a JSON-RPC request that the host looks at.
type request struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// Serve answers one JSON-RPC request. The reply is one Write, except where the
// script says otherwise.
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

// ServeLines answers messages that stand one on a line, all at the same time, until
// the input ends or a script closes the connection.
func ServeLines(ctx context.Context, in io.Reader, out io.Writer, serve Service) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var turn sync.Mutex // held by who writes
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

// lineWriter keeps others out from the first byte of a line to its end.
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

// end finishes the line, and tells whether the connection ends.
func (w *lineWriter) end(err error) bool {
	if w.wrote {
		defer w.turn.Unlock()
	}
	if err == nil && w.wrote {
		_, err = w.out.Write([]byte("\n"))
	}
	return err != nil
}
