// Package hostile lists hosts that try to harm a client: by endless answers, by answers that need
// much memory or time, and by actions outside the protocol (DESIGN section 12). docs/HOSTILE.md
// shows the resources of a run against each of them.
package hostile

import (
	"io"
	"slices"
	"strings"
)

// Wire is a way to reach a host.
type Wire string

// The wires over which the modes are served.
const (
	HTTP     Wire = "http"     // JSON-RPC 2.0, POST /rpc
	Stdio    Wire = "stdio"    // JSON-RPC 2.0, one message per line
	MCP      Wire = "mcp"      // MCP over stdio
	Stream   Wire = "mcp+http" // MCP over streamable HTTP, answers as JSON
	Evidence Wire = "chp"      // the HTTP binding of CHP
)

// Mode is one hostile host.
type Mode struct {
	Name          string
	Summary       string
	Suite         string // the suite to run against it
	Lawful        bool   // the host breaks nothing, so nothing may fail
	LaxValidation bool   // the host accepts inputs that its schema forbids, so that may fail
	Wires         []Wire // where the mode is served

	results      results                            // what the operations return
	listed       int                                // how many capabilities are listed, 0 for one
	replyInstead func(w io.Writer, id string) error // written instead of every reply
	before       func(w io.Writer) error            // lines: written before every reply
	background   func(p Peer)                       // lines: done while the process serves
	fork         bool                               // lines: a process that ignores signals is started
	byteBySecond bool                               // every answer comes one byte per second
	tools        []tool                             // MCP: the tools that are listed, nil for the operations
	paged        func(cursor string) (next string)  // MCP: the pages of tools/list
	session      func(n int64) string               // MCP over HTTP: the id that the nth response names
	listening    func(w rawResponse)                // MCP over HTTP: written to each GET
	http         func(w rawResponse)                // HTTP: written instead of every response
}

// Peer is what a mode may use in addition to its replies.
type Peer struct{ Out, Err io.Writer }

// results returns the function that writes the result of an operation, nil if the operation is
// unknown.
type results map[string]func(w io.Writer) error

// Find returns the mode with a name; trap is that of All.
func Find(name, trap string) (Mode, bool) {
	all := All(trap)
	at := slices.IndexFunc(all, func(m Mode) bool { return m.Name == name })
	if at < 0 {
		return Mode{}, false
	}
	return all[at], true
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

// repeated writes head, then n times body, then tail.
func repeated(head, body, tail string, n int64) func(io.Writer) error {
	return func(w io.Writer) error {
		if _, err := io.WriteString(w, head); err != nil {
			return err
		}
		const chunk = 64 << 10
		times := max(1, int64(chunk/len(body)))
		block := []byte(strings.Repeat(body, int(times)))
		for left := n; left > 0; left -= times {
			if _, err := w.Write(block[:min(left, times)*int64(len(body))]); err != nil {
				return err
			}
		}
		_, err := io.WriteString(w, tail)
		return err
	}
}

// numbered writes head, then n elements that each contain their number, then tail.
func numbered(head, tail string, n int, element func(i int) string) func(io.Writer) error {
	return func(w io.Writer) error {
		separator := head
		for i := range n {
			if _, err := io.WriteString(w, separator+element(i)); err != nil {
				return err
			}
			separator = ","
		}
		_, err := io.WriteString(w, tail)
		return err
	}
}
