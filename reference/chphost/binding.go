package chphost

import (
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/rpc"
)

// The headers of the HTTP binding.
const (
	KeyHeader     = "X-CHP-Key"
	VersionHeader = "X-CHP-Version"
)

// OpHealth is the route that reports that the host is up. It is not an operation of
// the protocol; only the binding answers it.
const OpHealth = "health"

// The codes of the error envelope, in addition to InvalidRequest.
const (
	Unauthorized       = "unauthorized"
	RouteUnknown       = "not_found"
	MethodUnknown      = "method_not_allowed"
	TooLarge           = "payload_too_large"
	VersionUnsupported = "version_unsupported"
	Internal           = "internal_error"
	TooMuch            = "too_many_requests"
)

// MaxBody bounds the body of a request, in bytes.
const MaxBody = 8 << 20

// Caller calls an operation of the host. Params and result are JSON text. A *rpc.Error means that nothing
// was processed.
type Caller func(ctx context.Context, operation string, params []byte) ([]byte, error)

// Request is the request that a response answers.
type Request struct {
	Route  string // an operation, OpHealth, or empty if the route is unknown
	Method string
	Path   string // decoded
	Body   []byte
}

// Response is the response of the binding.
type Response struct {
	Status  int
	Header  http.Header
	Body    []byte
	Chunked bool // sends the body in chunks
}

// Binding is CHP's HTTP binding. Its behaviours are set before it serves.
type Binding struct {
	// Key is required on every route that is not public. If it is empty, no key is required.
	Key string
	// Versions are the protocol versions that a request may name.
	Versions []string
	// ChangeResponse changes a response before it is sent.
	ChangeResponse func(request Request, response *Response)
	// Busy returns the status with which the host refuses a request before it reads it, or 0.
	Busy func(operation string) int
	// RepairBody changes the body of a request before the host reads it.
	RepairBody func(body []byte) []byte
	// Refused returns the status for an error with which an operation refuses a request.
	Refused func(operation string, refusal *rpc.Error) int
}

func newBinding() *Binding {
	return &Binding{
		Versions:       []string{ProtocolVersion},
		ChangeResponse: func(Request, *Response) {},
		Busy:           func(string) int { return 0 },
		RepairBody:     func(body []byte) []byte { return body },
		Refused:        refused,
	}
}

// refused returns the number of an error that is a status, else 400.
func refused(_ string, refusal *rpc.Error) int {
	if http.StatusText(refusal.Number) == "" {
		return http.StatusBadRequest
	}
	return refusal.Number
}

// route is the route of a request. An operation without params takes them from the body.
type route struct {
	operation string
	method    string
	params    func() ([]byte, error)
}

// find reads the route from the path as it was sent: an id may contain an escaped slash.
func find(r *http.Request) (route, bool) {
	path := r.URL.EscapedPath()
	none := func() ([]byte, error) { return []byte(`{}`), nil }
	switch path {
	case "/", "/health":
		return route{OpHealth, http.MethodGet, none}, true
	case "/host":
		return route{OpHost, http.MethodGet, none}, true
	case "/capabilities":
		return route{OpCapabilities, http.MethodGet, none}, true
	case "/invoke":
		return route{OpInvoke, http.MethodPost, nil}, true
	case "/replay":
		return route{OpReplay, http.MethodPost, nil}, true
	}
	id, isReplay := strings.CutPrefix(path, "/replay/")
	if !isReplay || strings.Contains(id, "/") {
		return route{}, false
	}
	return route{OpReplay, http.MethodGet, func() ([]byte, error) {
		decoded, err := url.PathUnescape(id)
		if err != nil {
			return nil, Refuse("the id is not percent-encoded")
		}
		return rpc.Append(nil, map[string]any{"correlation_id": decoded}), nil
	}}, true
}

// Serves reports whether a request is on a route of the binding.
func (b *Binding) Serves(r *http.Request) bool {
	_, known := find(r)
	return known
}

// Handler returns a handler that serves the binding. If the host does not provide an operation, its route
// is unknown.
func (b *Binding) Handler(call Caller) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxBody))
		var tooLarge *http.MaxBytesError
		if err != nil && !errors.As(err, &tooLarge) {
			return // the client disconnected
		}
		body = b.RepairBody(body)
		to, known := find(r)
		request := Request{Route: to.operation, Method: r.Method, Path: r.URL.Path, Body: body}
		response := &Response{Header: http.Header{"Content-Type": {"application/json"}}}
		switch {
		case tooLarge != nil:
			response.fault(http.StatusRequestEntityTooLarge, TooLarge, "the body is over 8 MiB")
		case to.operation != OpHealth && !Admits(r, b.Key):
			response.fault(http.StatusUnauthorized, Unauthorized, KeyHeader+" is missing or wrong")
		case !known:
			response.fault(http.StatusNotFound, RouteUnknown, "no such route")
		case r.Method != to.method:
			response.Header.Set("Allow", to.method)
			response.fault(http.StatusMethodNotAllowed, MethodUnknown, to.method+" only")
		case !b.speaks(r.Header.Get(VersionHeader)):
			response.unsupported(r.Header.Get(VersionHeader), b.Versions)
		default:
			if status := b.Busy(to.operation); status != 0 {
				response.fault(status, TooMuch, "the host has too much to do")
				break
			}
			b.serve(r.Context(), to, response, caller(call, body))
		}
		b.ChangeResponse(request, response)
		response.write(w)
	})
}

// Admits reports whether a request has the key. If the key is empty, it admits every request.
func Admits(r *http.Request, key string) bool {
	return key == "" || subtle.ConstantTimeCompare([]byte(r.Header.Get(KeyHeader)), []byte(key)) == 1
}

func (b *Binding) speaks(version string) bool {
	return version == "" || slices.Contains(b.Versions, version)
}

// caller passes the params of a route, or the body, to the operation.
func caller(call Caller, body []byte) func(ctx context.Context, to route) ([]byte, error) {
	return func(ctx context.Context, to route) ([]byte, error) {
		params := body
		if to.params != nil {
			var err error
			if params, err = to.params(); err != nil {
				return nil, err
			}
		} else if value, err := rpc.Decode(body); err != nil {
			return nil, Refuse("the body is not JSON")
		} else if _, isObject := value.(map[string]any); !isObject {
			return nil, Refuse("the body is not an object")
		}
		return call(ctx, to.operation, params)
	}
}

// serve answers with the result of the operation. A processed request has status 200, whatever its outcome.
func (b *Binding) serve(ctx context.Context, to route, response *Response,
	call func(context.Context, route) ([]byte, error)) {
	if to.operation == OpHealth {
		response.Status, response.Body = http.StatusOK, rpc.Append(nil, map[string]any{
			"status": "ok", "host_id": HostID, "protocol": "chp", "version": ProtocolVersion, "host_version": HostVersion,
		})
		return
	}
	result, err := call(ctx, to)
	var refusal *rpc.Error
	switch {
	case err == nil:
		response.Status, response.Body = http.StatusOK, result
	case !errors.As(err, &refusal) || refusal.Number == rpc.InternalError:
		response.fault(http.StatusInternalServerError, Internal, "internal error")
	case refusal.Number == rpc.MethodNotFound:
		response.fault(http.StatusNotFound, RouteUnknown, "no such route")
	default:
		code := refusal.Code
		if code == "" {
			code = InvalidRequest
		}
		response.fault(b.Refused(to.operation, refusal), code, refusal.Message)
	}
}

// fault returns an error envelope.
func (r *Response) fault(status int, code, message string) {
	r.Status, r.Body = status, rpc.Append(nil, map[string]any{"error": map[string]any{"code": code, "message": message}})
}

func (r *Response) unsupported(requested string, supported []string) {
	message := "the host does not speak this version"
	r.Status, r.Body = http.StatusBadRequest, rpc.Append(nil, map[string]any{
		"error": map[string]any{"code": VersionUnsupported, "message": message},
		"denial": map[string]any{"code": VersionUnsupported, "message": message, "retryable": false, "requested": requested,
			"supported": supported},
	})
}

// chunk is the number of bytes in each chunk of a body.
const chunk = 48

func (r *Response) write(w http.ResponseWriter) {
	maps.Copy(w.Header(), r.Header)
	w.WriteHeader(r.Status)
	body := r.Body
	if r.Chunked {
		control := http.NewResponseController(w)
		for len(body) > chunk && control.Flush() == nil {
			_, _ = w.Write(body[:chunk])
			body = body[chunk:]
		}
	}
	// A client that disconnected needs no answer.
	_, _ = w.Write(body)
}
