package environment

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// Run is the environment of one examination.
type Run struct {
	Gateway  *Gateway
	Resolver *Resolver
	Model    *Model
	Tools    *Tools
	Chain    *Chain

	base       string
	services   map[string]service
	runContext context.Context
	cancel     context.CancelFunc
	release    func() error // removes the run from its environment
	recorder   exchangeRecorder
}

// service answers the requests below one word of a run's path. The argument rest is the path after the
// word.
type service interface {
	serve(w http.ResponseWriter, r *http.Request, rest string)
}

// Configuration contains the params of acp.configure.
type Configuration struct {
	Gateway  string            `json:"gateway"`
	Resolver string            `json:"resolver"`
	LLM      string            `json:"llm"`
	Registry string            `json:"registry"`
	Services map[string]string `json:"services"`
	Timeouts *Timeouts         `json:"timeouts,omitempty"`
}

// Variables returns the environment variables of a child process that has no acp.configure.
func (c Configuration) Variables() []string {
	return []string{"ACP_GATEWAY=" + c.Gateway, "ACP_RESOLVER=" + c.Resolver, "ACP_REGISTRY=" + c.Registry}
}

// Timeouts is the member timeouts of acp.configure.
type Timeouts struct {
	CapabilityMS int64 `json:"capability_ms"`
}

func newRun(base string, release func() error) *Run {
	r := &Run{base: base, release: release}
	r.runContext, r.cancel = context.WithCancel(context.Background())
	r.Gateway = &Gateway{contents: map[string]stored{}}
	r.Resolver = &Resolver{documents: map[string]json.RawMessage{}}
	r.Model = &Model{runContext: r.runContext, scripts: map[string]Script{}}
	r.Tools = newTools(r.runContext, base+"/tools")
	r.Chain = &Chain{Address: base + "/chain"}
	r.services = map[string]service{
		"gateway": r.Gateway, "resolver": r.Resolver, "llm": r.Model, "tools": r.Tools, "chain": r.Chain,
	}
	return r
}

// Configuration returns the addresses of the services of the run.
func (r *Run) Configuration() Configuration {
	return Configuration{
		Gateway: r.base + "/gateway", Resolver: r.base + "/resolver", LLM: r.base + "/llm/v1",
		Registry: r.Chain.Address, Services: r.Tools.services(),
	}
}

// Close ends the run: hanging answers end, and later requests get 404. Closing the last run of an
// environment stops the server. Close may be called twice.
func (r *Run) Close() error {
	r.cancel()
	return r.release()
}

func (r *Run) serve(w http.ResponseWriter, request *http.Request) {
	_, rest, _ := strings.Cut(strings.TrimPrefix(request.URL.Path, runPathPrefix), "/")
	segment, rest, _ := strings.Cut(rest, "/")
	handler := r.services[segment]
	if handler == nil {
		http.NotFound(w, request)
		return
	}
	r.recorder.serveRecorded(w, request, segment, func(w http.ResponseWriter,
		request *http.Request) {
		handler.serve(w, request, rest)
	})
}

// Record passes every later exchange to a witness.
func (r *Run) Record(w Witness) {
	r.recorder.mu.Lock()
	defer r.recorder.mu.Unlock()
	r.recorder.witness = w
}
