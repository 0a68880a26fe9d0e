// Package auto detects the protocol of a child: MCP if its handshake succeeds, otherwise JSON-RPC
// (DESIGN section 7).
package auto

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// New returns a driver for a command whose protocol is unknown.
func New(config stdiodriver.Config, options mcpdriver.Options) driver.Driver {
	return &command{config: config, options: options}
}

type command struct {
	config  stdiodriver.Config
	options mcpdriver.Options
	mcp     atomic.Bool // the last result
}

// Target implements driver.Driver. It names the driver that the last Open selected.
func (c *command) Target() driver.Target {
	target := driver.Target{Driver: "stdio", Address: c.config.Address()}
	if c.mcp.Load() {
		target.Driver = "mcp"
	}
	return target
}

// Open implements driver.Driver. It tries the handshake of MCP first. A child that answers in
// another way is addressed in JSON-RPC; if the handshake ended it, it is started again. A child
// that does not answer before the handshake deadline, or that ends after a valid answer to it, is unreachable.
func (c *command) Open(ctx context.Context) (driver.Session, error) {
	peer, err := stdiodriver.Start(ctx, c.config, mcpdriver.Wire())
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(c.config.Deadlines.WithDefaults().Handshake)
	bounded, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	session, err := mcpdriver.OnPeer(bounded, peer, c.options.Restarting(c.config))
	c.mcp.Store(err == nil)
	switch {
	case err == nil:
		return session, nil
	case errors.Is(err, mcpdriver.ErrNoMCP) && peer.Alive() && c.options.Version == "":
		return stdiodriver.NewSession(peer, malformedAnswer(err)), nil
	}
	// The clock decides, because the peer may notice its end before the context does.
	died := !peer.Alive() && ctx.Err() == nil && time.Now().Before(until)
	_ = peer.Close()
	if died && c.options.Newest { // a server of an earlier revision may end at a request that precedes the handshake
		older := command{config: c.config, options: c.options}
		older.options.Newest = false
		session, err := older.Open(ctx)
		c.mcp.Store(older.mcp.Load())
		return session, err
	}
	if !died || c.options.Version != "" || peer.Answered() && !errors.Is(err, mcpdriver.ErrNoMCP) {
		return nil, err
	}
	return stdiodriver.New(c.config).Open(ctx)
}

// malformedAnswer returns what is wrong with the answer to the handshake if it is no response of JSON-RPC, "" if it is
// one.
func malformedAnswer(err error) string {
	var failed *mcpdriver.MalformedError
	if !errors.As(err, &failed) {
		return ""
	}
	return failed.Error()
}
