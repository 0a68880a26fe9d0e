// Package environment plays the services that an ACP router, index or publisher calls in
// production: content gateway, DID resolver, language model, the services behind
// tool bindings, and the chain. All of it is served on loopback, in the forms of
// suites/acp/ADAPTER.md.
//
// Nothing here judges. Each part serves what it was told to and keeps a record of
// what it was asked; scenarios tell their own requests from those of others by
// marks, contents and names that nobody used before.
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

// Environment serves any number of runs at once from one address. It listens as
// long as a run is open. The zero value is ready, and safe for concurrent use.
type Environment struct {
	mu     sync.Mutex
	server *server
	runs   map[string]*Run
	opened int
}

// server is what listens while runs are open.
type server struct {
	base    string // http://127.0.0.1:PORT
	http    *http.Server
	stop    context.CancelFunc
	ended   chan struct{} // the accepting goroutine is gone
	serving sync.WaitGroup
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
	run := newRun(e.server.base+runs+id, func() error { return e.release(id) })
	e.runs[id] = run
	return run, nil
}

// release ends a run, and with the last one the server: no request is answered and
// no goroutine is left when it returns.
func (e *Environment) release(id string) error {
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
	listener, err := net.Listen("tcp", "127.0.0.1:0") // it neither dials nor resolves
	if err != nil {
		return nil, fmt.Errorf("environment: %w", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	s := &server{base: "http://" + listener.Addr().String(), stop: stop, ended: make(chan struct{})}
	s.http = &http.Server{
		Handler:           http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.serve(s, w, r) }),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       time.Minute,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          log.New(io.Discard, "", 0), // a subject that breaks off is no news
	}
	go func() {
		defer close(s.ended)
		_ = s.http.Serve(listener) // ends with ErrServerClosed, or with a listener that is gone
	}()
	return s, nil
}

// close interrupts the requests in progress and waits until they end.
func (s *server) close() error {
	s.stop()
	err := s.http.Close()
	<-s.ended
	s.serving.Wait()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("environment: %w", err)
	}
	return nil
}

// serve answers a request. The path is taken as it is: a DID or a CID is
// no file name that could be cleaned.
func (e *Environment) serve(s *server, w http.ResponseWriter, r *http.Request) {
	run := e.enter(s, r)
	if run == nil {
		http.NotFound(w, r)
		return
	}
	defer s.serving.Done()
	defer func() {
		switch fault := recover(); fault {
		case nil:
		case http.ErrAbortHandler:
			panic(fault) // how a part closes a connection in its client's face
		default:
			http.Error(w, fmt.Sprint("environment: ", fault), http.StatusInternalServerError)
		}
	}()
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	run.serve(w, r)
}

// enter finds the run that a request is for, and counts the request as under way.
func (e *Environment) enter(s *server, r *http.Request) *Run {
	id, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, runs), "/")
	e.mu.Lock()
	defer e.mu.Unlock()
	run := e.runs[id]
	if e.server != s || run == nil {
		return nil
	}
	s.serving.Add(1)
	return run
}
