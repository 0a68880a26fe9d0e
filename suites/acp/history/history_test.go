package history

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/record"
)

func TestRequestsOfSubjectAreRead(t *testing.T) {
	h := New()
	asked := func(party record.Party, operation, sent, received string) {
		e := record.Entry{
			Begun:     1,
			Done:      2,
			Party:     party,
			From:      record.Target,
			Operation: operation,
			Status:    200,
			Outcome:   record.Returned,
		}
		e.Sent, e.Received = record.NewBody([]byte(sent)), record.NewBody([]byte(received))
		h.Add(e)
	}
	asked(record.Model, "POST /v1/chat/completions", `{"model":"m","messages":[{"role":"user","content":"Hello mk0123456789abcdef"}]}`, `{}`)
	asked(record.Model, "GET /v1/models", "", `{}`)
	asked(record.Gateway, "GET /ipfs/bafy", "", "bytes")
	asked(record.Resolver, "GET /1.0/identifiers/did%3Akey%3Az1", "", `{}`)
	asked(record.Chain, "POST /rpc", `{"method":"acp.publish","params":{"cid":"bafy"}}`, `{}`)
	asked(record.Service, "GET /http/done/place?topic=a%20b", "", `{}`)
	asked(record.Service, "POST /agent/done", `{"a":1}`, `{}`)
	asked(record.Service, "POST /mcp/other", `{"method":"tools/call","params":{"name":"echo","arguments":{"b":2}}}`, `{}`)
	asked(record.Service, "POST /mcp/other", `{"method":"initialize"}`, `{}`)

	models := h.RequestsTo(record.Model)
	if q := models[0].ChatRequest(); q == nil || q.Mark != "mk0123456789abcdef" {
		t.Errorf("the request to the model is read as %+v", q)
	}
	if models[1].ChatRequest() != nil {
		t.Error("a list of models is read as a request to a model")
	}
	if got := h.RequestsTo(record.Gateway)[0].RequestedCID(); got != "bafy" {
		t.Errorf("fetched %q", got)
	}
	if method, params := h.RequestsTo(record.Chain)[0].ChainCall(); method != "acp.publish" || params["cid"] != "bafy" {
		t.Errorf("called %s with %v", method, params)
	}
	type use struct{ Kind, Service, Behaviour, Place, Topic, Arguments string }
	var got []use
	for _, a := range h.RequestsTo(record.Service) {
		if u := a.ServiceCall(); u != nil {
			got = append(got, use{u.Kind, u.Service, u.Behaviour, u.ServicePath, u.Query.Get("topic"), string(u.Arguments)})
		}
	}
	want := []use{
		{Kind: "http", Behaviour: "done", Place: "place", Topic: "a b"},
		{Kind: "agent", Service: environment.DoneAgent, Behaviour: "done"},
		{Kind: "mcp", Service: environment.OtherService, Behaviour: "echo", Arguments: `{"b":2}`},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("uses of services (-want +got)\n%s", diff)
	}
}
