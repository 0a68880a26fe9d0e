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

// Asked is one request of the subject to a party that the suite plays.
type Asked struct {
	Entry, Done    record.Tick
	Party          record.Party
	Method, Path   string
	Query          url.Values
	Sent, Received []byte // Sent is nil for a request to the model (see Question), Received is nil for downloads
	Status         int    // 0: the connection was closed

	question *environment.Request // set for a request to the model
	fetched  string               // the CID requested at the gateway, in canonical form
	readings record.Readings      // values that were derived from the request
}

// Readings returns the store for values that are derived from the request.
func (a *Asked) Readings() *record.Readings {
	if a == nil {
		return nil
	}
	return &a.readings
}

func (h *History) readAsked(e record.Entry) *Asked {
	a := &Asked{Entry: e.Begun, Done: e.Done, Party: e.Party, Status: e.Status}
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
	if cid := a.Fetched(); cid != "" {
		a.fetched, a.Received = content.Canonical(cid), nil
	}
	if a.Party == record.Model && strings.HasSuffix(a.Path, "/chat/completions") {
		question, _ := h.reader.Read(a.Sent) // a malformed request is kept, too
		a.question, a.Sent, question.Body = &question, nil, nil
	}
	return a
}

// size returns how many bytes of a request are kept.
func (a *Asked) size() int {
	size := len(a.Sent) + len(a.Received)
	if a.question != nil {
		size += a.question.Own
		for _, m := range a.question.Messages {
			size += len(m.Text)
		}
	}
	return size
}

// Question returns the request as a chat completion request to the model, nil if it is another request.
func (a *Asked) Question() *environment.Request { return a.question }

// Fetched returns the CID that was requested at the gateway, "" for any other request.
func (a *Asked) Fetched() string {
	cid, is := strings.CutPrefix(a.Path, "/ipfs/")
	if a.Party != record.Gateway || !is || a.Method == "POST" {
		return ""
	}
	return cid
}

// Operation returns the method and the params of a call to the chain.
func (a *Asked) Operation() (method string, params Object) {
	if a.Party != record.Chain {
		return "", nil
	}
	request := schemas.ReadObject(a.Sent)
	method, _ = request["method"].(string)
	params, _ = request["params"].(Object)
	return method, params
}

// Use is one call of a service behind a tool binding.
type Use struct {
	*Asked
	Kind      string // http, mcp or agent
	Service   string // the service URI or DID called; "" for http
	Behaviour string // the requested behaviour: see environment.Behaviour
	Place     string // for http: the path after the behaviour
	Arguments json.RawMessage
}

// Used returns a request as a call of a service, nil if it is not one, for example a handshake.
func (a *Asked) Used() *Use {
	if a.Party != record.Service {
		return nil
	}
	kind, rest, _ := strings.Cut(strings.TrimPrefix(a.Path, "/"), "/")
	u := &Use{Asked: a, Kind: kind}
	switch kind {
	case "http":
		u.Behaviour, u.Place, _ = strings.Cut(rest, "/")
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
func (h *History) FetchesOf(cid string) []*Asked {
	var all []*Asked
	cid = content.Canonical(cid)
	for _, a := range h.Asked(record.Gateway) {
		if a.fetched != "" && a.fetched == cid {
			all = append(all, a)
		}
	}
	return all
}
