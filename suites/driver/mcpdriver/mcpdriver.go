// Package mcpdriver reaches an MCP server: as a child over stdio, or over streamable HTTP. It
// implements initialize, server/discover, tools/list and tools/call without an SDK, because an SDK can neither
// show nor survive a reply that it cannot decode, and such a reply must be judged (DESIGN section 9).
package mcpdriver

import (
	"context"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// NewStdio returns a driver for a server that is started as a child.
func NewStdio(config stdiodriver.Config, options Options) driver.Driver {
	return &server{
		target:   driver.Target{Driver: "mcp", Address: config.Address()},
		deadline: config.Deadlines, options: options.Restarting(config),
	}
}

// NewHTTP returns a driver for a server at a URL, which is used unchanged.
func NewHTTP(config httpdriver.Config, options Options) driver.Driver {
	target := httpdriver.New(config).Target()
	options.connect = func(ctx context.Context) (wire, error) { return connectHTTP(ctx, config) }
	return &server{
		target:   driver.Target{Driver: "mcp", Address: target.Address},
		deadline: config.Deadlines, options: options,
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

// server implements driver.Driver.
type server struct {
	target   driver.Target
	deadline driver.Deadlines
	options  Options
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
	return s.open(ctx, s.options)
}

func (s *server) open(ctx context.Context, options Options) (driver.Session, error) {
	w, err := options.connect(ctx)
	if err != nil {
		return nil, err
	}
	session, err := handshake(ctx, w, options)
	if err != nil && options.Newest && !w.Alive() && ctx.Err() == nil {
		_ = w.Close() // a server of an earlier revision may end at a request that precedes the handshake
		options.Newest = false
		return s.open(ctx, options)
	}
	if err != nil {
		err = explainHandshake(ctx, w, err)
		_ = w.Close()
		return nil, err
	}
	return session, nil
}
