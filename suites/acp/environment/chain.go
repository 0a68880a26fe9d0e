package environment

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"
)

// Chain is the chain with its registry contract, as a router, an index and a publisher access it: POST
// /rpc with acp.publish, acp.get and acp.events.
type Chain struct {
	Address string // the value of registry in acp.configure

	mu     sync.Mutex
	events []Event
}

// Registration is the record of a published package on the chain.
type Registration struct {
	CapURI string `json:"cap_uri"`
	Semver string `json:"semver"`
	CID    string `json:"cid"`
	SHA256 string `json:"sha256"`
	Author string `json:"author,omitempty"` // the DID of the publisher, "" if it was not stated
}

// Event is a registration with its position in the order of events, starting at 1.
type Event struct {
	Position int `json:"position"`
	Registration
}

// Publish registers a package for the harness itself, and emits the event.
func (c *Chain) Publish(registration Registration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, Event{Position: len(c.events) + 1, Registration: registration})
}

func (c *Chain) serve(w http.ResponseWriter, r *http.Request, rest string) {
	if rest != "rpc" || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, read := readBody(w, r)
	if !read {
		return
	}
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	if err := json.Unmarshal(body, &request); err != nil {
		writeJSON(w, http.StatusOK,
			rpcReply{ID: json.RawMessage("null"), Error: &rpcError{Code: -32700, Message: "no JSON-RPC request"}})
		return
	}
	result, refused := c.call(request.Method, request.Params)
	if request.ID == nil {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	writeJSON(w, http.StatusOK, rpcReply{ID: request.ID, Result: result, Error: refused})
}

// rpcReply is a JSON-RPC 2.0 response.
type rpcReply struct {
	Version rpcVersion      `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  any             `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcVersion struct{}

// MarshalJSON implements json.Marshaler.
func (rpcVersion) MarshalJSON() ([]byte, error) { return []byte(`"2.0"`), nil }

type rpcError struct {
	Code    int               `json:"code"`
	Message string            `json:"message"`
	Data    map[string]string `json:"data,omitempty"`
}

func (c *Chain) call(method string, params json.RawMessage) (any, *rpcError) {
	operation := map[string]func(json.RawMessage) (any, *rpcError){
		"acp.publish": c.publish, "acp.get": c.get, "acp.events": c.eventsSince,
	}[method]
	if operation == nil {
		return nil, &rpcError{Code: -32601, Message: "no such method: " + method}
	}
	return operation(params)
}

func (c *Chain) publish(params json.RawMessage) (any, *rpcError) {
	var sent struct {
		Registration
		Author json.RawMessage `json:"author"` // a DID, or an object that names it
	}
	if err := json.Unmarshal(params, &sent); err != nil {
		return nil, invalidParams(err.Error())
	}
	sent.Registration.Author = authorOf(sent.Author)
	if sent.CapURI == "" || sent.CID == "" {
		return nil, invalidParams("cap_uri or cid is missing")
	}
	c.Publish(sent.Registration)
	return map[string]any{}, nil
}

func authorOf(raw json.RawMessage) string {
	var named struct {
		DID string `json:"did"`
	}
	var did string
	if json.Unmarshal(raw, &did) == nil {
		return did
	}
	_ = json.Unmarshal(raw, &named) // any other value names no author
	return named.DID
}

func (c *Chain) get(params json.RawMessage) (any, *rpcError) {
	var request struct {
		CapURI string `json:"cap_uri"`
	}
	if err := json.Unmarshal(params, &request); err != nil {
		return nil, invalidParams(err.Error())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range slices.Backward(c.events) {
		if e.CapURI == request.CapURI {
			return e.Registration, nil
		}
	}
	return nil, &rpcError{Code: -32000, Message: "nothing is registered as " + request.CapURI,
		Data: map[string]string{"code": "NOT_FOUND"}}
}

func (c *Chain) eventsSince(params json.RawMessage) (any, *rpcError) {
	var request struct {
		Since int `json:"since"`
	}
	if err := json.Unmarshal(params, &request); err != nil {
		return nil, invalidParams(err.Error())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	first := min(max(request.Since, 0), len(c.events))
	return map[string]any{"events": slices.Clone(c.events[first:])}, nil
}

func invalidParams(why string) *rpcError { return &rpcError{Code: -32602, Message: why} }
