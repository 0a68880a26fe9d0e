package acphost_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/mr-tron/base58"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
)

// world is the environment of a host, with the minimum that the tests need.
type world struct {
	t       *testing.T
	server  *httptest.Server
	host    *acphost.Host
	author  ed25519.PrivateKey
	did     string
	calls   []call // of the model, one for each request, in any conversation
	files   map[string][]byte
	records map[string]map[string]any
	events  []any

	mutex    sync.Mutex
	requests []map[string]any // that the model received
	arrived  []string         // by the services
}

type call struct{ name, arguments string }

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, files: map[string][]byte{}, records: map[string]map[string]any{},
		author: ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", 32)))}
	w.did = acphost.DIDOf(w.author.Public().(ed25519.PublicKey))
	mux := http.NewServeMux()
	mux.HandleFunc("GET /ipfs/{cid}", w.gateway)
	mux.HandleFunc("POST /api/v0/add", w.add)
	mux.HandleFunc("GET /1.0/identifiers/{did}", w.resolve)
	mux.HandleFunc("GET /models", func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(rw, `{"data":[{"id":"small-1"},{"id":"large-1","context_window":32000}]}`)
	})
	mux.HandleFunc("POST /chat/completions", w.complete)
	mux.HandleFunc("POST /rpc", w.chain)
	mux.HandleFunc("/tool/", w.tool)
	service := mcp.NewServer(&mcp.Implementation{Name: "service", Version: "1"}, nil)
	service.AddTool(&mcp.Tool{Name: "act", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(_ context.Context, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			w.note("mcp act " + string(r.Params.Arguments))
			return &mcp.CallToolResult{StructuredContent: json.RawMessage(`{"done":true,"acted":1}`)}, nil
		})
	mux.Handle("/mcp", mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return service }, nil))
	w.server = httptest.NewServer(mux)
	w.host = acphost.New(acphost.NewStore(""))
	t.Cleanup(func() {
		if err := w.host.Close(); err != nil {
			t.Errorf("closing the host: %v", err)
		}
		w.server.Close()
	})
	w.configure(nil)
	return w
}

func (w *world) configure(timeouts map[string]any) {
	w.t.Helper()
	base := w.server.URL
	_, err := w.ask("acp.configure", map[string]any{
		"gateway": base, "resolver": base + "/", "llm": base, "registry": base, "timeouts": timeouts,
		"services": map[string]any{"did:nuwa:mcp:svc:1": base + "/mcp", "did:example:friend": base + "/tool/agent"},
	})
	require.NoError(w.t, err)
}

// ask calls an operation with params as they would arrive over a transport.
func (w *world) ask(operation string, params map[string]any) (map[string]any, error) {
	decoded, err := rpc.Decode(rpc.Append(nil, params))
	require.NoError(w.t, err)
	result, err := w.host.Operations()[operation](w.t.Context(), decoded.(map[string]any))
	if err != nil {
		return nil, err
	}
	again, err := rpc.Decode(rpc.Append(nil, result))
	require.NoError(w.t, err)
	return again.(map[string]any), nil
}

func (w *world) say(conversation, text string) string {
	w.t.Helper()
	result, err := w.ask("acp.message", map[string]any{"conversation": conversation, "text": text})
	require.NoError(w.t, err)
	return result["text"].(string)
}

func (w *world) stack(conversation string) []any {
	w.t.Helper()
	result, err := w.ask("acp.state", map[string]any{"conversation": conversation})
	require.NoError(w.t, err)
	return result["stack"].([]any)
}

// last returns the last request to the model.
func (w *world) last() map[string]any {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.requests[len(w.requests)-1]
}

// results returns the contents of the tool messages in the last request.
func (w *world) results() []string {
	var found []string
	for _, m := range w.last()["messages"].([]any) {
		if message := m.(map[string]any); message["role"] == "tool" {
			found = append(found, message["content"].(string))
		}
	}
	return found
}

func (w *world) note(what string) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.arrived = append(w.arrived, what)
}

func (w *world) gateway(rw http.ResponseWriter, r *http.Request) {
	w.mutex.Lock()
	content, known := w.files[r.PathValue("cid")]
	w.mutex.Unlock()
	if !known {
		http.NotFound(rw, r)
		return
	}
	_, _ = rw.Write(content)
}

func (w *world) add(rw http.ResponseWriter, r *http.Request) {
	file, _, err := r.FormFile("file")
	require.NoError(w.t, err)
	content, err := io.ReadAll(file)
	require.NoError(w.t, err)
	_, _ = fmt.Fprintf(rw, `{"Name":"x","Hash":%q,"Size":"1"}`, w.put(content))
}

func (w *world) put(content []byte) string {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	cid := acphost.CIDOf(content)
	w.files[cid] = content
	return cid
}

// resolve serves one author, whose first key has expired.
func (w *world) resolve(rw http.ResponseWriter, r *http.Request) {
	if r.PathValue("did") != "did:example:author" {
		http.NotFound(rw, r)
		return
	}
	key := "z" + base58.Encode(append([]byte("\xed\x01"), w.author.Public().(ed25519.PublicKey)...))
	_, _ = fmt.Fprintf(rw, `{"didDocument":{"id":"did:example:author","verificationMethod":[
		{"id":"did:example:author#old","publicKeyMultibase":"z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp","expires":"2020-01-01T00:00:00Z"},
		{"id":"#now","publicKeyMultibase":%q}],"assertionMethod":["#now"]}}`, key)
}

func (w *world) complete(rw http.ResponseWriter, r *http.Request) {
	var request map[string]any
	require.NoError(w.t, json.NewDecoder(r.Body).Decode(&request))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.requests = append(w.requests, request)
	message := map[string]any{"role": "assistant", "content": "fine"}
	if len(w.calls) > 0 {
		next := w.calls[0]
		w.calls = w.calls[1:]
		message = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{
			map[string]any{"id": "c1", "type": "function", "function": map[string]any{"name": next.name,
				"arguments": next.arguments}},
		}}
	}
	_ = json.NewEncoder(rw).Encode(map[string]any{"choices": []any{map[string]any{"message": message}}})
}

func (w *world) chain(rw http.ResponseWriter, r *http.Request) {
	var request struct {
		Method string
		Params map[string]any
	}
	require.NoError(w.t, json.NewDecoder(r.Body).Decode(&request))
	w.mutex.Lock()
	defer w.mutex.Unlock()
	var result any = map[string]any{}
	switch request.Method {
	case "acp.publish":
		w.records[request.Params["cap_uri"].(string)] = request.Params
		w.events = append(w.events, request.Params)
	case "acp.events":
		result = map[string]any{"events": w.events[int(request.Params["since"].(float64)):]}
	default:
		record, known := w.records[request.Params["cap_uri"].(string)]
		if !known {
			_, _ = io.WriteString(rw, `{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"unknown"}}`)
			return
		}
		result = record
	}
	_ = json.NewEncoder(rw).Encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
}

// tool answers according to the last part of its path.
func (w *world) tool(rw http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.note(strings.TrimSpace(r.Method + " " + r.URL.RequestURI() + " " + string(body)))
	switch _, kind, _ := strings.Cut(r.URL.Path, "/tool/"); kind {
	case "hang":
		<-r.Context().Done()
	case "fail":
		http.Error(rw, "out of order", http.StatusBadGateway)
	case "done":
		_, _ = io.WriteString(rw, `{"done":true}`)
	case "undone":
		_, _ = io.WriteString(rw, `{"done":"true"}`)
	default:
		_, _ = io.WriteString(rw, "as text")
	}
}

// pack returns the text of a package; more replaces some of its lines.
func (w *world) pack(name, version string, more map[string]string) []byte {
	lines := map[string]string{
		"id": "did:nuwa:cap:" + name + "@" + version, "triggers": "- {type: regex, value: \"" + name + "\"}",
		"require": `["state.create", "state.update", "state.query", "state.delete"]`, "scope": "sc:" + name, "author": w.did,
		"uri": "did:nuwa:state:" + name + "#v1", "prompt": "You are " + name + " " + version + ".", "more": "", "extra": "",
	}
	for key, value := range more {
		lines[key] = value
	}
	text := `metadata:
  id: {id}
  author: {did: "{author}"}
  triggers:
    {triggers}
  memory_scope: {scope}
  permissions:
    require: {require}
{more}
schema: |
  {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"{uri}","type":"object",
   "properties":{"id":{"type":"string"},"n":{"type":"integer"},"tags":{"type":"array"}},"required":["id","n"]}
prompt: |
  {prompt}
tools:
  - {type: function, function: {name: state.create, parameters: {type: object, properties: {object: {$ref: "#/schema"}}}}}
  - {type: function, function: {name: act}}
  - {type: function, function: {name: get}}
  - {type: function, function: {name: post}}
  - {type: function, function: {name: agent}}
  - {type: function, function: {name: hang}}
  - {type: function, function: {name: fail}}
  - {type: function, function: {name: undone}}
  - {type: function, function: {name: strange}}
  - {type: function, function: {name: loose}}
tool_bindings:
  act: {type: mcp_service, service_uri: "did:nuwa:mcp:svc:1", mcp_action: act}
  get: {type: http_get, url: "{base}/tool/get"}
  post: {type: http_post, url: "{base}/tool/done"}
  agent: {type: nuwa_a2a, target_did: "{who}", service_method: hello}
  hang: {type: http_get, url: "{base}/tool/hang"}
  fail: {type: http_get, url: "{base}/tool/fail"}
  undone: {type: http_get, url: "{base}/tool/undone"}
  strange: {type: carrier_pigeon, url: "{base}/tool/strange"}
  state.create: {type: http_post, url: "{base}/tool/bound"}
{extra}
`
	lines["base"] = w.server.URL
	lines["more"] = strings.TrimSuffix("  "+lines["more"], "  ")
	for key, value := range lines {
		text = strings.ReplaceAll(text, "{"+key+"}", value)
	}
	return []byte(text)
}

// install signs a package, serves it and returns the error of the router.
func (w *world) install(file []byte) error {
	signed, err := acphost.Sign(acphost.BlankToken, file, w.author)
	require.NoError(w.t, err)
	_, err = w.ask("acp.install", map[string]any{"cid": w.put(signed)})
	return err
}
