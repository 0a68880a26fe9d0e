package httpdriver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// WithRoutes adds the routes of the HTTP bindings of protocols, for operations that the target file
// does not map. Their answers are those of the target, complete and unmapped. Params without a
// placeholder are the body of a request that has one.
func (b Bindings) WithRoutes(native []driver.Route) Bindings {
	all := Bindings{routes: maps.Clone(b.routes)}
	if all.routes == nil {
		all.routes = map[string]*route{}
	}
	for _, r := range native {
		if all.routes[r.Operation] == nil {
			all.routes[r.Operation] = &route{name: r.Operation, method: r.Method, path: r.Path, native: true, queried: r.Query}
		}
	}
	return all
}

// counts returns the numbers of mapped and of native routes.
func (b Bindings) counts() (mapped, native int) {
	for _, r := range b.routes {
		if r.native {
			native++
		} else {
			mapped++
		}
	}
	return mapped, native
}

// nativeAnswer reads the answer of the HTTP binding of a protocol: a result, or an error object {"error":
// {"code", "message"}} with another status.
func (r *route) nativeAnswer(response Response) (driver.Answer, error) {
	body := bytes.TrimSpace(response.Body)
	switch status := response.Status; {
	case isAbsent(status), status >= 300 && status < 400:
		return withStatus(driver.Answer{}, Response{Status: status}), nil
	case status < 200 || status > 299:
		return refusedBy(status, body), nil
	case !valid(body):
		_, tooDeep := jsonrpc.Read(body) // then a limit was reached, which is not a defect
		return jsonrpc.Malformed("the body is not JSON"), tooDeep
	}
	return driver.Answer{Outcome: driver.Returned, Result: json.RawMessage(body)}, nil
}

// valid does the same as json.Valid in a third of the time.
func valid(body jsontext.Value) bool {
	return body.IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

func refusedBy(status int, body []byte) driver.Answer {
	var said struct {
		Error *struct {
			Code    string `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &said) != nil || said.Error == nil {
		return jsonrpc.Malformed(fmt.Sprintf("status %d %s without an error of the binding", status, http.StatusText(status)))
	}
	return driver.Answer{Outcome: driver.Refused,
		Error: &driver.ProtocolError{Code: said.Error.Code,
			Message: fmt.Sprintf("status %d: %s", status, said.Error.Message)}}
}
