package hostile

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

var rawObject = json.RawMessage(object)

// tool is one tool of MCP.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
}

// call is a request of JSON-RPC.
type call struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params params          `json:"params"`
}

type params struct {
	reference
	Ref       reference       `json:"ref"`
	Input     json.RawMessage `json:"input"`
	Cursor    string          `json:"cursor"`    // of tools/list
	Name      string          `json:"name"`      // of tools/call
	Arguments json.RawMessage `json:"arguments"` // of tools/call
}

// reference names a capability of CAP.
type reference struct {
	ID      string `json:"capability_id"`
	Version string `json:"version"`
}

// refusal returns the answer of a host to an operation that it refuses, "" if it does not refuse
// it. A host knows only its own capabilities, and accepts only objects as input. isResult reports
// whether the answer is a result and not a protocol error.
func (m Mode) refusal(operation string, p params) (text string, isResult bool) {
	at := p.reference
	if operation == opInvoke {
		at = p.Ref
	}
	known := at.Version == "1.0.0" && slices.ContainsFunc(m.capabilities(), func(id string) bool { return id == at.ID })
	switch {
	case operation == opDescribe && !known:
		return `{"code":"NOT_FOUND","message":"no"}`, false
	case operation == opInvoke && !known:
		return fmt.Sprintf(`{"ok":false,"output":null,"error":{"code":%q,"message":"no"},"duration_ms":1}`, "NOT_FOUND"), true
	case operation == opInvoke && !strings.HasPrefix(strings.TrimSpace(string(p.Input)), "{"):
		return fmt.Sprintf(`{"ok":false,"output":null,"error":{"code":%q,"message":"no"},"duration_ms":1}`, "INVALID_INPUT"),
			true
	}
	return "", false
}

// capabilities returns the ids that the host lists.
func (m Mode) capabilities() []string {
	if m.listed == 0 {
		return []string{"text.measure"}
	}
	all := make([]string, m.listed)
	for i := range all {
		all[i] = fmt.Sprintf("text.measure%d", i)
	}
	return all
}

// rawResponse is a connection without the framing of HTTP.
type rawResponse interface{ io.Writer }

// slow writes one byte per second.
type slow struct {
	ctx context.Context
	w   io.Writer
}

// Write implements io.Writer.
func (s slow) Write(p []byte) (int, error) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for i := range p {
		select {
		case <-ticker.C:
		case <-s.ctx.Done():
			return i, s.ctx.Err()
		}
		if _, err := s.w.Write(p[i : i+1]); err != nil {
			return i, err
		}
		if f, ok := s.w.(http.Flusher); ok {
			f.Flush()
		}
	}
	return len(p), nil
}

// reply writes the answer to one message, without the line end.
func (m Mode) reply(ctx context.Context, w io.Writer, message []byte, mcp bool) error {
	var c call
	if json.Unmarshal(message, &c) != nil || len(c.ID) == 0 {
		return nil // a notification
	}
	if m.byteBySecond {
		w = slow{ctx, w}
	}
	if m.replyInstead != nil {
		return m.replyInstead(w, string(c.ID))
	}
	if mcp {
		return m.replyMCP(w, c)
	}
	refused, isResult := m.refusal(c.Method, c.Params)
	switch {
	case refused != "" && isResult:
		return m.result(w, c.ID, text(refused), "", "")
	case refused != "":
		return text(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"no","data":%s}}`, c.ID,
			refused))(w)
	}
	return m.result(w, c.ID, m.writes(c.Method, c.Params.ID), "", "")
}

// writes returns the function that writes the result of an operation, nil if the operation is
// unknown.
func (m Mode) writes(operation, id string) func(io.Writer) error {
	if operation == opDescribe && m.listed > 0 {
		return text(manifest(id, object))
	}
	return m.results[operation]
}

// result writes a result between two texts.
func (m Mode) result(w io.Writer, id json.RawMessage, write func(io.Writer) error, before, after string) error {
	if write == nil {
		return text(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no"}}`, id))(w)
	}
	for _, part := range []func(io.Writer) error{text(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s`, id, before)),
		write, text(after + "}")} {
		if err := part(w); err != nil {
			return err
		}
	}
	return nil
}

func (m Mode) replyMCP(w io.Writer, c call) error {
	answer := func(result string) error {
		return text(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, c.ID, result))(w)
	}
	switch c.Method {
	case "initialize":
		return answer(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},` +
			`"serverInfo":{"name":"hostile","version":"1.0.0"}}`)
	case "tools/list":
		listed := m.tools
		if listed == nil {
			for operation := range m.results {
				listed = append(listed, tool{strings.ReplaceAll(operation, ".", "_"), "The operation " + operation + ".",
					rawObject})
			}
		}
		list, err := json.Marshal(listed)
		if err != nil {
			return err
		}
		next := ""
		if m.paged != nil {
			next = fmt.Sprintf(`,"nextCursor":%q`, m.paged(c.Params.Cursor))
		}
		return answer(`{"tools":` + string(list) + next + `}`)
	case "tools/call":
		if m.tools != nil {
			return answer(`{"content":[{"type":"text","text":"{}"}],"structuredContent":{}}`)
		}
		operation, arguments := strings.Replace(c.Params.Name, "_", ".", 1), params{}
		_ = json.Unmarshal(c.Params.Arguments, &arguments) // an error leads to a refusal
		refused, isResult := m.refusal(operation, arguments)
		switch {
		case refused != "" && isResult:
			return answer(`{"content":[],"structuredContent":` + refused + `}`)
		case refused != "":
			return answer(`{"content":[],"structuredContent":{"error":` + refused + `},"isError":true}`)
		}
		return m.result(w, c.ID, m.writes(operation, arguments.ID), `{"content":[],"structuredContent":`, "}")
	}
	return m.result(w, c.ID, nil, "", "")
}

// Lines serves lines until the input ends.
func (m Mode) Lines(ctx context.Context, in io.Reader, peer Peer, mcp bool) error {
	if m.background != nil {
		go m.background(peer)
	}
	if m.fork {
		if err := startFork(); err != nil {
			return err
		}
	}
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return nil // the client has disconnected
		}
		if m.before != nil {
			if err := m.before(peer.Out); err != nil {
				return nil // the client has disconnected
			}
		}
		out := &counted{w: peer.Out}
		buffered := bufio.NewWriterSize(out, 1<<16)
		var w io.Writer = buffered
		if m.byteBySecond {
			w = out
		}
		if err := errors.Join(m.reply(ctx, w, line, mcp), buffered.Flush()); err != nil {
			return nil // as above
		}
		if out.written > 0 {
			_, _ = io.WriteString(peer.Out, "\n")
		}
	}
}

// counted counts what is written.
type counted struct {
	w       io.Writer
	written int
}

// Write implements io.Writer.
func (c *counted) Write(p []byte) (int, error) {
	c.written += len(p)
	return c.w.Write(p)
}

// startFork starts this program again as a process that ignores signals. It has the same arguments, by
// which it can be found.
func startFork() error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("hostile: %w", err)
	}
	arguments := append([]string{"remain"}, os.Args[1:]...)
	return exec.CommandContext(context.Background(), self, arguments...).Start()
}

// IgnoreSignals ignores signals until ctx ends.
func IgnoreSignals(ctx context.Context) {
	signal.Ignore(os.Interrupt, syscall.SIGTERM)
	<-ctx.Done()
}

// Handler serves over HTTP: JSON-RPC on /rpc, MCP on /mcp, the binding of CHP elsewhere.
func (m Mode) Handler() http.Handler {
	const maxRequest = 64 << 20
	var responses atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
		if err != nil {
			return
		}
		switch {
		case m.http != nil:
			raw(w, m.http)
			return
		case m.listening != nil && r.Method == http.MethodGet:
			raw(w, m.listening)
			return
		case m.session != nil:
			w.Header().Set("Mcp-Session-Id", m.session(responses.Add(1)))
		}
		w.Header().Set("Content-Type", "application/json")
		switch {
		case r.URL.Path == "/mcp" && r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case r.URL.Path == "/rpc", r.URL.Path == "/mcp":
			err = m.reply(r.Context(), w, body, r.URL.Path == "/mcp")
		default:
			err = m.evidence(w, r)
		}
		if err != nil {
			panic(http.ErrAbortHandler) // the client has disconnected
		}
	})
}

// evidence answers like the HTTP binding of CHP.
func (m Mode) evidence(w http.ResponseWriter, r *http.Request) error {
	name := strings.Split(strings.TrimPrefix(r.URL.Path, "/"), "/")[0]
	operation := map[string]string{"host": opHost, "capabilities": opCapabilities, "invoke": opChpInvoke,
		"replay": opReplay}[name]
	write := m.results[operation]
	if write == nil {
		w.WriteHeader(http.StatusNotFound)
		return nil
	}
	return write(w)
}

// raw takes over the connection and writes the bytes of a mode.
func raw(w http.ResponseWriter, write func(rawResponse)) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer connection.Close()
	write(connection)
}

// gzipBomb writes 1 GB of blanks, compressed to 1 MB.
func gzipBomb(w rawResponse) {
	if _, err := io.WriteString(w,
		"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\n\r\n"); err != nil {
		return
	}
	compressed := newGzipWriter(w)
	if repeated("", " ", "", gigabyte)(compressed) == nil {
		_ = compressed.Close()
	}
}

func newGzipWriter(w io.Writer) *gzip.Writer {
	compressed, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return gzip.NewWriter(w) // the level is one that exists
	}
	return compressed
}
