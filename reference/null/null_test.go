package null_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/null"
)

const request = `{"jsonrpc":"2.0","id":7,"method":"capability.list","params":{"a":1}}`

// What each host answers to the request, in process; none is a list of manifests.
var want = map[string]string{
	"silent":             "<none>",
	"closes":             "<none>",
	"not-found":          `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"method not found"}}`,
	"empty-object":       `{}`,
	"success":            `{"jsonrpc":"2.0","id":7,"result":{}}`,
	"success-null":       `{"jsonrpc":"2.0","id":7,"result":null}`,
	"success-empty-list": `{"jsonrpc":"2.0","id":7,"result":[]}`,
	"success-ok":         `{"jsonrpc":"2.0","id":7,"result":{"ok":true,"output":{},"error":null,"duration_ms":0}}`,
	"failure-result":     `{"jsonrpc":"2.0","id":7,"result":{"ok":false,"output":null,"error":{"code":"INVALID_INPUT","message":"no"},"duration_ms":0}}`,
	"not-found-result":   `{"jsonrpc":"2.0","id":7,"result":{"ok":false,"output":null,"error":{"code":"NOT_FOUND","message":"no"},"duration_ms":0}}`,
	"invocation-success": `{"jsonrpc":"2.0","id":7,"result":{"invocation_id":"a","capability_id":"a","correlation":{"correlation_id":"a"},"outcome":"success","success":true,"data":null,"evidence_ids":[],"completed_at":"2026-01-01T00:00:00Z"}}`,
	"invocation-denied":  `{"jsonrpc":"2.0","id":7,"result":{"invocation_id":"a","capability_id":"a","correlation":{"correlation_id":"a"},"outcome":"denied","success":false,"data":null,"evidence_ids":[],"completed_at":"2026-01-01T00:00:00Z"}}`,
	"replay-empty":       `{"jsonrpc":"2.0","id":7,"result":{"correlation_id":"a","event_count":0,"events":[],"replayed_at":"2026-01-01T00:00:00Z"}}`,
	"error":              `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"data":{"code":"NOT_FOUND"},"message":"no"}}`,
	"error-internal":     `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no"}}`,
	"echo":               request,
	"echo-params":        `{"jsonrpc":"2.0","id":7,"result":{"a":1}}`,
	"garbage":            "\x00\xff\xfe\x80garbage\x1b[2J",
	"prose":              "Welcome to this host.",
	"half":               `{"jsonrpc":"2.0","id":1,"result":[{"capability_id":"a`,
}

func TestNullHostsInProcess(t *testing.T) {
	got := map[string]string{}
	for _, host := range null.All() {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // otherwise the silent host would block
		got[host.Name] = "<none>"
		if reply := host.Handle(ctx, []byte(request)); reply != nil {
			got[host.Name] = string(reply)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("replies (-want +got)\n%s", diff)
	}
}

func TestNullHostsOverLines(t *testing.T) {
	for _, host := range null.All() {
		t.Run(host.Name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if host.Name == "silent" {
				cancel()
			}
			var out strings.Builder
			require.NoError(t, host.Stdio(ctx, strings.NewReader(request+"\n"+request+"\n"), &out))
			expected := strings.Repeat(want[host.Name]+"\n", 2)
			if want[host.Name] == "<none>" {
				expected = ""
			}
			if diff := cmp.Diff(expected, out.String()); diff != "" {
				t.Errorf("output (-want +got)\n%s", diff)
			}
		})
	}
}

func TestNullHostsOverHTTP(t *testing.T) {
	for _, host := range null.All() {
		t.Run(host.Name, func(t *testing.T) {
			listener, err := reference.Listen(t.Context(), ":0")
			require.NoError(t, err)
			ctx, stop := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- reference.ServeHTTP(ctx, listener, host.HTTP) }()
			url := "http://" + listener.Addr().String()
			got := post(t, url+"/rpc", host.Name == "silent")
			if strings.HasPrefix(host.Name, "invocation-") || host.Name == "replay-empty" {
				var reply struct{ Result json.RawMessage }
				require.NoError(t, json.Unmarshal([]byte(want[host.Name]), &reply))
				if diff := cmp.Diff("200 "+string(reply.Result), post(t, url+"/invoke", false)); diff != "" {
					t.Errorf("response outside /rpc (-want +got)\n%s", diff)
				}
			}
			stop()
			require.NoError(t, <-ended)
			expected := "200 " + want[host.Name]
			switch host.Name {
			case "silent", "closes":
				expected = "<none>"
			case "not-found":
				expected = "404 404 page not found\n"
			}
			if diff := cmp.Diff(expected, got); diff != "" {
				t.Errorf("response (-want +got)\n%s", diff)
			}
		})
	}
}

// post returns the status and the body, or <none> if no response arrived. For a silent host it uses a context that
// ends when the request has been sent.
func post(t *testing.T, url string, silent bool) string {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var sent io.Reader = strings.NewReader(request)
	if silent {
		sent = &cancelling{Reader: sent, cancel: cancel}
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, url, sent)
	require.NoError(t, err)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(call)
	if err != nil {
		return "<none>"
	}
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return response.Status[:3] + " " + string(body)
}

type cancelling struct {
	io.Reader
	cancel func()
}

func (c *cancelling) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if err == io.EOF {
		c.cancel()
	}
	return n, err
}

func TestNullHostsListNoManifests(t *testing.T) {
	for name, reply := range want {
		var members struct {
			Result []map[string]any `json:"result"`
		}
		if json.Unmarshal([]byte(reply), &members) == nil && len(members.Result) > 0 {
			t.Errorf("%s lists %v", name, members.Result)
		}
	}
}
