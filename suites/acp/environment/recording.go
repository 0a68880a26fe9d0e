package environment

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/record"
)

// Witness receives the requests of a subject to the test doubles.
type Witness interface {
	Tick() record.Tick
	Enter(e record.Entry)
}

// parties maps the first word of a path within a run to the party of the record.
var parties = map[string]record.Party{
	"gateway": record.Gateway, "resolver": record.Resolver, "llm": record.Model,
	"tools": record.Service, "chain": record.Chain,
}

// exchangeRecorder passes the exchanges of a run to a witness.
type exchangeRecorder struct {
	mu      sync.Mutex
	witness Witness
	count   int
}

// nextWitness returns the witness for one more exchange, nil if no more exchanges are recorded.
func (b *exchangeRecorder) nextWitness() Witness {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.witness == nil || b.count >= maxRecords {
		return nil
	}
	b.count++
	return b.witness
}

// serveRecorded answers a request. It stores the exchange before it sends the answer, so that the
// exchange can be looked up in the record as soon as the answer is there.
func (b *exchangeRecorder) serveRecorded(w http.ResponseWriter, request *http.Request, segment string,
	answer http.HandlerFunc) {
	witness := b.nextWitness()
	if witness == nil {
		answer(w, request)
		return
	}
	e := record.Entry{
		Begun: witness.Tick(), Party: parties[segment], From: record.Target, Outcome: record.Returned,
		Operation: request.Method + " " + pathBelow(request, segment),
	}
	sent := readWhole(request)
	if len(sent.text) > 0 {
		e.Sent = record.NewBody(sent.text)
	}
	request.Body = sent
	response := &bufferedResponse{header: w.Header(), status: http.StatusOK}
	defer func() {
		fault := recover()
		e.Done, e.Status = witness.Tick(), response.status
		if e.Received = record.NewBody(response.body.Bytes()); fault != nil {
			e.Outcome, e.Status, e.Received = record.Lost, 0, nil
			e.Error = &record.Fault{Kind: record.Closed, Message: fmt.Sprint(fault)}
		}
		witness.Enter(e)
		if fault != nil {
			panic(fault) // the server closes the connection
		}
		w.WriteHeader(response.status)
		_, _ = w.Write(response.body.Bytes()) // the client may have closed the connection
	}()
	answer(response, request)
}

// pathBelow returns the path of a request after the segment of its party, with the query.
func pathBelow(request *http.Request, segment string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(request.URL.EscapedPath(), runPathPrefix), "/"+segment)
	if query := request.URL.RawQuery; query != "" {
		rest += "?" + query
	}
	return rest
}
