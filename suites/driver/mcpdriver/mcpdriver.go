// Package mcpdriver reaches an MCP server: as a child over stdio, or over streamable HTTP. It
// implements initialize, tools/list and tools/call without an SDK, because an SDK can neither show
// nor survive a reply that it cannot decode, and such a reply must be judged (DESIGN section 9).
package mcpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// Version is the requested protocol revision.
const Version = "2025-11-25"

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
	Bindings   Bindings // operations that tools of other names or shapes carry
}

// NewStdio returns a driver for a server that is started as a child.
func NewStdio(config stdiodriver.Config, options Options) driver.Driver {
	return &server{
		target:   driver.Target{Driver: "mcp", Address: config.Address()},
		deadline: config.Deadlines, options: options,
		connect: func(ctx context.Context) (wire, error) {
			peer, err := stdiodriver.Start(ctx, config, Wire())
			if err != nil {
				return nil, err
			}
			return onPeer{peer}, nil
		},
	}
}

// NewHTTP returns a driver for a server at a URL, which is used unchanged.
func NewHTTP(config httpdriver.Config, options Options) driver.Driver {
	target := httpdriver.New(config).Target()
	return &server{
		target:   driver.Target{Driver: "mcp", Address: target.Address},
		deadline: config.Deadlines, options: options,
		connect: func(ctx context.Context) (wire, error) { return connectHTTP(ctx, config) },
	}
}

// OnPeer speaks MCP to a running child. Its error contains a *driver.CallError, and also ErrNoMCP
// if the child answered, but not as an MCP server. After an error the child still belongs to the
// caller; otherwise the session owns it.
func OnPeer(ctx context.Context, peer *stdiodriver.Peer, options Options) (driver.Session, error) {
	return handshake(ctx, onPeer{peer}, options)
}

// Wire returns the options with which a child must be started if MCP may be spoken to it.
func Wire() stdiodriver.Wire {
	return stdiodriver.Wire{Serve: serve, Abandoned: func(p *stdiodriver.Peer, id int64, method string) {
		go cancelled(onPeer{p}, id, method) // concurrently, because the call has ended
	}}
}

// ErrNoMCP reports that a target answers, but without a valid initialize result.
var ErrNoMCP = errors.New("mcpdriver: no valid initialize result")

// wire carries the methods of MCP.
type wire interface {
	Request(ctx context.Context, op driver.Operation) (driver.Answer, error)
	Notify(ctx context.Context, method string, params json.RawMessage) error
	// Negotiated informs the wire of the negotiated version, and of the exchanges of the
	// handshake.
	Negotiated(version string, handshake ...[]byte)
	// Listen makes the wire answer requests of the server outside of calls from now on.
	Listen()
	Warnings() []string
	Limits() driver.Limits
	Alive() bool
	Close() error
	Name() string
}

// onPeer is the wire to a child.
type onPeer struct{ *stdiodriver.Peer }

// Negotiated implements wire.
func (p onPeer) Negotiated(_ string, handshake ...[]byte) {
	lines := make([]string, len(handshake))
	for i, line := range handshake {
		lines[i] = string(line)
	}
	p.Prelude(lines...)
}

// Listen implements wire. Over stdio, all messages use the same streams.
func (p onPeer) Listen() {}

// Name implements wire.
func (p onPeer) Name() string { return "stdio" }

// server implements driver.Driver.
type server struct {
	target   driver.Target
	deadline driver.Deadlines
	options  Options
	connect  func(context.Context) (wire, error)
}

// Target implements driver.Driver.
func (s *server) Target() driver.Target { return s.target }

// Open implements driver.Driver.
func (s *server) Open(ctx context.Context) (driver.Session, error) {
	if ctx.Err() != nil {
		return nil, &driver.CallError{Kind: driver.ContextKind(ctx), Detail: "mcpdriver: open"}
	}
	ctx, cancel := context.WithTimeout(ctx, s.deadline.WithDefaults().Handshake)
	defer cancel()
	w, err := s.connect(ctx)
	if err != nil {
		return nil, err
	}
	session, err := handshake(ctx, w, s.options)
	if err != nil {
		err = explained(ctx, w, err)
		_ = w.Close()
		return nil, err
	}
	return session, nil
}

// serve answers the requests that a server may send to a client without capabilities.
func serve(method string) json.RawMessage {
	if method == "ping" {
		return json.RawMessage("{}")
	}
	return nil
}

// cancelled informs the server that an answer is no longer awaited. The handshake cannot be
// cancelled.
func cancelled(w wire, id int64, method string) {
	if method == "initialize" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
	defer cancel()
	_ = w.Notify(ctx, "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d,"reason":"no answer in time"}`, id))
}
