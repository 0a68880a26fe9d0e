// Package hostile shows that no text of a target, document or report has any effect other than to appear in the
// output of the commands (DESIGN sections 1 and 11).
package hostile

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/plainmcp"
)

// secret is what the target receives and no output may show.
const secret = "canary-secret-4711-abc"

// header is the name of the header with the secret.
const header = "X-Canary"

// The places in which a host puts the text.
const (
	behindStrings  = iota // after each string of an answer; in a request, such a string is read as the original one
	behindMembers         // after the names of members too
	insteadStrings        // replaces each string
	asErrors              // each answer is an error that contains the text
	asBody                // the text is each body and each header
	asRedirect            // each answer redirects elsewhere
	withSecret            // after each string, following the header that was received
	places                // the number of places
)

// overMCP is added to a place if the host is a plain MCP server.
const overMCP = 19 * places

// session is the header with the id that an MCP server assigns.
const session = "Mcp-Session-Id"

// host is the reference host with a text in its answers.
type host struct {
	url       string
	driver    string
	handler   http.Handler
	text      string
	place     int
	elsewhere string // the address of a third party
}

// serve starts a host.
func serve(t testing.TB, text string, place int, elsewhere string) *host {
	t.Helper()
	h := &host{text: text, place: place % places, elsewhere: elsewhere}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	if place >= overMCP {
		built, err := plainmcp.New(false)
		require.NoError(t, err)
		h.handler, h.url, h.driver = built.Handler(), "mcp+"+server.URL+"/mcp", "mcp"
		return h
	}
	built, err := reference.New(reference.Options{Suites: []string{"cap", "chp"}})
	require.NoError(t, err)
	h.handler, h.url, h.driver = built.HTTPHandler(), server.URL, "http"
	return h
}

// ServeHTTP implements http.Handler.
func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	asked := strings.ReplaceAll(r.URL.Path, h.text, "")
	valid := httptest.NewRequest(r.Method, "/", bytes.NewReader(h.without(body)))
	valid.URL.Path, valid.URL.RawQuery, valid.Header = asked, r.URL.RawQuery, r.Header.Clone()
	clean := strings.TrimSpace(strings.Map(printable, h.text))
	if id := r.Header.Get(session); id != "" {
		valid.Header.Set(session, strings.TrimSuffix(id, clean))
	}
	answer := httptest.NewRecorder()
	h.handler.ServeHTTP(answer, valid)
	w.Header().Set("Content-Type", "application/json")
	if id := answer.Header().Get(session); id != "" {
		w.Header().Set(session, id+clean)
	}
	switch h.place {
	case asErrors:
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write(h.fault(body))
	case asBody:
		w.Header().Set("Content-Type", clean)
		w.Header().Set("Server", clean)
		w.Header().Set("Retry-After", clean)
		_, _ = io.WriteString(w, h.text)
	case asRedirect:
		w.Header().Set("Location", h.elsewhere+"/"+clean)
		w.WriteHeader(http.StatusFound)
	default:
		w.WriteHeader(answer.Code)
		_, _ = w.Write(h.with(answer.Body.Bytes(), r.Header.Get(header)))
	}
}

// printable drops characters that are not permitted in a header.
func printable(c rune) rune {
	if c < ' ' || c > '~' {
		return -1
	}
	return c
}

// fault answers a request with an error that contains the text in every string.
func (h *host) fault(request []byte) []byte {
	var call struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(request, &call) // a request without an id gets an answer without one
	raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": call.ID, "error": map[string]any{
		"code": -32000, "message": h.text, "data": map[string]any{"code": h.text, h.text: h.text},
	}})
	return raw
}

// versionForm matches the versions of MCP: the harness does not talk to a peer that names an unknown one.
var versionForm = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)

// with adds the text to an answer.
func (h *host) with(answer []byte, received string) []byte {
	return edited(answer, func(text string, member bool) string {
		switch {
		case member && h.place != behindMembers, text == "2.0", versionForm.MatchString(text):
			return text
		case h.place == insteadStrings:
			return h.text
		case h.place == withSecret:
			return text + received + h.text
		}
		return text + h.text
	})
}

// without removes the text from a request.
func (h *host) without(request []byte) []byte {
	return edited(request, func(text string, _ bool) string { return strings.TrimSuffix(text, h.text) })
}

// edited returns JSON with edited strings; other input is returned unchanged.
func edited(raw []byte, edit func(text string, member bool) string) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var value any
	if d.Decode(&value) != nil {
		return raw
	}
	changed, err := json.Marshal(walk(value, edit))
	if err != nil {
		return raw
	}
	return changed
}

func walk(value any, edit func(text string, member bool) string) any {
	switch v := value.(type) {
	case string:
		return edit(v, false)
	case []any:
		for i := range v {
			v[i] = walk(v[i], edit)
		}
	case map[string]any:
		changed := map[string]any{}
		for name, inner := range v {
			changed[edit(name, true)] = walk(inner, edit)
		}
		return changed
	}
	return value
}

// somebodyElse serves an address that no command was given, and counts the requests to it.
func somebodyElse(t testing.TB) (address string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// documents returns some documents that the reference host would publish, by file name.
func documents(t testing.TB) map[string][]byte {
	t.Helper()
	built, err := reference.New(reference.Options{Suites: []string{"cap", "chp"}})
	require.NoError(t, err)
	all := map[string][]byte{}
	for suite, operation := range map[string]string{"cap": "capability.list", "chp": "chp.capabilities"} {
		var answer struct {
			Result json.RawMessage `json:"result"`
		}
		require.NoError(t, json.Unmarshal(built.Handle(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"`+operation+`","params":{}}`)), &answer))
		items := []json.RawMessage{}
		if json.Unmarshal(answer.Result, &items) != nil {
			var list struct {
				Capabilities []json.RawMessage `json:"capabilities"`
			}
			require.NoError(t, json.Unmarshal(answer.Result, &list))
			items = list.Capabilities
		}
		require.NotEmpty(t, items)
		for i, item := range items[:2] {
			all[suite+string(rune('0'+i))+".json"] = item
		}
	}
	return all
}
