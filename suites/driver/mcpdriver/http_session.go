package mcpdriver

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

const (
	eventStream   = httpdriver.EventStream
	sessionHeader = driver.SessionHeader
	versionHeader = "Mcp-Protocol-Version"
)

// httpSession sends the messages of one session, with the headers that the server expects.
type httpSession struct {
	client *httpdriver.Client

	mutex   sync.Mutex
	session string // the id from the server
	version string // the negotiated version, empty before
	prelude string // the commands that a repeated request must follow

	mirrored map[string][]mirrored // of ModernVersion: what headers repeat, by tool; nil before that revision
}

// modern sets the headers of ModernVersion from now on.
func (h *httpSession) modern() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.version, h.mirrored = ModernVersion, map[string][]mirrored{}
}

// Legacy implements wire.
func (h *httpSession) Legacy() {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.version, h.mirrored = "", nil
}

func (h *httpSession) mirroredTools() map[string][]mirrored {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return maps.Clone(h.mirrored)
}

// addMirrored notes what the tools of a list repeat in headers.
func (h *httpSession) addMirrored(list json.RawMessage) { h.knowTools(mirroredOf(list)) }

// knowTools notes what tools repeat in headers, unless the revision has no such headers.
func (h *httpSession) knowTools(tools map[string][]mirrored) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	if h.mirrored != nil {
		maps.Copy(h.mirrored, tools)
	}
}

// Negotiated implements wire. A person who repeats a request needs another session, because this
// one ends with the driver.
func (h *httpSession) Negotiated(version string, handshake ...[]byte) {
	var commands []string
	for _, body := range handshake {
		command := h.repeat(h.request(http.MethodPost, body))()
		if len(commands) == 0 && h.sessionID() != "" {
			command = `MCP_SESSION_ID=$(` +
				h.client.Repeat(httpdriver.Request{Method: http.MethodPost, Header: rpcHeader(), Body: body}) +
				` -o /dev/null -D - | tr -d '\r' | sed -n 's/^[Mm]cp-[Ss]ession-[Ii]d: //p')`
		}
		commands = append(commands, command)
	}
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.version = version
	h.prelude = strings.Join(append(commands, ""), " && ")
}

// repeat returns the function for the command that sends a request in a new session.
func (h *httpSession) repeat(request httpdriver.Request) func() string {
	h.mutex.Lock()
	session, prelude := h.session, h.prelude
	h.mutex.Unlock()
	return func() string {
		command := h.client.Repeat(request)
		if command == "" || session == "" {
			return command
		}
		return prelude +
			strings.ReplaceAll(command, driver.ShellQuote(sessionHeader+": "+session), `"`+sessionHeader+`: $MCP_SESSION_ID"`)
	}
}

func (h *httpSession) sessionID() string {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	return h.session
}

func (h *httpSession) begin(id string) {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	h.session = id
}

func rpcHeader() http.Header {
	return http.Header{"Accept": {"application/json, " + eventStream}, "Content-Type": {"application/json"}}
}

func (h *httpSession) request(method string, body []byte) httpdriver.Request {
	h.mutex.Lock()
	defer h.mutex.Unlock()
	header := rpcHeader()
	if body == nil {
		header.Del("Content-Type")
	}
	if h.version != "" {
		header.Set(versionHeader, h.version)
	}
	if h.session != "" {
		header.Set(sessionHeader, h.session)
	}
	return httpdriver.Request{Method: method, Header: header, Body: body}
}

// post sends a message that gets no answer.
func (h *httpSession) post(ctx context.Context, body []byte) error {
	response, failed := h.client.Send(ctx, h.request(http.MethodPost, body))
	if failed != nil {
		return failed
	}
	_, _ = io.CopyN(io.Discard, response.Body, 4<<10) // so that the connection can be reused
	return response.Body.Close()
}
