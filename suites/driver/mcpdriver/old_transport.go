package mcpdriver

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// ErrOldTransport reports that a server has only the transport that MCP had in its revision 2024-11-05.
var ErrOldTransport = errors.New("the server appears to use the transport HTTP+SSE of MCP 2024-11-05, which capconform " +
	"does not support; serve it over streamable HTTP or stdio")

// firstEventTime is how long a server may take for the first event of a stream.
const firstEventTime = 2 * time.Second

// explainHandshake adds to the error of a handshake that the server has only the transport HTTP+SSE, if it
// has. The error wraps ErrUnreachable and ErrOldTransport.
func explainHandshake(ctx context.Context, w wire, err error) error {
	h, overStreamable := w.(*overHTTP)
	if !overStreamable || !errors.Is(err, ErrNoMCP) || !h.servesEndpoint(ctx) {
		return err
	}
	return fmt.Errorf("%w: %w", &driver.CallError{Kind: driver.ErrUnreachable, Detail: "mcpdriver"}, ErrOldTransport)
}

// servesEndpoint reports whether a GET of the URL returns a stream whose first event names the URL for
// messages. Only the transport HTTP+SSE has such an event.
func (h *overHTTP) servesEndpoint(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, firstEventTime)
	defer cancel()
	response := h.standingStream(ctx, "")
	if response == nil {
		return false
	}
	defer response.Body.Close()
	first, err := httpdriver.NewEvents(response.Body, h.config.Limits.Message, h.config.Limits.Total).Next()
	return err == nil && first.Name == "endpoint"
}
