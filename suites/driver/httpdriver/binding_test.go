package httpdriver_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

const params = `{"capability_id":"a/b c","version":"1.0.0","n":12345678901234567890123,"ref":{"id":"x"}}`

// boundCase is a binding, the answer of the target, and the expected result.
type boundCase struct {
	binding httpdriver.Binding
	status  int
	body    string
	sent    string // method, address and body
	want    string // outcome, result, code, provided, defect
	fails   string
}

func boundCases() map[string]boundCase {
	return map[string]boundCase{
		"the body": {httpdriver.Binding{Path: "/v1/tools"}, 200, ` {"a": 1.0}`, "GET /base/v1/tools?k=v ", `returned {"a": 1.0} "" "" ""`, ""},
		"a part":   {httpdriver.Binding{Path: "/t", Response: ` .body.x["y z"] `}, 200, `{"x":{"y z":[1.00]}}`, "GET /base/t?k=v ", `returned [1.00] "" "" ""`, ""},
		"made": {httpdriver.Binding{Path: "/t", Response: `[.body.tools[] | {capability_id: .id, n: .n}]`}, 200,
			`{"tools":[{"id":"a","n":12345678901234567890123.5}]}`, "GET /base/t?k=v ", `returned [{"capability_id":"a","n":12345678901234567890123.5}] "" "mapping op" ""`, ""},
		"path and query": {httpdriver.Binding{Path: "/t/{capability_id}/{ref.id}/{n}", Query: `{rev: .params.version, none: null}`}, 200, `1`,
			"GET /base/t/a%2Fb%20c/x/12345678901234567890123?k=v&rev=1.0.0 ", `returned 1 "" "" ""`, ""},
		"params as body": {httpdriver.Binding{Method: "POST", Path: "/t"}, 200, `1`, "POST /base/t?k=v " + params, `returned 1 "" "" ""`, ""},
		"own body":       {httpdriver.Binding{Method: "PUT", Path: "/t", Body: `{big: .params.n}`}, 200, `1`, `PUT /base/t?k=v {"big":12345678901234567890123}`, `returned 1 "" "" ""`, ""},
		"error": {httpdriver.Binding{Path: "/t", Error: `if .status == 404 then "NOT_FOUND" else null end`}, 404, `gone`,
			"GET /base/t?k=v ", `refused  "NOT_FOUND" "mapping op" ""`, ""},
		"error object": {httpdriver.Binding{Path: "/t", Error: `{code: .body.c, message: .headers["x-why"]}`}, 400, `{"c":"BAD"}`,
			"GET /base/t?k=v ", `refused  "BAD" "mapping op" ""`, ""},
		"no error":       {httpdriver.Binding{Path: "/t", Error: `empty`}, 200, `1`, "GET /base/t?k=v ", `returned 1 "" "" ""`, ""},
		"absent":         {httpdriver.Binding{Path: "/t"}, 404, `gone`, "GET /base/t?k=v ", `not provided  "" "" ""`, ""},
		"500":            {httpdriver.Binding{Path: "/t"}, 500, `{}`, "GET /base/t?k=v ", `malformed  "" "" "status 500, for which the mapping has no error"`, ""},
		"redirect":       {httpdriver.Binding{Path: "/t"}, 301, `{}`, "GET /base/t?k=v ", `malformed  "" "" "status 301, a redirect, which is not followed"`, ""},
		"not JSON":       {httpdriver.Binding{Path: "/t"}, 200, `{"a":`, "GET /base/t?k=v ", `malformed  "" "" "the body is not JSON: the message is not JSON: it ends too early"`, ""},
		"empty":          {httpdriver.Binding{Path: "/t", Response: `{}`}, 204, ``, "GET /base/t?k=v ", `returned {} "" "mapping op" ""`, ""},
		"yields null":    {httpdriver.Binding{Path: "/t", Response: `.body.x.y?`}, 200, `{}`, "GET /base/t?k=v ", "", "mapping op: response: yields nothing"},
		"part missing":   {httpdriver.Binding{Path: "/t", Response: `.body.x.y`}, 200, `{}`, "GET /base/t?k=v ", "", "mapping op: response: there is nothing at .body.x.y"},
		"fails":          {httpdriver.Binding{Path: "/t", Response: `.body | error`}, 200, `"no"`, "GET /base/t?k=v ", "", "mapping op: response: error: no"},
		"error fails":    {httpdriver.Binding{Path: "/t", Error: `5`}, 200, `{}`, "GET /base/t?k=v ", "", "mapping op: error: must yield"},
		"no environment": {httpdriver.Binding{Path: "/t", Response: `env.PATH`}, 200, `{}`, "GET /base/t?k=v ", "", "mapping op: response: yields nothing"},
		"response has no params": {httpdriver.Binding{Path: "/t", Response: `{seen: keys, params: .params}`}, 200, `{}`, "GET /base/t?k=v ",
			`returned {"params":null,"seen":["body","headers","status"]} "" "mapping op" ""`, ""},
		"error has no params": {httpdriver.Binding{Path: "/t", Error: `if .params then "BAD" else null end`}, 200, `1`, "GET /base/t?k=v ", `returned 1 "" "" ""`, ""},
		"a value that the mapping sent": {httpdriver.Binding{Method: "POST", Path: "/t", Body: `{a: {ok: true}}`, Response: `.body.json.a`}, 200, `{"json": {"a": {"ok": true}}}`,
			`POST /base/t?k=v {"a":{"ok":true}}`, `returned {"ok": true} "" "mapping op" ""`, ""},
		"a value that the mapping sent in the query": {httpdriver.Binding{Path: "/t", Query: `{q: ({ok: true} | tojson)}`}, 200, `{"ok": true}`,
			"GET /base/t?k=v&q=%7B%22ok%22%3Atrue%7D ", `returned {"ok": true} "" "mapping op" ""`, ""},
		"another answer than the value sent": {httpdriver.Binding{Method: "POST", Path: "/t", Body: `{a: {ok: true}}`}, 200, `{"ok": false}`,
			`POST /base/t?k=v {"a":{"ok":true}}`, `returned {"ok": false} "" "" ""`, ""},
		"no param":            {httpdriver.Binding{Path: "/t/{absent}"}, 200, `{}`, "", "", "mapping op: path: params contain no value for {absent}"},
		"query not an object": {httpdriver.Binding{Path: "/t", Query: `"x"`}, 200, `{}`, "", "", "mapping op: query: yields no object"},
	}
}

func TestBindings(t *testing.T) {
	for name, test := range boundCases() {
		t.Run(name, func(t *testing.T) {
			sent := make(chan string, 1)
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				sent <- fmt.Sprintf("%s %s %s", r.Method, r.RequestURI, body)
				w.Header().Set("X-Why", "because")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			bindings, err := httpdriver.CompileBindings(map[string]httpdriver.Binding{"op": test.binding})
			require.NoError(t, err)
			session := open(t, httpdriver.Config{URL: url + "/base/?k=v", Bindings: bindings})
			got, err := call(t, session, driver.Operation{Name: "op", Params: []byte(params)})
			if test.sent != "" {
				if diff := cmp.Diff(test.sent, <-sent); diff != "" {
					t.Errorf("sent (-want +got):\n%s", diff)
				}
			}
			if test.fails != "" {
				if !errors.Is(err, driver.ErrConfiguration) || !strings.Contains(err.Error(), test.fails) {
					t.Errorf("got %v, want %q", err, test.fails)
				}
				return
			}
			require.NoError(t, err)
			code := ""
			if got.Error != nil {
				code = got.Error.Code
			}
			if diff := cmp.Diff(test.want, fmt.Sprintf("%v %s %q %q %q", got.Outcome, got.Result, code, got.Provided, got.Defect)); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCompileBindings(t *testing.T) {
	_, err := httpdriver.CompileBindings(map[string]httpdriver.Binding{
		"good": {Path: "/x", Response: ".body"},
		"bad":  {Method: "get", Path: "x/{", Query: "{", Body: "nosuch", Response: "input", Error: "import \"a\" as b; 1"},
		"odd":  {Path: "/{a b}"},
	})
	if !errors.Is(err, driver.ErrConfiguration) {
		t.Fatalf("got %v, want ErrConfiguration", err)
	}
	for _, want := range []string{"bad: method", "bad: path", "bad: query", "bad: body", "bad: response", "bad: error", "odd: path"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if strings.Contains(err.Error(), "good") {
		t.Errorf("the error names the valid binding: %v", err)
	}
}
