package plainmcp

import (
	"context"
	"crypto/rand"
	"io"
	"net/http"
	"sync"

	"github.com/capconform/capconform/reference"
)

// maxMessage limits the size of one message.
const maxMessage = 8 << 20

// ServeStdio serves one session, one message per line. It ends when reference.ServeStdio ends.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	// Replies and messages of the server share the output; each message is one write.
	shared := &sharedWriter{out: out}
	carry := func(message []byte) {
		// A write error means that the client has disconnected.
		_, _ = shared.Write(append(message, '\n'))
	}
	session := s.newSession()
	return reference.ServeStdio(ctx, in, shared, func(ctx context.Context, message []byte) []byte {
		return session.handle(ctx, message, carry)
	})
}

type sharedWriter struct {
	mutex sync.Mutex
	out   io.Writer
}

func (w *sharedWriter) Write(p []byte) (int, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.out.Write(p)
}

// Handler serves sessions over streamable HTTP, on every path: POST for
// messages, DELETE to end a session, no separate stream for GET.
func (s *Server) Handler() http.Handler {
	return &streamable{server: s, sessions: map[string]*Session{}}
}

type streamable struct {
	server   *Server
	mutex    sync.Mutex
	sessions map[string]*Session
}

const sessionHeader = "Mcp-Session-Id"

func (h *streamable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
		h.post(w, r)
	case http.MethodDelete:
		h.mutex.Lock()
		delete(h.sessions, r.Header.Get(sessionHeader))
		h.mutex.Unlock()
	default:
		w.Header().Set("Allow", "POST, DELETE")
		w.WriteHeader(http.StatusMethodNotAllowed)
	}
}

func (h *streamable) post(w http.ResponseWriter, r *http.Request) {
	message, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		http.Error(w, "message is over 8 MiB", http.StatusRequestEntityTooLarge)
		return
	}
	stream := &events{w: w, streams: h.server.Streams, noResponse: isNotification(message)}
	session, err := h.session(w, r, isInitialize(message))
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	reply := session.handle(r.Context(), message, stream.event)
	if reply == nil && !stream.begun {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	stream.end(reply)
}

func (h *streamable) session(w http.ResponseWriter, r *http.Request, first bool) (*Session, error) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if first {
		id, session := rand.Text(), h.server.newSession()
		h.sessions[id] = session
		w.Header().Set(sessionHeader, id)
		return session, nil
	}
	session := h.sessions[r.Header.Get(sessionHeader)]
	if session == nil {
		return nil, errNoSession
	}
	return session, nil
}

// events is the response to one request: one JSON message, or a stream of events if the
// server sends anything before the reply.
type events struct {
	w          http.ResponseWriter
	streams    bool
	begun      bool
	noResponse bool // the message has no response, so nothing can be sent with it
}

func (e *events) event(message []byte) {
	if e.noResponse {
		return
	}
	if !e.begun {
		e.begun = true
		e.w.Header().Set("Content-Type", "text/event-stream")
	}
	_, _ = e.w.Write([]byte("event: message\ndata: " + string(message) + "\n\n"))
	// The client must see it now; a writer that cannot flush is not a stream.
	_ = http.NewResponseController(e.w).Flush()
}

func (e *events) end(reply []byte) {
	switch {
	case reply == nil:
	case e.begun || e.streams:
		e.event(reply)
	default:
		e.w.Header().Set("Content-Type", "application/json")
		_, _ = e.w.Write(reply)
	}
}
