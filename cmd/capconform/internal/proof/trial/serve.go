package trial

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"slices"
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// Bench contains what every run needs in addition to its host or document.
type Bench struct {
	Suites []*suites.Suite // the suites whose operations and routes the drivers know
	Relay  []string        // the command of the child that calls Relay with an address
}

// servedHost is a host that is served until it is stopped.
type servedHost struct {
	driver driver.Driver
	stop   func()
}

// serve serves the host as the driver expects it. The transport is real, and only its last step is
// in this process.
func (b Bench) serve(ctx context.Context, f Front, over string, deadlines driver.Deadlines) (servedHost, error) {
	if !f.offers(over) {
		return servedHost{}, fmt.Errorf("trial: %s cannot be reached over %s", f.Name, over)
	}
	var tools mcpdriver.Options
	var routes []driver.Route
	for _, s := range b.Suites {
		tools.Operations, routes = append(tools.Operations, s.Operations...), append(routes, s.Routes...)
	}
	switch over {
	case plan.InProcess:
		return servedHost{inproc.NewWith(f.Name, f.Handle, driver.Limits{}, deadlines), func() {}}, nil
	case plan.OverHTTP, plan.MCPHTTP:
		handler, path := f.http, ""
		if over == plan.MCPHTTP {
			handler, path = f.mcp, "/mcp"
		}
		address, stop, err := serveHTTP(ctx, handler)
		config := httpdriver.Config{URL: "http://" + address + path, Deadlines: deadlines,
			Bindings: httpdriver.Bindings{}.WithRoutes(routes)}
		if over == plan.MCPHTTP {
			return servedHost{driver.Reopening(mcpdriver.NewHTTP(config, tools)), stop}, err
		}
		return servedHost{driver.Reopening(httpdriver.New(config)), stop}, err
	default:
		serve := f.lines
		if over == plan.MCPStdio {
			serve = f.tools
		}
		address, stop, err := serveLines(ctx, serve)
		config := stdiodriver.Config{Command: append(slices.Clone(b.Relay), address), Deadlines: deadlines}
		if over == plan.MCPStdio {
			return servedHost{driver.Reopening(mcpdriver.NewStdio(config, tools)), stop}, err
		}
		return servedHost{driver.Reopening(stdiodriver.New(config)), stop}, err
	}
}

const anyPort = "127.0.0.1:0"

func serveHTTP(ctx context.Context, handler http.Handler) (address string, stop func(), err error) {
	listener, err := reference.Listen(ctx, anyPort)
	if err != nil {
		return "", nil, fmt.Errorf("trial: %w", err)
	}
	// The server is closed immediately and not shut down: there is no client to wait for.
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(listener) // it ends when it is closed, with http.ErrServerClosed
	}()
	return listener.Addr().String(), func() { _ = server.Close(); <-ended }, nil
}

// serveLines serves a session for each relay that connects.
func serveLines(
	ctx context.Context, serve func(context.Context, net.Conn) error,
) (address string, stop func(), err error) {
	listener, err := reference.Listen(ctx, anyPort)
	if err != nil {
		return "", nil, fmt.Errorf("trial: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer connection.Close() // the relay may have closed it already
				_ = serve(ctx, connection)
			}()
		}
	}()
	return listener.Addr().String(), func() { cancel(); _ = listener.Close() }, nil
}
