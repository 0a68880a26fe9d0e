package httpdriver

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/capconform/capconform/suites/driver"
)

// prepareStated returns the request that the params of an operation state, with the whole response as its result.
func (s *session) prepareStated(op driver.Operation) (prepared, error) {
	stated, err := driver.ReadRequest(op.Params)
	if err == nil && stated.Path == "" {
		err = errors.New("a request to a target whose operations have paths states a path")
	}
	request := Request{Method: stated.Method, Path: stated.Path, Header: http.Header{"Accept": {"application/json"}},
		Body: stated.Message()}
	if request.Body != nil {
		request.Header = jsonHeader()
	}
	request.State(stated)
	return prepared{request, func(_ context.Context, got Response) (driver.Answer, error) {
		made := s.client.Heading(got.Status, got.Header)
		made.Text, made.Ended = string(got.Body), true
		text, err := json.Marshal(made)
		return driver.Answer{Outcome: driver.Returned, Result: text}, err
	}}, err
}

// State gives a request the headers that were stated for it.
func (r *Request) State(stated driver.Request) {
	for name, value := range stated.Headers {
		r.Stated = append(r.Stated, name)
		r.Header.Del(name)
		if value != nil {
			r.Header.Set(name, *value)
		}
	}
	r.Names = stated.Names
}

// Heading returns a response without its body.
func (c *Client) Heading(status int, header http.Header) driver.Response {
	made := driver.Response{Status: status, Headers: map[string]string{}, Events: []driver.Event{}, Local: c.IsLocal()}
	made.Type, _, _ = mime.ParseMediaType(header.Get("Content-Type"))
	if id := header.Get(driver.SessionHeader); id != "" {
		made.Session = &id
	}
	for name, values := range header {
		if !strings.Contains(name, "_") && name != driver.SessionHeader && name != "Set-Cookie" {
			made.Headers[strings.ReplaceAll(strings.ToLower(name), "-", "_")] = strings.Join(values, ", ")
		}
	}
	return made
}
