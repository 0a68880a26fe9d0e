package trial

import (
	"context"
	"fmt"
	"net"
	"net/http"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reference/plainmcp"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// Front is a host in the form that each driver needs. A nil member means that the host does not
// offer it.
type Front struct {
	Name   string
	Handle inproc.Handler
	http   http.Handler
	mcp    http.Handler
	lines  func(ctx context.Context, connection net.Conn) error
	tools  func(ctx context.Context, connection net.Conn) error // MCP over lines
	// Restart is nil if the host has no restart. Close is never nil, and ends the host.
	Restart func(ctx context.Context) error
	Close   func() error
}

// noClose is the close function of a host without resources.
func noClose() error { return nil }

// FrontOfReference makes the reference host, or a mutant or variant of it.
func FrontOfReference(name string, options reference.Options) (Front, error) {
	host, err := reference.New(options)
	if err != nil {
		return Front{}, fmt.Errorf("trial: %s: %w", name, err)
	}
	return Front{
		Name: name, Handle: host.Handle, http: host.HTTPHandler(), mcp: reference.MCPHandler(host, reference.MCPOptions{}),
		lines:   func(ctx context.Context, c net.Conn) error { return reference.ServeStdio(ctx, c, c, host.Handle) },
		tools:   func(ctx context.Context, c net.Conn) error { return reference.ServeMCP(ctx, c, c, host) },
		Restart: host.Restarter(), Close: host.Close,
	}, nil
}

func frontOfNull(host null.Host) Front {
	serve := func(ctx context.Context, c net.Conn) error { return host.Stdio(ctx, c, c) }
	return Front{Name: host.Name, Handle: host.Handle, http: host.HTTP, mcp: host.HTTP, lines: serve,
		tools: serve, Close: noClose}
}

func frontOfPlain(name string, server *plainmcp.Server) Front {
	return Front{
		Name: name, mcp: server.Handler(),
		tools: func(ctx context.Context, c net.Conn) error { return server.ServeStdio(ctx, c, c) },
		Close: noClose,
	}
}

// offers reports whether the host can be reached over a driver.
func (f Front) offers(name string) bool {
	return map[string]bool{
		plan.InProcess: f.Handle != nil, plan.OverHTTP: f.http != nil, plan.OverStdio: f.lines != nil,
		plan.MCPHTTP: f.mcp != nil, plan.MCPStdio: f.tools != nil,
	}[name]
}
