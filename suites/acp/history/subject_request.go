package history

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/content"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/record"
)

// SubjectRequest is one request of the subject to a party that the suite plays.
type SubjectRequest struct {
	Entry, Done    record.Tick
	Party          record.Party
	Method, Path   string
	Query          url.Values
	Sent, Received []byte // Sent is nil for a request to the model (see ModelRequest), Received is nil for downloads
	Status         int    // 0: the connection was closed

	chat         *environment.Request // set for a request to the model
	requestedCID string               // the CID requested at the gateway, in canonical form
	readings     record.Readings      // values that were derived from the request
}

// Readings returns the store for values that are derived from the request.
func (a *SubjectRequest) Readings() *record.Readings {
	if a == nil {
		return nil
	}
	return &a.readings
}

func (h *History) readRequest(e record.Entry) *SubjectRequest {
	a := &SubjectRequest{Entry: e.Begun, Done: e.Done, Party: e.Party, Status: e.Status}
	a.Sent, _ = e.Sent.Text()         // a body that is missing from the record is read as empty
	a.Received, _ = e.Received.Text() // as above
	method, rest, _ := strings.Cut(e.Operation, " ")
	path, query, _ := strings.Cut(rest, "?")
	a.Method = method
	a.Query, _ = url.ParseQuery(query) // the valid part of the query
	var err error
	if a.Path, err = url.PathUnescape(path); err != nil {
		a.Path = path
	}
	if cid := a.RequestedCID(); cid != "" {
		a.requestedCID, a.Received = content.Canonical(cid), nil
	}
	if a.Party == record.Model && strings.HasSuffix(a.Path, "/chat/completions") {
		chat, _ := h.reader.Read(a.Sent) // a malformed request is kept, too
		a.chat, a.Sent, chat.Body = &chat, nil, nil
	}
	return a
}

// size returns how many bytes of a request are kept.
func (a *SubjectRequest) size() int {
	size := len(a.Sent) + len(a.Received)
	if a.chat != nil {
		size += a.chat.NewToolBytes
		for _, m := range a.chat.Messages {
			size += len(m.Text)
		}
	}
	return size
}

// ChatRequest returns the request as a chat completion request to the model, nil if it is another
// request.
func (a *SubjectRequest) ChatRequest() *environment.Request { return a.chat }

// RequestedCID returns the CID that was requested at the gateway, "" for any other request.
func (a *SubjectRequest) RequestedCID() string {
	cid, is := strings.CutPrefix(a.Path, "/ipfs/")
	if a.Party != record.Gateway || !is || a.Method == "POST" {
		return ""
	}
	return cid
}

// ChainCall returns the method and the params of a call to the chain.
func (a *SubjectRequest) ChainCall() (method string, params Object) {
	if a.Party != record.Chain {
		return "", nil
	}
	request := schemas.ReadObject(a.Sent)
	method, _ = request["method"].(string)
	params, _ = request["params"].(Object)
	return method, params
}

// ServiceCall is one call of a service behind a tool binding.
type ServiceCall struct {
	*SubjectRequest
	Kind        string // http, mcp or agent
	Service     string // the service URI or DID called; "" for http
	Behaviour   string // the requested behaviour: see environment.Behaviour
	ServicePath string // for http: the path after the behaviour
	Arguments   json.RawMessage
}

// ServiceCall returns a request as a call of a service, nil if it is not one, for example a handshake.
func (a *SubjectRequest) ServiceCall() *ServiceCall {
	if a.Party != record.Service {
		return nil
	}
	kind, rest, _ := strings.Cut(strings.TrimPrefix(a.Path, "/"), "/")
	u := &ServiceCall{SubjectRequest: a, Kind: kind}
	switch kind {
	case "http":
		u.Behaviour, u.ServicePath, _ = strings.Cut(rest, "/")
	case "agent":
		u.Service, u.Behaviour = environment.ServiceAt(kind+"/"+rest), string(environment.Echo)
		if u.Service == environment.DoneAgent {
			u.Behaviour = string(environment.Done)
		}
	case "mcp":
		u.Service = environment.ServiceAt(kind + "/" + rest)
		request := schemas.ReadObject(a.Sent)
		params, _ := request["params"].(Object)
		if request["method"] != "tools/call" {
			return nil
		}
		u.Behaviour, _ = params["name"].(string)
		u.Arguments, _ = json.Marshal(params["arguments"])
	}
	if u.Behaviour == "" || kind != "http" && u.Service == "" {
		return nil
	}
	return u
}

// FetchesOf returns the requests for a CID, in any notation of it.
func (h *History) FetchesOf(cid string) []*SubjectRequest {
	var all []*SubjectRequest
	cid = content.Canonical(cid)
	for _, a := range h.RequestsTo(record.Gateway) {
		if a.requestedCID != "" && a.requestedCID == cid {
			all = append(all, a)
		}
	}
	return all
}
