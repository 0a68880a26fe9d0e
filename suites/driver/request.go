package driver

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
)

// Request is the params of an operation with Request: a request of HTTP to the endpoint of the session, or to a path
// below the URL of a session whose operations have paths.
type Request struct {
	Method string `json:"method"` // GET, POST or DELETE
	Path   string `json:"path"`
	// Headers are sent in place of those of the session; null removes one.
	Headers map[string]*string `json:"headers"`
	// Names is lower or upper if the names of all headers are sent in this case.
	Names string `json:"names"`
	// Body is that of a POST: a text is sent as it is, and another value as JSON.
	Body json.RawMessage `json:"body"`
}

// Response is the result of an operation with Request.
type Response struct {
	Status int    `json:"status"` // 0 if nothing arrived in time, as from a GET without events
	Type   string `json:"type"`   // the media type, without parameters
	// Session is the id of the session that the answer names, otherwise the one that was sent; null for none.
	Session *string `json:"session"`
	// Headers are those of the answer, in small letters and with _ for -; without cookies, and without names that have _.
	Headers map[string]string `json:"headers"`
	Text    string            `json:"text"` // the body, unless it is a stream of events
	// Response is the message with a result or an error in the body or, the last one, in the events; null for none.
	Response json.RawMessage `json:"response"`
	Events   []Event         `json:"events"` // those that arrived
	Ended    bool            `json:"ended"`  // the target ended the body
	Local    bool            `json:"local"`  // the URL names this machine
}

// Event is one event of a stream. An absent field was not sent.
type Event struct {
	ID    *string `json:"id,omitempty"`
	Retry *string `json:"retry,omitempty"`
	Name  string  `json:"event,omitempty"`
	Data  string  `json:"data"`
	// Form is request, notification or response, and other for data that is none of them. It is empty without data.
	Form string `json:"form,omitempty"`
}

// SessionHeader is the header of HTTP that names a session.
const SessionHeader = "Mcp-Session-Id"

// statedHeaders are the headers that a request may state: none of them addresses another host, changes the method or
// gives access. A request may do without any header.
var statedHeaders = regexp.MustCompile(`^(Accept|Content-Type|Origin|Last-Event-Id|Mcp-[A-Za-z0-9-]+|([A-Za-z0-9]+-)+Version)$`)

// statedPath is a path below the URL of a session, of which no part leads upwards.
var statedPath = regexp.MustCompile(`^(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*|/\.well-known)+$`)

// ErrNoSession reports that a request would end a session that it does not name.
var ErrNoSession = errors.New("a request with DELETE names no session")

// ReadRequest reads a request and returns an error unless it may be sent. The names of its headers are canonical then.
func ReadRequest(params json.RawMessage) (Request, error) {
	var r Request
	decoder := json.NewDecoder(bytes.NewReader(params))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&r); err != nil {
		return r, fmt.Errorf("a request has method, headers, names and body: %w", err)
	}
	headers := map[string]*string{}
	for name, value := range r.Headers {
		name = http.CanonicalHeaderKey(name)
		if value != nil && !statedHeaders.MatchString(name) {
			return r, fmt.Errorf("a request must not state the header %s", name)
		}
		headers[name] = value
	}
	r.Headers = headers
	session := headers[SessionHeader]
	switch {
	case r.Path != "" && !statedPath.MatchString(r.Path):
		return r, fmt.Errorf("%q is no path of a request", r.Path)
	case !slices.Contains([]string{http.MethodGet, http.MethodPost, http.MethodDelete}, r.Method):
		return r, fmt.Errorf("a request has the method GET, POST or DELETE, got %q", r.Method)
	case !slices.Contains([]string{"", "lower", "upper"}, r.Names):
		return r, fmt.Errorf("the names of headers are lower or upper, got %q", r.Names)
	case r.Body != nil && r.Method != http.MethodPost:
		return r, errors.New("only a request with POST has a body")
	case r.Method == http.MethodDelete && (session == nil || *session == ""):
		return r, ErrNoSession
	}
	return r, nil
}

// Message returns the body as it is sent, nil for none.
func (r Request) Message() []byte {
	var text string
	if json.Unmarshal(r.Body, &text) == nil && !bytes.Equal(r.Body, []byte("null")) {
		return []byte(text)
	}
	return r.Body
}
