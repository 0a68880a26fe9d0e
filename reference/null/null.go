// Package null lists hosts without useful answers. A suite that passes one of them examines
// nothing.
package null

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"

	"github.com/capconform/capconform/reference/rpc"
)

// Host is a host without useful answers, on every front end.
type Host struct {
	Name    string
	Summary string
	// Handle is the host in process. Nil means that there is no reply: a silent host returns it
	// when ctx ends, a host that closes returns it immediately.
	Handle func(ctx context.Context, request []byte) []byte
	// HTTP is the host over HTTP, on every path and for every method.
	HTTP http.Handler
}

// Stdio serves the host over lines. It returns at the end of input, when ctx ends, or when the
// host closes.
func (h Host) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	// The read cannot be interrupted, so a separate goroutine performs it.
	go func() { ended <- h.lines(ctx, in, out) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return nil
	}
}

func (h Host) lines(ctx context.Context, in io.Reader, out io.Writer) error {
	reader := bufio.NewReader(in)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 1 {
			reply := h.Handle(ctx, line)
			if reply == nil {
				return nil
			}
			if err := writeLine(out, reply); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("null: %w", err)
		}
	}
}

// writeLine writes nothing for a notification, to which the reply is empty.
func writeLine(out io.Writer, reply []byte) error {
	if len(reply) == 0 {
		return nil
	}
	if _, err := out.Write(append(reply, '\n')); err != nil {
		return fmt.Errorf("null: %w", err)
	}
	return nil
}

// All returns every null host.
func All() []Host {
	return []Host{
		{Name: "silent", Summary: "Takes every request and never answers.", Handle: silent,
			HTTP: http.HandlerFunc(silentHTTP)},
		{Name: "closes", Summary: "Closes at the first request.", Handle: closes, HTTP: http.HandlerFunc(closesHTTP)},
		{Name: "not-found", Summary: "Answers 404 to everything; in process and over lines, that there is no such method.",
			Handle: noMethod, HTTP: http.NotFoundHandler()},
		{Name: "empty-object", Summary: "Answers {} to everything.", Handle: constant(`{}`), HTTP: body(constant(`{}`))},
		sameBytes("success", "Answers everything with the result {}.", result(`{}`)),
		sameBytes("success-null", "Answers everything with the result null.", result(`null`)),
		sameBytes("success-empty-list", "Answers everything with the result [].", result(`[]`)),
		sameBytes("success-ok", "Answers everything with an InvokeResult that is ok.",
			result(`{"ok":true,"output":{},"error":null,"duration_ms":0}`)),
		sameBytes("failure-result", "Answers everything with an InvokeResult that says INVALID_INPUT.",
			result(`{"ok":false,"output":null,"error":{"code":"INVALID_INPUT","message":"no"},"duration_ms":0}`)),
		sameBytes("not-found-result", "Answers everything with an InvokeResult that says NOT_FOUND.",
			result(`{"ok":false,"output":null,"error":{"code":"NOT_FOUND","message":"no"},"duration_ms":0}`)),
		sameResult("invocation-success", "Answers everything with an InvocationResult that succeeded, over HTTP on every path.",
			invocation("success", true)),
		sameResult("invocation-denied", "Answers everything with an InvocationResult that was denied, over HTTP on every path.",
			invocation("denied", false)),
		sameResult("replay-empty", "Answers everything with a ReplayResult without events, over HTTP on every path.",
			`{"correlation_id":"a","event_count":0,"events":[],"replayed_at":"2026-01-01T00:00:00Z"}`),
		sameBytes("error", "Answers everything with the protocol error NOT_FOUND.", fault(rpc.Refuse("NOT_FOUND", "no"))),
		sameBytes("error-internal", "Answers everything with an internal error.",
			fault(&rpc.Error{Number: rpc.InternalError, Message: "no"})),
		sameBytes("echo", "Sends every request back.", func(_ context.Context,
			request []byte) []byte {
			return trimLineEnd(request)
		}),
		sameBytes("echo-params", "Gives the params of every request as its result.", echoParams),
		sameBytes("garbage", "Answers bytes that are no text.", constant("\x00\xff\xfe\x80garbage\x1b[2J")),
		sameBytes("prose", "Answers a sentence.", constant("Welcome to this host.")),
		sameBytes("half", "Answers half a reply.", constant(`{"jsonrpc":"2.0","id":1,"result":[{"capability_id":"a`)),
	}
}

// sameBytes returns a host that answers the same bytes on every front end, with status 200 over HTTP.
func sameBytes(name, summary string, handle func(context.Context, []byte) []byte) Host {
	return Host{Name: name, Summary: summary, Handle: handle, HTTP: body(handle)}
}

// sameResult returns a host that answers every method with the same result. Over HTTP the body is the
// result alone, as in the binding of CHP, except on /rpc.
func sameResult(name, summary, text string) Host {
	messages, alone := body(result(text)), body(constant(text))
	return Host{Name: name, Summary: summary, Handle: result(text),
		HTTP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if path.Base(r.URL.Path) == "rpc" {
				messages.ServeHTTP(w, r)
				return
			}
			alone.ServeHTTP(w, r)
		})}
}

// invocation returns an InvocationResult that belongs to no invocation.
func invocation(outcome string, success bool) string {
	return fmt.Sprintf(`{"invocation_id":"a","capability_id":"a","correlation":{"correlation_id":"a"},`+
		`"outcome":%q,"success":%v,"data":null,"evidence_ids":[],"completed_at":"2026-01-01T00:00:00Z"}`, outcome, success)
}

func silent(ctx context.Context, _ []byte) []byte {
	<-ctx.Done()
	return nil
}

func silentHTTP(_ http.ResponseWriter, request *http.Request) {
	// Unread input would keep the server from noticing that the client has disconnected.
	_, _ = io.Copy(io.Discard, request.Body)
	<-request.Context().Done()
}

func closes(context.Context, []byte) []byte { return nil }

// closesHTTP ends the connection without a response: net/http does so on this value.
func closesHTTP(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

func constant(text string) func(context.Context, []byte) []byte {
	return func(context.Context, []byte) []byte { return []byte(text) }
}

// serve answers every method in the same way, with the id of the request.
func serve(request []byte, operation rpc.Operation) []byte {
	reply := rpc.Serve(context.Background(), map[string]rpc.Operation{rpc.Method(request): operation}, request)
	if reply == nil {
		return []byte{}
	}
	return reply
}

func result(text string) func(context.Context, []byte) []byte {
	return func(_ context.Context, request []byte) []byte {
		return serve(request, func(context.Context, map[string]any) (any, error) { return rpc.Raw(text), nil })
	}
}

func fault(err error) func(context.Context, []byte) []byte {
	return func(_ context.Context, request []byte) []byte {
		return serve(request, func(context.Context, map[string]any) (any, error) { return nil, err })
	}
}

func echoParams(_ context.Context, request []byte) []byte {
	return serve(request, func(_ context.Context, params map[string]any) (any, error) { return params, nil })
}

func noMethod(ctx context.Context, request []byte) []byte {
	reply := rpc.Serve(ctx, nil, request)
	if reply == nil {
		return []byte{}
	}
	return reply
}

func trimLineEnd(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return slices.Clone(line)
}

// maxBody bounds the number of bytes that are read from a request.
const maxBody = 8 << 20

func body(handle func(context.Context, []byte) []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(handle(r.Context(), request))
	})
}
