package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reference/plainmcp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// The ways to reach a host.
const (
	InProcess = "inproc"
	overHTTP  = "http"
	overStdio = "stdio"
	mcpHTTP   = "mcp-http"
	mcpStdio  = "mcp-stdio"
)

// Drivers names the ways to reach a host. MCP counts twice: over HTTP and over stdio.
func Drivers() []string { return []string{InProcess, overHTTP, overStdio, mcpHTTP, mcpStdio} }

// front is a host in the form that each driver needs. A nil member means that the host does not
// offer it.
type front struct {
	name   string
	handle inproc.Handler
	http   http.Handler
	mcp    http.Handler
	lines  func(ctx context.Context, connection net.Conn) error
	tools  func(ctx context.Context, connection net.Conn) error // MCP over lines
	// restart is nil if the host has no restart. close is never nil, and ends the host.
	restart func(ctx context.Context) error
	close   func() error
}

// nothing is the close function of a host without resources.
func nothing() error { return nil }

func frontOfReference(name string, options reference.Options) (front, error) {
	host, err := reference.New(options)
	if err != nil {
		return front{}, fmt.Errorf("proof: %s: %w", name, err)
	}
	return front{
		name: name, handle: host.Handle, http: host.HTTPHandler(), mcp: reference.MCPHandler(host, reference.MCPOptions{}),
		lines:   func(ctx context.Context, c net.Conn) error { return reference.ServeStdio(ctx, c, c, host.Handle) },
		tools:   func(ctx context.Context, c net.Conn) error { return reference.ServeMCP(ctx, c, c, host) },
		restart: host.Restarter(), close: host.Close,
	}, nil
}

func frontOfNull(host null.Host) front {
	serve := func(ctx context.Context, c net.Conn) error { return host.Stdio(ctx, c, c) }
	return front{name: host.Name, handle: host.Handle, http: host.HTTP, mcp: host.HTTP, lines: serve,
		tools: serve, close: nothing}
}

func frontOfPlain(name string, server *plainmcp.Server) front {
	return front{
		name: name, mcp: server.Handler(),
		tools: func(ctx context.Context, c net.Conn) error { return server.ServeStdio(ctx, c, c) },
		close: nothing,
	}
}

// offers reports whether the host can be reached over a driver.
func (f front) offers(name string) bool {
	return map[string]bool{
		InProcess: f.handle != nil, overHTTP: f.http != nil, overStdio: f.lines != nil, mcpHTTP: f.mcp != nil,
		mcpStdio: f.tools != nil,
	}[name]
}

// reached is a host that is served until it is stopped.
type reached struct {
	driver driver.Driver
	stop   func()
}

// reach serves the host as the driver expects it. The transport is real, and only its last step is
// in this process.
func (p *proving) reach(ctx context.Context, f front, over string, deadlines driver.Deadlines) (reached, error) {
	if !f.offers(over) {
		return reached{}, fmt.Errorf("proof: %s cannot be reached over %s", f.name, over)
	}
	var tools mcpdriver.Options
	var routes []driver.Route
	for _, s := range p.options.Suites {
		tools.Operations, routes = append(tools.Operations, s.Operations...), append(routes, s.Routes...)
	}
	switch over {
	case InProcess:
		return reached{inproc.NewWith(f.name, f.handle, driver.Limits{}, deadlines), func() {}}, nil
	case overHTTP, mcpHTTP:
		handler, path := f.http, ""
		if over == mcpHTTP {
			handler, path = f.mcp, "/mcp"
		}
		address, stop, err := serveHTTP(ctx, handler)
		config := httpdriver.Config{URL: "http://" + address + path, Deadlines: deadlines,
			Bindings: httpdriver.Bindings{}.WithRoutes(routes)}
		if over == mcpHTTP {
			return reached{driver.Lasting(mcpdriver.NewHTTP(config, tools)), stop}, err
		}
		return reached{driver.Lasting(httpdriver.New(config)), stop}, err
	default:
		serve := f.lines
		if over == mcpStdio {
			serve = f.tools
		}
		address, stop, err := serveLines(ctx, serve)
		config := stdiodriver.Config{Command: append(slices.Clone(p.options.Relay), address), Deadlines: deadlines}
		if over == mcpStdio {
			return reached{driver.Lasting(mcpdriver.NewStdio(config, tools)), stop}, err
		}
		return reached{driver.Lasting(stdiodriver.New(config)), stop}, err
	}
}

const anyPort = "127.0.0.1:0"

func serveHTTP(ctx context.Context, handler http.Handler) (address string, stop func(), err error) {
	listener, err := reference.Listen(ctx, anyPort)
	if err != nil {
		return "", nil, fmt.Errorf("proof: %w", err)
	}
	// Closed immediately instead of shut down: there is no client to wait for.
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends when it is closed, with an error that says so
	}()
	return listener.Addr().String(), func() { _ = server.Close(); <-ended }, nil
}

// serveLines serves a session for each relay that connects.
func serveLines(
	ctx context.Context, serve func(context.Context, net.Conn) error,
) (address string, stop func(), err error) {
	listener, err := reference.Listen(ctx, anyPort)
	if err != nil {
		return "", nil, fmt.Errorf("proof: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close() // a relay that is gone has taken all it will
				_ = serve(ctx, connection)
			}()
		}
	}()
	return listener.Addr().String(), func() { cancel(); _ = listener.Close() }, nil
}

// Relay copies between in and out and a TCP address. It is the child through which a host of this
// process is examined over stdio.
func Relay(ctx context.Context, address string, in io.Reader, out io.Writer) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !net.ParseIP(host).IsLoopback() {
		return fmt.Errorf("proof: %q is not a loopback address with a port", strings.ToValidUTF8(address, "?"))
	}
	var dialer net.Dialer
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("proof: %w", err)
	}
	defer connection.Close() // both streams have ended
	stop := context.AfterFunc(ctx, func() { _ = connection.Close() })
	defer stop()
	go func() {
		_, _ = io.Copy(connection, in)
		if half, ok := connection.(*net.TCPConn); ok {
			_ = half.CloseWrite()
		}
	}()
	if _, err := io.Copy(out, connection); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("proof: %w", err)
	}
	return nil
}
