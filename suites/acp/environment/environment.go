// Package environment plays the services that an ACP router, index or publisher calls in production:
// content gateway, DID resolver, language model, the services of tool bindings, and the chain. All are
// served on loopback, in the forms of suites/acp/ADAPTER.md.
//
// The package judges nothing. Each service answers as it was configured and records the requests that it
// receives. Scenarios recognise their own requests by marks, contents and names that are used only once.
package environment

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Environment serves any number of runs at the same time from one address. It listens while at least one
// run is open. The zero value is ready to use and safe for concurrent use.
type Environment struct {
	mu     sync.Mutex
	server *server
	runs   map[string]*Run
	opened int
}

// server is the HTTP server while runs are open.
type server struct {
	base       string // http://127.0.0.1:PORT
	http       *http.Server
	stop       context.CancelFunc
	done       chan struct{} // closed when the accepting goroutine has ended
	inProgress sync.WaitGroup
}

// Open begins a run with separate base paths. The first run starts the server.
func (e *Environment) Open() (*Run, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.server == nil {
		started, err := e.listen()
		if err != nil {
			return nil, err
		}
		e.server, e.runs = started, map[string]*Run{}
	}
	e.opened++
	id := strconv.Itoa(e.opened)
	run := newRun(e.server.base+runPathPrefix+id, func() error { return e.endRun(id) })
	e.runs[id] = run
	return run, nil
}

// endRun ends a run, and with the last run the server. Then, when endRun returns, no request is being
// answered and no goroutine is left.
func (e *Environment) endRun(id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.runs[id] == nil {
		return nil
	}
	delete(e.runs, id)
	if len(e.runs) > 0 {
		return nil
	}
	ending := e.server
	e.server = nil
	return ending.close()
}

func (e *Environment) listen() (*server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0") // it neither dials nor resolves names
	if err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &server{base: "http://" + listener.Addr().String(), stop: stop, done: make(chan struct{})}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.serve(s, w, r) }),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // a client that closes its connection is not an error
	}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // returns ErrServerClosed, or an error if the listener was closed
	}()
	return s, nil
}

// close interrupts the requests in progress and waits until they end.
func (s *server) close() error {
	s.stop()
	err := s.http.Close()
	<-s.done
	s.inProgress.Wait()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("environment: %w", err)
	}
	return nil
}

// serve answers a request. The path is used unchanged, because a DID or a CID in it must not be cleaned
// like a file name.
func (e *Environment) serve(s *server, w http.ResponseWriter, r *http.Request) {
	run := e.beginRequest(s, r)
	if run == nil {
		http.NotFound(w, r)
		return
	}
	defer s.inProgress.Done()
	defer func() {
		switch fault := recover(); fault {
		case nil:
		case http.ErrAbortHandler:
			panic(fault) // this is how a service closes a connection without an answer
		default:
			http.Error(w, fmt.Sprint("environment: ", fault), http.StatusInternalServerError)
		}
	}()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	run.serve(w, r)
}

// beginRequest returns the run of a request and counts the request as in progress. It returns nil if
// there is no run.
func (e *Environment) beginRequest(s *server, r *http.Request) *Run {
	id, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, runPathPrefix), "/")
	e.mu.Lock()
	defer e.mu.Unlock()
	run := e.runs[id]
	if e.server != s || run == nil {
		return nil
	}
	s.inProgress.Add(1)
	return run
}
