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

// Asked is one question of the subject to a party that the suite plays.
type Asked struct {
	Entry, Done    record.Tick
	Party          record.Party
	Method, Path   string
	Query          url.Values
	Sent, Received []byte // Sent is nil for a question to the model (see Question), Received for what was fetched
	Status         int    // 0: the connection was closed

	question *environment.Request // of the model
	fetched  string               // the CID that the gateway was asked for, in one notation
	readings record.Readings      // what is found out about it
}

// Readings keep what is read from the question.
func (a *Asked) Readings() *record.Readings {
	if a == nil {
		return nil
	}
	return &a.readings
}

func (h *History) readAsked(e record.Entry) *Asked {
	a := &Asked{Entry: e.Begun, Done: e.Done, Party: e.Party, Status: e.Status}
	a.Sent, _ = e.Sent.Text()         // a body that the record cannot give is taken for an empty one
	a.Received, _ = e.Received.Text() // as above
	method, rest, _ := strings.Cut(e.Operation, " ")
	path, query, _ := strings.Cut(rest, "?")
	a.Method = method
	a.Query, _ = url.ParseQuery(query) // what can be read of it
	var err error
	if a.Path, err = url.PathUnescape(path); err != nil {
		a.Path = path
	}
	if cid := a.Fetched(); cid != "" {
		a.fetched, a.Received = content.Canonical(cid), nil
	}
	if a.Party == record.Model && strings.HasSuffix(a.Path, "/chat/completions") {
		question, _ := h.reader.Read(a.Sent) // what is no request is kept all the same
		a.question, a.Sent, question.Body = &question, nil, nil
	}
	return a
}

// size returns how much of a question is kept, in bytes.
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

// Question is what the model was asked, nil if it was something else.
func (a *Asked) Question() *environment.Request { return a.question }

// Fetched returns the CID that the gateway was asked for; "" if it was asked for something
// else.
func (a *Asked) Fetched() string {
	cid, is := strings.CutPrefix(a.Path, "/ipfs/")
	if a.Party != record.Gateway || !is || a.Method == "POST" {
		return ""
	}
	return cid
}

// Operation returns method and params of a call of the chain.
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
	Behaviour string // what was asked for: see environment.Behaviour
	Place     string // of http: below the address's behaviour
	Arguments json.RawMessage
}

// Used reads a question as the call of a service, nil if it is none, such as a handshake.
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

// FetchesOf returns the requests for a CID, in whatever form it was written.
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
