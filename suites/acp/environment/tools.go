package environment

import (
	"context"
	"net/http"
	"strings"
	"sync"
)

// Tools is what tool bindings reach: HTTP addresses, MCP servers and agents.
type Tools struct {
	over  context.Context
	base  string
	calls records[Call]

	mu       sync.Mutex
	released map[string]chan struct{}
	servers  map[string]http.Handler
}

// What the map of services holds: two MCP servers that serve every behaviour as an
// action, two agents that echo, and one that says done.
const (
	Service      = "did:nuwa:mcp:capconform:v1"
	OtherService = "did:nuwa:mcp:capconform-other:v1"
	Agent        = "did:nuwa:agent:capconform"
	OtherAgent   = "did:nuwa:agent:capconform-other"
	DoneAgent    = "did:nuwa:agent:capconform-done"
)

func newTools(over context.Context, base string) *Tools {
	t := &Tools{over: over, base: base, released: map[string]chan struct{}{}}
	t.servers = map[string]http.Handler{"one": mcpServer(Service, t.record), "other": mcpServer(OtherService, t.record)}
	return t
}

// places are the paths of services below the address of all tools.
var places = map[string]string{
	Service: "mcp/one", OtherService: "mcp/other", Agent: "agent/one", OtherAgent: "agent/other", DoneAgent: "agent/done",
}

// services is the map of acp.configure.
func (t *Tools) services() map[string]string {
	all := map[string]string{}
	for uri, place := range places {
		all[uri] = t.base + "/" + place
	}
	return all
}

// ServiceAt returns the URI of the service at a path below the address of all tools, "" if
// there is none.
func ServiceAt(path string) string {
	for uri, place := range places {
		if place == path {
			return uri
		}
	}
	return ""
}

// URL is an address for http_get and http_post. The mark tells this address's
// calls from those of others.
func (t *Tools) URL(behaviour Behaviour, mark string) string {
	return t.base + "/http/" + string(behaviour) + "/" + mark
}

// Calls returns the calls in whose path, query, body or arguments a mark stands.
func (t *Tools) Calls(mark string) []Call {
	return t.calls.those(func(c Call) bool { return strings.Contains(c.text(), mark) })
}

// Release lets the hanging calls go that hold a mark, also those still to come.
func (t *Tools) Release(mark string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	select {
	case <-t.gate(mark):
	default:
		close(t.gate(mark))
	}
}

// gate returns the channel that Release closes. The caller holds the lock.
func (t *Tools) gate(mark string) chan struct{} {
	if t.released[mark] == nil {
		t.released[mark] = make(chan struct{})
	}
	return t.released[mark]
}

// hang waits until a call is let go, its client leaves, or the run ends.
func (t *Tools) hang(ctx context.Context, c Call) {
	t.mu.Lock()
	opened := t.gate(lastMark(c.text()))
	t.mu.Unlock()
	select {
	case <-opened:
	case <-ctx.Done():
	case <-t.over.Done():
	}
}

// record keeps a call, gives it its reply, and holds it back where it hangs.
func (t *Tools) record(ctx context.Context, c Call) Call {
	c.Reply = "reply-" + Mark()
	t.calls.add(c)
	if c.Behaviour == Hangs {
		t.hang(ctx, c)
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
	c := t.record(r.Context(),
		Call{Kind: "http", Behaviour: Behaviour(behaviour), Method: r.Method, Path: path, Query: r.URL.Query(), Body: body})
	switch c.Behaviour {
	case Fails:
		reply(w, http.StatusInternalServerError, c.answer())
	case EchoText:
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write([]byte("reply: " + c.Reply)) // a client that is gone needs no answer
	default:
		reply(w, http.StatusOK, c.answer())
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
	manner := Echo
	if did == DoneAgent {
		manner = Done
	}
	c := t.record(r.Context(),
		Call{Kind: "agent", Service: did, Behaviour: manner, Method: r.Method, Query: r.URL.Query(), Body: body})
	reply(w, http.StatusOK, c.answer())
}
