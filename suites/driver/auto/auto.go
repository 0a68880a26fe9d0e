// Package auto finds out what a child speaks: MCP if its handshake succeeds, else
// JSON-RPC (DESIGN section 7).
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

// New gives a driver for a command whose protocol is not known.
func New(config stdiodriver.Config, options mcpdriver.Options) driver.Driver {
	return &command{config: config, options: options}
}

type command struct {
	config  stdiodriver.Config
	options mcpdriver.Options
	mcp     atomic.Bool // what was found last
}

// Target implements driver.Driver. The driver is the one that was found by Open.
func (c *command) Target() driver.Target {
	target := driver.Target{Driver: "stdio", Address: c.config.Address()}
	if c.mcp.Load() {
		target.Driver = "mcp"
	}
	return target
}

// Open implements driver.Driver. MCP's handshake comes first. To a child that
// answers it otherwise JSON-RPC is spoken; one that died of it is started afresh; one
// that says nothing before the handshake deadline is not reachable.
func (c *command) Open(ctx context.Context) (driver.Session, error) {
	peer, err := stdiodriver.Start(ctx, c.config, mcpdriver.Wire())
	if err != nil {
		return nil, err
	}
	until := time.Now().Add(c.config.Deadlines.WithDefaults().Handshake)
	bounded, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	session, err := mcpdriver.OnPeer(bounded, peer, c.options)
	c.mcp.Store(err == nil)
	switch {
	case err == nil:
		return session, nil
	case errors.Is(err, mcpdriver.ErrNoMCP) && peer.Alive():
		return stdiodriver.NewSession(peer), nil
	}
	// By the clock, since the peer may hear of its end before the context does.
	died := !peer.Alive() && ctx.Err() == nil && time.Now().Before(until)
	_ = peer.Close()
	if !died {
		return nil, err
	}
	return stdiodriver.New(c.config).Open(ctx)
}
