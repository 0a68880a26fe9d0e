package mcpdriver

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// Version is the requested revision of the protocol, of those with a handshake.
const Version = "2025-11-25"

// Versions returns the revisions that a user may select, the newest first.
func Versions() []string {
	return []string{ModernVersion, Version, "2025-06-18", "2025-03-26", "2024-11-05"}
}

// Mode is the meaning of the tools of a server.
type Mode string

// The modes of a target file (DESIGN section 8).
const (
	Auto       Mode = "auto"       // operations if one of them is among the tools, else adapter
	Adapter    Mode = "adapter"    // tools are the server's own: only MCP's own methods are carried
	Operations Mode = "operations" // each operation is a tool with _ for .
)

// Options are the additional options of MCP.
type Options struct {
	Mode       Mode     // empty means Auto
	Operations []string // the names of operations that Auto looks for among the tools
	Version    string   // the only revision to speak, one of Versions; empty: what the server speaks
	Newest     bool     // without Version: speak ModernVersion to a server that has both kinds of revisions
	Bindings   Bindings // operations that tools of other names or shapes carry

	connect func(context.Context) (wire, error) // makes a further connection; nil if none can be made
}

// Restarting returns the options with which a session can start the child once more, for a second handshake.
func (o Options) Restarting(config stdiodriver.Config) Options {
	o.connect = func(ctx context.Context) (wire, error) {
		peer, err := stdiodriver.Start(ctx, config, Wire())
		if err != nil {
			return nil, err
		}
		return onPeer{peer}, nil
	}
	return o
}

// ErrNoMCP reports that a target answers, but without a valid initialize result.
var ErrNoMCP = errors.New("mcpdriver: no valid initialize result")

// ErrVersion reports that a server does not speak the only version that Options permit.
var ErrVersion = errors.New("mcpdriver: another version")

// versionError is an error of a handshake, with its message.
type versionError struct{ error }

// Unwrap returns what else the failure means for the session.
func (e *versionError) Unwrap() []error { return []error{e.error, ErrVersion} }

// MalformedError reports that the answer to the handshake is no response of JSON-RPC 2.0. It wraps ErrNoMCP.
type MalformedError struct {
	Defect   string
	Received []byte // secrets masked
	failed   error
}

// shownAnswer bounds the answer in the message of a MalformedError, in bytes.
const shownAnswer = 100

// Error states what is wrong with the answer, and shows the beginning of the answer.
func (e *MalformedError) Error() string {
	text := strings.ToValidUTF8(string(bytes.TrimSpace(e.Received)), "\uFFFD")
	if len(text) > shownAnswer {
		text = strings.ToValidUTF8(text[:shownAnswer], "") + "..."
	}
	return "the answer to initialize is not a response of JSON-RPC 2.0: " + e.Defect + ": " + text
}

// Unwrap returns what the failure means for the session.
func (e *MalformedError) Unwrap() error { return e.failed }
