package mcpdriver_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// shop offers one tool, lookup, and answers its calls; the arguments of the last one are stored.
func shop(t *testing.T, result string, bindings map[string]mcpdriver.Binding) (driver.Session, *json.RawMessage) {
	t.Helper()
	compiled, err := mcpdriver.CompileBindings(bindings)
	require.NoError(t, err)
	called := new(json.RawMessage)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
			Params json.RawMessage
		}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := map[string]string{"initialize": validInitialize, "tools/list": `{"tools":[{"name":"lookup"}]}`,
			"tools/call": result}[m.Method]
		if m.Method == "tools/call" {
			*called = m.Params
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, answer)
	})
	session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: url},
		mcpdriver.Options{Operations: []string{"resolve_it"}, Bindings: compiled}).Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session, called
}

func TestMappedTool(t *testing.T) {
	const inText = `{"content":[{"type":"text","text":"{\"code\":%s,\"data\":{\"meta\":{\"id\":1},\"cid\":\"c\"}}"}]%s}`
	mapped := mcpdriver.Binding{
		Tool: "lookup", Params: "{id: .params.uri}", Response: ".body.data | {metadata: .meta, cid}",
		Error: `if .body.code == 404 then "NOT_FOUND" else null end`,
	}
	plain := mcpdriver.Binding{Tool: "lookup"}
	part := mcpdriver.Binding{Tool: "lookup", Response: ".body.data"}
	for name, test := range map[string]struct {
		binding mcpdriver.Binding
		result  string
		want    string // outcome, result or error, and what provides it
		sent    string
	}{
		"result": {mapped, fmt.Sprintf(inText, "0", ""),
			`returned {"cid":"c","metadata":{"id":1}} mapping resolve_it`, `{"id":"u"}`},
		"error in the result": {mapped, fmt.Sprintf(inText, "404", ""),
			`refused NOT_FOUND {"code":404,"data":{"meta":{"id":1},"cid":"c"}} mapping resolve_it`, `{"id":"u"}`},
		"isError": {mapped, fmt.Sprintf(inText, "500", `,"isError":true`),
			`refused  {"code":500,"data":{"meta":{"id":1},"cid":"c"}} `, `{"id":"u"}`},
		"plain text error": {mapped, `{"isError":true,"content":[{"type":"text","text":"gone"}]}`, `refused  gone `,
			`{"id":"u"}`},
		"only the name": {plain, `{"structuredContent":{"a":1.0}}`, `returned {"a":1.0} `, `{"uri":"u"}`},
		"a part":        {part, `{"structuredContent":{"data":[2.0]}}`, `returned [2.0] `, `{"uri":"u"}`},
		"no such part": {part, `{"structuredContent":{"code":404}}`,
			`malformed the mapping finds no result in it: response: there is nothing at .body.data `, `{"uri":"u"}`},
		"not JSON": {plain, `{"content":[{"type":"text","text":"hello"}]}`,
			`malformed the result of tools/call has neither structuredContent nor a text block that is JSON `, `{"uri":"u"}`},
		"response has no params": {
			mcpdriver.Binding{Tool: "lookup", Response: "{seen: keys}", Error: `if .params then "BAD" else null end`},
			`{"structuredContent":{"a":1.0}}`, `returned {"seen":["body","is_error","text"]} mapping resolve_it`, `{"uri":"u"}`,
		},
		"a value that the mapping sent": {
			mcpdriver.Binding{Tool: "lookup", Params: "{message: ({cid: .params.uri} | tojson)}"},
			`{"content":[{"type":"text","text":"{\"cid\":\"u\"}"}]}`, `returned {"cid":"u"} mapping resolve_it`,
			`{"message":"{\"cid\":\"u\"}"}`,
		},
		"error by text": {
			mcpdriver.Binding{Tool: "lookup",
				Error: `if .text | test("^No") then {code: "NOT_FOUND", message: .text} else null end`},
			`{"content":[{"type":"text","text":"No such thing"}]}`, `refused NOT_FOUND No such thing mapping resolve_it`,
			`{"uri":"u"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			session, called := shop(t, test.result, map[string]mcpdriver.Binding{"resolve_it": test.binding})
			a, err := session.Call(t.Context(), driver.Operation{Name: "resolve_it", Params: json.RawMessage(`{"uri":"u"}`)})
			require.NoError(t, err)
			got := fmt.Sprint(a.Outcome, " ", string(a.Result), a.Defect)
			if a.Error != nil {
				got += fmt.Sprint(a.Error.Code, " ", a.Error.Message)
			}
			if diff := cmp.Diff(test.want, got+" "+a.Provided); diff != "" {
				t.Errorf("answer (-want +got)\n%s", diff)
			}
			var sent struct {
				Name      string
				Arguments json.RawMessage
			}
			require.NoError(t, json.Unmarshal(*called, &sent))
			if diff := cmp.Diff("lookup "+test.sent, sent.Name+" "+string(sent.Arguments)); diff != "" {
				t.Errorf("sent (-want +got)\n%s", diff)
			}
		})
	}
}

func TestMappedOperations(t *testing.T) {
	session, _ := shop(t, `{}`, map[string]mcpdriver.Binding{"resolve_it": {Tool: "lookup"}, "search_it": {Tool: "find"}})
	if diff := cmp.Diff([]string{"resolve_it"}, session.Info().Mapped); diff != "" {
		t.Errorf("mapped (-want +got)\n%s", diff)
	}
	a, err := session.Call(t.Context(), driver.Operation{Name: "search_it"})
	require.NoError(t, err)
	if diff := cmp.Diff("not provided no tool is named find", fmt.Sprint(a.Outcome, " ", a.Error.Message)); diff != "" {
		t.Errorf("answer (-want +got)\n%s", diff)
	}
}

func TestInvalidMappingsAreRefused(t *testing.T) {
	_, err := mcpdriver.CompileBindings(map[string]mcpdriver.Binding{"x": {Params: "{", Response: "nothing_like_it",
		Error: "("}})
	if !errors.Is(err, driver.ErrConfiguration) {
		t.Errorf("got %v", err)
	}
	session, _ := shop(t, `{}`, map[string]mcpdriver.Binding{"resolve_it": {Tool: "lookup", Params: ".params.none"}})
	if _, err := session.Call(t.Context(), driver.Operation{Name: "resolve_it"}); !errors.Is(
		err,
		driver.ErrConfiguration,
	) {
		t.Errorf("got %v", err)
	}
}
