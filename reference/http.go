package reference

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"path"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
)

// Handler answers one message. Nil means that there is no reply.
type Handler func(ctx context.Context, request []byte) []byte

// maxMessage bounds the length of one message that a front end reads.
const maxMessage = 8 << 20

// shutdownTime is how long requests may continue after a stop. The slowest operation takes 10 ms; open
// streams are cut.
const shutdownTime = time.Second

// HTTPHandler serves JSON-RPC over HTTP: POST on any path that ends in /rpc, 404 elsewhere. The
// status is 200 if there is a reply, 204 for a notification, 413 for a body over 8 MiB.
func HTTPHandler(handle Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Base(r.URL.Path) != "rpc" {
			http.NotFound(w, r)
			return
		}
		if r.Method != http.MethodPost {
			w.Header().Set("Allow", http.MethodPost)
			http.Error(w, "POST only", http.StatusMethodNotAllowed)
			return
		}
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
		if err != nil {
			var tooLarge *http.MaxBytesError
			if errors.As(err, &tooLarge) {
				writeReply(w, http.StatusRequestEntityTooLarge, rpc.Fault(rpc.InvalidRequest, "message is over 8 MiB"))
			}
			return // otherwise the client has disconnected
		}
		writeReply(w, http.StatusOK, handle(r.Context(), body))
	})
}

// HTTPHandler serves the host over HTTP: JSON-RPC on every path that ends in /rpc, as the function
// HTTPHandler does, and also the HTTP binding of CHP and the lists of ACD, if these are mounted. If
// a key is required, every route except the public ones of that binding answers 401 without it.
func (h *Host) HTTPHandler() http.Handler {
	guarded := h.requireKey(HTTPHandler(h.Handle))
	if h.acd != nil {
		guarded = h.withLists(guarded)
	}
	if h.binding == nil {
		return guarded
	}
	routes := h.binding.Handler(h.route)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.acd != nil && acdhost.Serves(r) {
			guarded.ServeHTTP(w, r)
			return
		}
		// A correlation id may be "rpc" or end like that, so the binding comes first.
		if path.Base(r.URL.Path) == "rpc" && !h.binding.Serves(r) {
			guarded.ServeHTTP(w, r)
			return
		}
		routes.ServeHTTP(w, r)
	})
}

// withLists serves the paths of ACD's lists before everything else.
func (h *Host) withLists(others http.Handler) http.Handler {
	lists := h.requireKey(h.acd.Lists(h.route))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if acdhost.Serves(r) {
			lists.ServeHTTP(w, r)
			return
		}
		others.ServeHTTP(w, r)
	})
}

// requireKey requires the key of the host, if it has one.
func (h *Host) requireKey(handler http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !chphost.Admits(r, h.key) {
			writeReply(w, http.StatusUnauthorized, rpc.Fault(rpc.InvalidRequest, chphost.KeyHeader+" is missing or wrong"))
			return
		}
		handler.ServeHTTP(w, r)
	})
}

func writeReply(w http.ResponseWriter, status int, reply []byte) {
	if reply == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// An error here means that the client has disconnected.
	_, _ = w.Write(reply)
}

// Listen opens a TCP listener. An address without host means 127.0.0.1, port 0 selects a free one.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("reference: address %q: %w", address, err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	return listener, nil
}

// ServeHTTP serves until ctx ends, then lets requests finish within a second. It closes the
// listener and returns nil after a stop.
func ServeHTTP(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: time.Minute}
	stopped := make(chan struct{})
	cancel := context.AfterFunc(ctx, func() {
		defer close(stopped)
		ending, done := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer done()
		if server.Shutdown(ending) != nil {
			_ = server.Close() // this closes the remaining connections
		}
	})
	err := server.Serve(listener)
	if !cancel() {
		<-stopped
	}
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("reference: %w", err)
}
