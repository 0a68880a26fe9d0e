package environment

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
)

// Run is the environment of one examination.
type Run struct {
	Gateway  *Gateway
	Resolver *Resolver
	Model    *Model
	Tools    *Tools
	Chain    *Chain

	environment *Environment
	id, base    string
	parts       map[string]part
	over        context.Context
	end         context.CancelFunc
	book        book
}

// part answers the requests below one word of a run's path. rest is what follows
// the word.
type part interface {
	serve(w http.ResponseWriter, r *http.Request, rest string)
}

// Configuration is the params of acp.configure.
type Configuration struct {
	Gateway  string            `json:"gateway"`
	Resolver string            `json:"resolver"`
	LLM      string            `json:"llm"`
	Registry string            `json:"registry"`
	Services map[string]string `json:"services"`
	Timeouts *Timeouts         `json:"timeouts,omitempty"`
}

// Variables are those of the environment of a child that is told nothing else.
func (c Configuration) Variables() []string {
	return []string{"ACP_GATEWAY=" + c.Gateway, "ACP_RESOLVER=" + c.Resolver, "ACP_REGISTRY=" + c.Registry}
}

// Timeouts is the member of that name of acp.configure.
type Timeouts struct {
	CapabilityMS int64 `json:"capability_ms"`
}

func newRun(e *Environment, id, base string) *Run {
	r := &Run{environment: e, id: id, base: base}
	r.over, r.end = context.WithCancel(context.Background())
	r.Gateway = &Gateway{contents: map[string]stored{}}
	r.Resolver = &Resolver{documents: map[string]json.RawMessage{}}
	r.Model = &Model{over: r.over, scripts: map[string]Script{}}
	r.Tools = newTools(r.over, base+"/tools")
	r.Chain = &Chain{Address: base + "/chain"}
	r.parts = map[string]part{
		"gateway": r.Gateway, "resolver": r.Resolver, "llm": r.Model, "tools": r.Tools, "chain": r.Chain,
	}
	return r
}

// Configuration says where the parts of the run are.
func (r *Run) Configuration() Configuration {
	return Configuration{
		Gateway: r.base + "/gateway", Resolver: r.base + "/resolver", LLM: r.base + "/llm/v1",
		Registry: r.Chain.Address, Services: r.Tools.services(),
	}
}

// Close ends the run: hanging answers are let go, later requests get 404. With the
// last run of an environment its server stops. It may be called twice.
func (r *Run) Close() error {
	r.end()
	return r.environment.release(r.id)
}

func (r *Run) serve(w http.ResponseWriter, request *http.Request) {
	_, rest, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, runs), "/")
	word, rest, _ := strings.Cut(rest, "/")
	chosen := r.parts[word]
	if chosen == nil {
		http.NotFound(w, request)
		return
	}
	r.recorded(w, request, word, func(w http.ResponseWriter, request *http.Request) { chosen.serve(w, request, rest) })
}

// Records beyond this number are dropped: a subject that asks without end must not
// fill our memory.
const maxRecords = 20_000

// records keeps what a part was asked, oldest first.
type records[T any] struct {
	mu  sync.Mutex
	all []T
}

// add keeps a record.
func (k *records[T]) add(one T) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) < maxRecords {
		k.all = append(k.all, one)
	}
}

// those returns the records that are wanted.
func (k *records[T]) those(wanted func(T) bool) []T {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found []T
	for _, one := range k.all {
		if wanted(one) {
			found = append(found, one)
		}
	}
	return found
}

// readBody reads a body within the bound, and answers the request where it cannot.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	read, isRead := r.Body.(*body)
	if !isRead {
		read = bodyOf(r)
	}
	if read.err != nil {
		http.Error(w, "the body can't be read, or is over 8 MiB", http.StatusRequestEntityTooLarge)
		return nil, false
	}
	return read.text, true
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, body any) {
	raw, err := json.Marshal(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(raw) // a client that is gone needs no answer
}
