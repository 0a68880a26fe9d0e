package mcpdriver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// noticeTime bounds a notification on which nothing depends.
const noticeTime = time.Second

// wire carries the methods of MCP.
type wire interface {
	Request(ctx context.Context, op driver.Operation) (driver.Answer, error)
	// Message sends a message unchanged; Messages reports whether the wire can do so.
	Message(ctx context.Context, op driver.Operation) (driver.Answer, error)
	Messages() bool
	// Heard returns what the server sent on its own.
	Heard(op driver.Operation) (driver.Answer, error)
	Notify(ctx context.Context, method string, params json.RawMessage) error
	// Negotiated informs the wire of the negotiated version, and of the exchanges of the
	// handshake.
	Negotiated(version string, handshake ...[]byte)
	// Modern returns a wire that carries the requests of ModernVersion. Legacy ends that.
	Modern() wire
	Legacy()
	// Listen makes the wire answer requests of the server outside of calls from now on.
	Listen()
	Warnings() []string
	Noise() driver.Noise
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

// Messages implements wire.
func (p onPeer) Messages() bool { return true }

// Modern implements wire. Over stdio, only the requests differ.
func (p onPeer) Modern() wire { return modern{p} }

// Legacy implements wire.
func (p onPeer) Legacy() {}

// Listen implements wire. Over stdio, all messages use the same streams.
func (p onPeer) Listen() {}

// Name implements wire.
func (p onPeer) Name() string { return "stdio" }

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
	if method == "initialize" || method == "server/discover" {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), noticeTime)
	defer cancel()
	_ = w.Notify(ctx, "notifications/cancelled", fmt.Appendf(nil, `{"requestId":%d,"reason":"no answer in time"}`, id))
}
