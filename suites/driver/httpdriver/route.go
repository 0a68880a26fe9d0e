package httpdriver

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/itchyny/gojq"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
	"github.com/capconform/capconform/suites/driver/mapping"
)

// prepare returns the request for an operation with a route.
func (r *route) prepare(ctx context.Context, op driver.Operation) (prepared, error) {
	raw := op.Params
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	params, err := r.params(raw)
	if err != nil {
		return prepared{}, err
	}
	input := map[string]any{"params": params}
	request := Request{Method: r.method, Header: http.Header{"Accept": {"application/json"}}}
	if request.Path, err = r.fill(params); err != nil {
		return prepared{}, err
	}
	if r.native {
		request.Query = r.ownQuery(params)
	} else if request.Query, err = r.queryOf(ctx, input); err != nil {
		return prepared{}, err
	}
	if request.Body, err = r.bodyOf(ctx, input, raw); err != nil {
		return prepared{}, err
	}
	if op.Body != nil {
		request.Body = op.Body
	}
	if request.Body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	return prepared{request: request, answer: func(ctx context.Context, response Response) (driver.Answer, error) {
		if r.native {
			return r.nativeAnswer(response)
		}
		answer, err := r.answer(ctx, response)
		own := answer.Outcome == driver.Returned && answer.Provided == ""
		if own && mapping.Reflected(answer.Result, r.mappedRequest(request)) {
			answer.Provided = r.provided()
		}
		return answer, err
	}}, nil
}

// params decodes the params if some of them are sent elsewhere than in an unchanged body.
func (r *route) params(raw json.RawMessage) (map[string]any, error) {
	if r.native && len(r.queried) == 0 && !strings.Contains(r.path, "{") && bytes.TrimSpace(raw)[0] == '{' {
		return nil, nil
	}
	value, err := mapping.Decode(raw)
	params, isObject := value.(map[string]any)
	if err != nil || !isObject {
		return nil, r.fault("params", "must be one JSON object")
	}
	return params, nil
}

// fault returns the error of a mapping: it blames the target file, not the target.
func (r *route) fault(field string, why any) *driver.CallError {
	return &driver.CallError{Kind: driver.ErrConfiguration, Detail: fmt.Sprintf("mapping %s: %s: %v", r.name, field, why)}
}

func (r *route) fill(params map[string]any) (string, error) {
	var missing error
	path := placeholder.ReplaceAllStringFunc(r.path, func(found string) string {
		name := strings.Trim(found, "{}")
		var value any = params
		for _, step := range strings.Split(name, ".") {
			object, _ := value.(map[string]any)
			value = object[step]
		}
		text, ok := scalar(value)
		if !ok || text == "" {
			missing = r.fault("path", "params contain no value for {"+name+"}")
		}
		return url.PathEscape(text)
	})
	return path, missing
}

// scalar formats a value for an address.
func scalar(value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case nil, map[string]any, []any:
		return "", false
	default:
		text, err := gojq.Marshal(v)
		return string(text), err == nil
	}
}

// ownQuery returns the params that the HTTP binding of a protocol sends in the query.
func (r *route) ownQuery(params map[string]any) url.Values {
	values := url.Values{}
	for _, name := range r.queried {
		if text, ok := scalar(params[name]); ok {
			values.Set(name, text)
		}
	}
	return values
}

func (r *route) queryOf(ctx context.Context, input map[string]any) (url.Values, error) {
	if !r.query.IsSet() {
		return nil, nil
	}
	value, err := r.query.Yield(ctx, input)
	if err != nil {
		return nil, r.fault("query", err)
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, r.fault("query", "yields no object")
	}
	values := url.Values{}
	for name, member := range object {
		if member == nil {
			continue
		}
		text, ok := scalar(member)
		if !ok {
			return nil, r.fault("query", name+" is not a scalar")
		}
		values.Set(name, text)
	}
	return values, nil
}

func (r *route) bodyOf(ctx context.Context, input map[string]any, params json.RawMessage) ([]byte, error) {
	if !r.body.IsSet() {
		if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodDelete, http.MethodOptions}, r.method) {
			return nil, nil
		}
		return params, nil
	}
	body, err := r.body.YieldJSON(ctx, input)
	if err != nil {
		return nil, r.fault("body", err)
	}
	return body, nil
}

// mappedRequest returns what the jq of the target file made of a request.
func (r *route) mappedRequest(request Request) any {
	var made []any
	if r.body.IsSet() {
		if body, err := mapping.Decode(request.Body); err == nil {
			made = append(made, body)
		}
	}
	if r.query.IsSet() {
		query := map[string]any{}
		for name := range request.Query {
			query[name] = request.Query.Get(name)
			made = append(made, query[name])
		}
		made = append(made, query)
	}
	return made
}

// answer maps a response. It sees the response and nothing of the request: a mapping that saw the
// params could replace the whole host. An answer of the target itself is judged unchanged; what the
// mapping makes of it is marked as provided.
func (r *route) answer(ctx context.Context, response Response) (driver.Answer, error) {
	var body any
	var notJSON error
	if len(bytes.TrimSpace(response.Body)) > 0 {
		m, err := jsonrpc.Read(response.Body)
		if err != nil {
			return driver.Answer{}, err
		}
		if !m.NoJSON {
			if _, err := jsonrpc.Decodable(driver.Limits{}, driver.Operation{},
				driver.Answer{Result: response.Body}); err != nil {
				return driver.Answer{}, err
			}
		}
		if body, notJSON = mapping.Decode(response.Body); notJSON != nil || m.NoJSON {
			notJSON = fmt.Errorf("the body is not JSON: %s", m.Defect)
		}
	}
	headers := map[string]any{}
	for name := range response.Header {
		headers[strings.ToLower(name)] = strings.Join(response.Header.Values(name), ", ")
	}
	input := map[string]any{"status": response.Status, "headers": headers, "body": body}
	refused, err := r.refused.YieldRefusal(ctx, input)
	if err != nil {
		return driver.Answer{}, r.fault("error", err)
	}
	if refused != nil {
		return driver.Answer{Outcome: driver.Refused, Error: refused, Provided: r.provided()}, nil
	}
	switch status := response.Status; {
	case isAbsent(status), status >= 300 && status < 400:
		return withStatus(driver.Answer{}, Response{Status: status}), nil
	case status < 200 || status > 299:
		return jsonrpc.Malformed(fmt.Sprintf("status %d, for which the mapping has no error", status)), nil
	case notJSON != nil:
		return jsonrpc.Malformed(notJSON.Error()), nil
	}
	return r.mappedResult(ctx, input, response)
}

func (r *route) provided() string { return "mapping " + r.name }

func (r *route) mappedResult(ctx context.Context, input map[string]any, response Response) (driver.Answer, error) {
	result, own, err := r.result.Result(ctx, input, response.Body)
	if err != nil {
		return driver.Answer{}, r.fault("response", err)
	}
	answer := driver.Answer{Outcome: driver.Returned, Result: result}
	if !own {
		answer.Provided = r.provided()
	}
	return answer, nil
}
