package environment

import (
	"context"
	"net/http"
	"strings"
	"sync"
)

// Tools plays the targets of tool bindings: HTTP addresses, MCP servers and agents.
type Tools struct {
	runContext context.Context
	base       string
	calls      records[Call]

	mu       sync.Mutex
	released map[string]chan struct{}
	servers  map[string]http.Handler
}

// The keys of services in acp.configure: two MCP servers that offer each behaviour as an action, two
// agents that echo, and an agent that reports done.
const (
	Service      = "did:nuwa:mcp:capconform:v1"
	OtherService = "did:nuwa:mcp:capconform-other:v1"
	Agent        = "did:nuwa:agent:capconform"
	OtherAgent   = "did:nuwa:agent:capconform-other"
	DoneAgent    = "did:nuwa:agent:capconform-done"
)

func newTools(runContext context.Context, base string) *Tools {
	t := &Tools{runContext: runContext, base: base, released: map[string]chan struct{}{}}
	t.servers = map[string]http.Handler{"one": mcpServer(Service, t.recordCall),
		"other": mcpServer(OtherService, t.recordCall)}
	return t
}

// servicePaths contains the paths of the services below the base URL of all tools.
var servicePaths = map[string]string{
	Service: "mcp/one", OtherService: "mcp/other", Agent: "agent/one", OtherAgent: "agent/other", DoneAgent: "agent/done",
}

// services returns the value of services in acp.configure.
func (t *Tools) services() map[string]string {
	all := map[string]string{}
	for uri, place := range servicePaths {
		all[uri] = t.base + "/" + place
	}
	return all
}

// ServiceAt returns the URI of the service at a path below the base URL of all tools, "" if there is
// none.
func ServiceAt(path string) string {
	for uri, place := range servicePaths {
		if place == path {
			return uri
		}
	}
	return ""
}

// URL returns a URL for http_get and http_post. The mark distinguishes its calls from others.
func (t *Tools) URL(behaviour Behaviour, mark string) string {
	return t.base + "/http/" + string(behaviour) + "/" + mark
}

// Calls returns the calls that contain a mark in their path, query, body or arguments.
func (t *Tools) Calls(mark string) []Call {
	return t.calls.filter(func(c Call) bool { return strings.Contains(c.text(), mark) })
}

// Release ends the waiting of hanging calls with a mark, including later ones.
func (t *Tools) Release(mark string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.releaseChannel(mark):
	default:
		close(t.releaseChannel(mark))
	}
}

// releaseChannel returns the channel that Release closes. The caller must hold the lock.
func (t *Tools) releaseChannel(mark string) chan struct{} {
	if t.released[mark] == nil {
		t.released[mark] = make(chan struct{})
	}
	return t.released[mark]
}

// waitForRelease waits until a call is released, its client disconnects, or the run ends.
func (t *Tools) waitForRelease(ctx context.Context, c Call) {
	t.mu.Lock()
	opened := t.releaseChannel(lastMark(c.text()))
	t.mu.Unlock()
	select {
	case <-opened:
	case <-ctx.Done():
	case <-t.runContext.Done():
	}
}

// recordCall stores a call, adds its reply, and waits if the call must hang.
func (t *Tools) recordCall(ctx context.Context, c Call) Call {
	c.Reply = "reply-" + NewMark()
	t.calls.add(c)
	if c.Behaviour == Hangs {
		t.waitForRelease(ctx, c)
	}
	return c
}

func (t *Tools) serve(w http.ResponseWriter, r *http.Request, rest string) {
	kind, rest, _ := strings.Cut(rest, "/")
	switch kind {
	case "http":
		t.serveHTTP(w, r, rest)
	case "agent":
		t.serveAgent(w, r, rest)
	case "mcp":
		if server := t.servers[rest]; server != nil {
			server.ServeHTTP(w, r)
			return
		}
		http.NotFound(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (t *Tools) serveHTTP(w http.ResponseWriter, r *http.Request, rest string) {
	behaviour, path, _ := strings.Cut(rest, "/")
	body, read := readBody(w, r)
	if !read {
		return
	}
	c := t.recordCall(r.Context(),
		Call{Kind: "http", Behaviour: Behaviour(behaviour), Method: r.Method, Path: path, Query: r.URL.Query(), Body: body})
	switch c.Behaviour {
	case Fails:
		writeJSON(w, http.StatusInternalServerError, c.answer())
	case EchoText:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("reply: " + c.Reply)) // the client may have closed the connection
	default:
		writeJSON(w, http.StatusOK, c.answer())
	}
}

func (t *Tools) serveAgent(w http.ResponseWriter, r *http.Request, rest string) {
	did := ServiceAt("agent/" + rest)
	if did == "" || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, read := readBody(w, r)
	if !read {
		return
	}
	behaviour := Echo
	if did == DoneAgent {
		behaviour = Done
	}
	c := t.recordCall(r.Context(),
		Call{Kind: "agent", Service: did, Behaviour: behaviour, Method: r.Method, Query: r.URL.Query(), Body: body})
	writeJSON(w, http.StatusOK, c.answer())
}
