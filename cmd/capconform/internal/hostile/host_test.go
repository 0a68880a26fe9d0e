// Package hostile shows that no text of a target, a document or a report does
// anything but stand in what the commands write (DESIGN sections 1 and 11).
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

// secret is what the target is given and nothing may show.
const secret = "canary-secret-4711-abc"

// header is the name of the header with the secret.
const header = "X-Canary"

// Where a host puts the text.
const (
	behindStrings  = iota // behind each string of an answer; what comes back is taken for the sound string
	behindMembers         // behind the names of members too
	insteadStrings        // in the place of each string
	asErrors              // each answer is an error that says the text
	asBody                // each body is the text, and so is each header
	asRedirect            // each answer sends elsewhere
	withSecret            // behind each string, after the header that was received
	places                // how many there are
)

// overMCP is added to a place where the host is a plain MCP server.
const overMCP = 19 * places

// session is the header with the id that an MCP server gives.
const session = "Mcp-Session-Id"

// host is the reference host in whose answers a text stands.
type host struct {
	url       string
	driver    string
	sound     http.Handler
	text      string
	place     int
	elsewhere string // the address of somebody else
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
		h.sound, h.url, h.driver = built.Handler(), "mcp+"+server.URL+"/mcp", "mcp"
		return h
	}
	built, err := reference.New(reference.Options{Suites: []string{"cap", "chp"}})
	require.NoError(t, err)
	h.sound, h.url, h.driver = built.HTTPHandler(), server.URL, "http"
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
	h.sound.ServeHTTP(answer, valid)
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

// printable drops what no header may hold.
func printable(c rune) rune {
	if c < ' ' || c > '~' {
		return -1
	}
	return c
}

// fault answers a request with an error that says the text everywhere.
func (h *host) fault(request []byte) []byte {
	var call struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal(request, &call) // what has no id gets none
	raw, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": call.ID, "error": map[string]any{
		"code": -32000, "message": h.text, "data": map[string]any{"code": h.text, h.text: h.text},
	}})
	return raw
}

// versionForm matches the versions of MCP: a peer that names no known one is not spoken to.
var versionForm = regexp.MustCompile(`^20\d\d-\d\d-\d\d$`)

// with puts the text into an answer.
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

// without takes the text out of a request again.
func (h *host) without(request []byte) []byte {
	return edited(request, func(text string, _ bool) string { return strings.TrimSuffix(text, h.text) })
}

// edited gives JSON with other strings, and what is no JSON as it is.
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

// somebodyElse counts who contacts an address that no command was given.
func somebodyElse(t testing.TB) (address string, calls *atomic.Int64) {
	t.Helper()
	calls = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, calls
}

// documents are some that the reference host would publish, by the names of their files.
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
