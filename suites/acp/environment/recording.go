package environment

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/record"
)

// Witness stores the requests of a subject to the test doubles.
type Witness interface {
	Tick() record.Tick
	Enter(e record.Entry)
}

// parties are those of a record, by the word of a run's path.
var parties = map[string]record.Party{
	"gateway": record.Gateway, "resolver": record.Resolver, "llm": record.Model,
	"tools": record.Service, "chain": record.Chain,
}

// book passes the exchanges of a run on to a witness.
type book struct {
	mu      sync.Mutex
	witness Witness
	count   int
}

// admits returns the witness of one more exchange, nil if nothing more is kept.
func (b *book) admits() Witness {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.witness == nil || b.count >= maxRecords {
		return nil
	}
	b.count++
	return b.witness
}

// recorded answers a request and stores the exchange before the answer goes out, so that
// whoever has the answer finds the exchange in the record.
func (b *book) recorded(w http.ResponseWriter, request *http.Request, word string, answer http.HandlerFunc) {
	witness := b.admits()
	if witness == nil {
		answer(w, request)
		return
	}
	e := record.Entry{
		Begun: witness.Tick(), Party: parties[word], From: record.Target, Outcome: record.Returned,
		Operation: request.Method + " " + below(request, word),
	}
	sent := bodyOf(request)
	if len(sent.text) > 0 {
		e.Sent = record.NewBody(sent.text)
	}
	request.Body = sent
	held := &held{header: w.Header(), status: http.StatusOK}
	defer func() {
		fault := recover()
		e.Done, e.Status = witness.Tick(), held.status
		if e.Received = record.NewBody(held.body.Bytes()); fault != nil {
			e.Outcome, e.Status, e.Received = record.Lost, 0, nil
			e.Error = &record.Fault{Kind: record.Closed, Message: fmt.Sprint(fault)}
		}
		witness.Enter(e)
		if fault != nil {
			panic(fault) // the server closes the connection
		}
		w.WriteHeader(held.status)
		_, _ = w.Write(held.body.Bytes()) // a client that is gone needs no answer
	}()
	answer(held, request)
}

// below is the path of a request within a party, with its query.
func below(request *http.Request, word string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(request.URL.EscapedPath(), runs), "/"+word)
	if query := request.URL.RawQuery; query != "" {
		rest += "?" + query
	}
	return rest
}
