package mcpdriver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

type modernRequest struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Meta struct {
			Version      string         `json:"io.modelcontextprotocol/protocolVersion"`
			Capabilities map[string]any `json:"io.modelcontextprotocol/clientCapabilities"`
		} `json:"_meta"`
		Name      string                       `json:"name"`
		Arguments map[string]any               `json:"arguments"`
		Responses map[string]map[string]string `json:"inputResponses"`
		State     string                       `json:"requestState"`
	} `json:"params"`
}

// answerModern is a server of revision 2026-07-28 alone. It returns a result or an error, as JSON.
func answerModern(r modernRequest) (result, failure string) {
	if r.Params.Meta.Version != "2026-07-28" || r.Params.Meta.Capabilities == nil {
		return "", `{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"]}}`
	}
	const wants = `{"resultType":"input_required","requestState":"s1","inputRequests":{"q":{"method":"elicitation/create","params":{}}}}`
	switch r.Method + " " + r.Params.Name {
	case "server/discover ":
		return `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},` +
			`"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"modern","version":"3"}}}`, ""
	case "tools/list ":
		return `{"resultType":"complete","tools":[{"name":"capability_list","inputSchema":{"type":"object","properties":` +
			`{"in":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}}},` +
			`{"name":"capability_describe","inputSchema":{}},{"name":"capability_invoke","inputSchema":{}}]}`, ""
	case "tools/call capability_list":
		return `{"resultType":"complete","content":[],"structuredContent":{"capabilities":[]}}`, ""
	case "tools/call capability_describe": // needs an answer to its question
		if r.Params.Responses["q"]["action"] != "decline" || r.Params.State != "s1" {
			return wants, ""
		}
		return `{"resultType":"complete","content":[],"structuredContent":{"declined":true}}`, ""
	case "tools/call capability_invoke": // asks again and again
		return wants, ""
	}
	return "", `{"code":-32601,"message":"Method not found"}`
}

func modernReply(r modernRequest) (reply string, failed bool) {
	result, failure := answerModern(r)
	if failure != "" {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":%s}`, r.ID, failure), true
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result), false
}

// serveModern serves a modern server over streamable HTTP, which demands the headers of the revision.
func serveModern(w http.ResponseWriter, request *http.Request) {
	body, _ := io.ReadAll(request.Body)
	var r modernRequest
	if request.Method != http.MethodPost || json.Unmarshal(body, &r) != nil {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	region := ""
	if in, is := r.Params.Arguments["in"].(map[string]any); is {
		region, _ = in["region"].(string)
	}
	if region == "Ωmega" {
		region = "=?base64?zqltZWdh?="
	}
	got := []string{request.Header.Get("Mcp-Method"), request.Header.Get("Mcp-Name"),
		request.Header.Get("Mcp-Param-Region")}
	if request.Header.Get("Mcp-Protocol-Version") != "2026-07-28" || !cmp.Equal(got,
		[]string{r.Method, r.Params.Name, region}) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32020,"message":"Header mismatch"}}`, r.ID)
		return
	}
	reply, failed := modernReply(r)
	if failed {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, reply)
}

func modernPeers(t *testing.T, options mcpdriver.Options) map[string]driver.Driver {
	web := httptest.NewServer(http.HandlerFunc(serveModern))
	t.Cleanup(web.Close)
	return map[string]driver.Driver{
		"http": mcpdriver.NewHTTP(httpdriver.Config{URL: web.URL}, options),
		"stdio": mcpdriver.NewStdio(stdiodriver.Config{Command: []string{os.Args[0]}, Env: []string{asChild + "=modern"}},
			options),
	}
}

// TestServerOfModernRevisionAlone: it rejects initialize, and is found by server/discover.
func TestServerOfModernRevisionAlone(t *testing.T) {
	for _, version := range []string{"", mcpdriver.ModernVersion} {
		options := capOperations
		options.Version = version
		for name, d := range modernPeers(t, options) {
			t.Run(name+version, func(t *testing.T) {
				session, err := d.Open(t.Context())
				require.NoError(t, err)
				defer session.Close()
				info := session.Info()
				require.Equal(t, []string{"2026-07-28", "modern", "3"}, []string{info.Negotiated, info.Name, info.Version})
				for _, test := range []struct{ op, params, want string }{
					{"capability.list", `{"in":{"region":"eu"}}`, `{"capabilities":[]}`},
					{"capability.list", `{"in":{"region":"Ωmega"}}`, `{"capabilities":[]}`},
					{"capability.list", ``, `{"capabilities":[]}`},
					{"capability.describe", `{}`, `{"declined":true}`},
				} {
					answer, err := session.Call(t.Context(), driver.Operation{Name: test.op, Params: json.RawMessage(test.params)})
					require.NoError(t, err)
					require.Equal(t, test.want, string(answer.Result), "%+v", answer)
				}
				_, err = session.Call(t.Context(), driver.Operation{Name: "capability.invoke"})
				require.ErrorIs(t, err, driver.ErrTooLarge)
				require.ErrorContains(t, err, "which capconform declines")
			})
		}
	}
}

// TestForcedRevisions: a revision that the server does not speak is an error that names those of the server.
func TestForcedRevisions(t *testing.T) {
	for name, d := range modernPeers(t, mcpdriver.Options{Version: "2025-06-18"}) {
		_, err := d.Open(t.Context())
		require.ErrorIs(t, err, driver.ErrUnreachable, name)
		require.ErrorContains(t, err, "initialize", name)
	}
}

func TestModernRevisionAgainstSDK(t *testing.T) {
	options := capOperations
	options.Version = mcpdriver.ModernVersion
	server := sdkServer()
	web := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(web.Close)
	for name, d := range map[string]driver.Driver{
		"http": mcpdriver.NewHTTP(httpdriver.Config{URL: web.URL}, options),
		"stdio": mcpdriver.NewStdio(stdiodriver.Config{Command: []string{os.Args[0]}, Env: []string{asChild + "=sdk"}},
			options),
	} {
		t.Run(name, func(t *testing.T) {
			session, err := d.Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			info := session.Info()
			got := fmt.Sprint(info.Protocol, info.Negotiated, info.Name, info.Version, info.Operations, info.Warnings)
			require.Equal(t, "mcp2026-07-28sdk9.9.9[capability_describe capability_invoke capability_list talks] []", got)
			answer, err := session.Call(t.Context(),
				driver.Operation{Name: "capability.invoke", Params: json.RawMessage(`{"n":1}`)})
			require.NoError(t, err)
			require.JSONEq(t, `{"ok":true,"output":{"n":1}}`, string(answer.Result))
			require.True(t, info.Apart)
			answer, err = session.Call(t.Context(), driver.Operation{Name: "tools/call", Method: true, Apart: true,
				Params: json.RawMessage(`{"name":"capability_invoke","arguments":{"n":2}}`)})
			require.NoError(t, err)
			require.Contains(t, string(answer.Result), `{\"n\":2}`)
		})
	}
}

// TestNewestRevision: with Newest, a server of both kinds of revisions is addressed in the newest, and one that refuses
// it or ends is addressed as before.
func TestNewestRevision(t *testing.T) {
	for child, want := range map[string]string{"sdk": "2026-07-28", "modern": "2026-07-28", "ends": "2025-11-25"} {
		d := mcpdriver.NewStdio(stdiodriver.Config{Command: []string{os.Args[0]}, Env: []string{asChild + "=" + child}},
			mcpdriver.Options{Newest: true})
		session, err := d.Open(t.Context())
		require.NoError(t, err, child)
		require.Equal(t, want, session.Info().Negotiated, child)
		require.NoError(t, session.Close())
	}
}

// TestMethodsShowEachAnswer: the caller of a method sees a result that wants input, and may state metadata.
func TestMethodsShowEachAnswer(t *testing.T) {
	for name, d := range modernPeers(t, mcpdriver.Options{Version: mcpdriver.ModernVersion}) {
		t.Run(name, func(t *testing.T) {
			session, err := d.Open(t.Context())
			require.NoError(t, err)
			defer session.Close()
			call := func(params string) driver.Answer {
				answer, err := session.Call(t.Context(),
					driver.Operation{Name: "tools/call", Method: true, Params: json.RawMessage(params)})
				require.NoError(t, err)
				return answer
			}
			answer := call(`{"name":"capability_invoke"}`)
			require.Contains(t, string(answer.Result), "input_required")
			require.JSONEq(t, `{"name":"capability_invoke"}`, string(answer.Exchange.Params))
			const own = `{"name":"capability_list","_meta":{"progressToken":1,` +
				`"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`
			answer = call(own)
			require.Equal(t, driver.Returned, answer.Outcome)
			require.JSONEq(t, own, string(answer.Exchange.Params))
			require.Contains(t, string(answer.Exchange.Sent), "clientCapabilities")
		})
	}
}

// TestQuietMessageOnAStream: the stream of a message to which no answer is expected ends after a moment, and what
// arrived on it is kept.
func TestQuietMessageOnAStream(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != "subscriptions/listen" {
			serveModern(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	t.Cleanup(web.Close)
	session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: web.URL},
		mcpdriver.Options{Version: mcpdriver.ModernVersion}).Open(t.Context())
	require.NoError(t, err)
	defer session.Close()
	answer, err := session.Call(t.Context(), driver.Operation{Name: "message", Message: true, Quiet: true,
		Body: []byte(`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen"}`)})
	require.NoError(t, err)
	require.Empty(t, answer.Result)
	heard, err := session.Call(t.Context(), driver.Operation{Name: "heard", Heard: true})
	require.NoError(t, err)
	require.Contains(t, string(heard.Result), "acknowledged")
}
