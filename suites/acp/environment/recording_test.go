package environment

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/record"
)

// notes is a witness that stores the entries it receives.
type notes struct {
	record.Clock
	mu  sync.Mutex
	all []record.Entry
}

func (n *notes) Enter(e record.Entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.all = append(n.all, e)
}

func (n *notes) lines(t *testing.T) []string {
	t.Helper()
	n.mu.Lock()
	defer n.mu.Unlock()
	var all []string
	for _, e := range n.all {
		sent, err := e.Sent.Text()
		require.NoError(t, err)
		received, err := e.Received.Text()
		require.NoError(t, err)
		require.Less(t, e.Begun, e.Done)
		require.Equal(t, record.Target, e.From)
		all = append(
			all,
			fmt.Sprintf("%s | %s | %s | %s %d | %s", e.Party, e.Operation, sent, e.Outcome, e.Status, received),
		)
	}
	return all
}

// When a client has received an answer, the complete exchange is in the record.
func TestExchangesAreRecorded(t *testing.T) {
	run, err := new(Environment).Open()
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, run.Close()) })
	witness := &notes{}
	run.Record(witness)
	big := strings.Repeat("a file\n", 2000)
	cid := run.Gateway.Serve([]byte(big))
	gone := run.Gateway.Serve([]byte("gone"))
	run.Gateway.Drop(gone)
	base := strings.TrimSuffix(run.Configuration().Gateway, "/gateway")
	ask := func(method, path, body string) string {
		request, err := http.NewRequestWithContext(t.Context(), method, base+path, strings.NewReader(body))
		require.NoError(t, err)
		response, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(request)
		if err != nil {
			return ""
		}
		defer response.Body.Close() // it was read
		text, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		return string(text)
	}
	cases := []struct{ method, path, body, want string }{
		{"GET", "/gateway/ipfs/" + cid, "", "gateway | GET /ipfs/" + cid + " |  | returned 200 | " + big},
		{"GET", "/gateway/ipfs/" + gone, "", "gateway | GET /ipfs/" + gone + " |  | lost 0 | "},
		{"GET", "/resolver/1.0/identifiers/did:key:zNobody", "", "resolver | GET /1.0/identifiers/did:key:zNobody |  | returned 404 | "},
		{"POST", "/llm/v1/chat/completions", `{"messages": [ ]}`, `model | POST /v1/chat/completions | {"messages":[]} | returned 200 | `},
		{"POST", "/tools/http/echo/here?topic=a%20b", "text", "service | POST /http/echo/here?topic=a%20b | text | returned 200 | "},
		{"POST", "/chain/rpc", `{"id":1,"method":"acp.events","params":{"since":0}}`, `chain | POST /rpc | {"id":1,"method":"acp.events","params":{"since":0}} | returned 200 | `},
	}
	for i, c := range cases {
		got := ask(c.method, c.path, c.body)
		lines := witness.lines(t)
		require.Len(t, lines, i+1, "after %s", c.path)
		line := strings.TrimSpace(lines[i])
		if !strings.HasPrefix(lines[i], c.want) || !strings.HasSuffix(line, strings.TrimSpace(got)) {
			t.Errorf("%s: the entry is %.200q, want %.200q and the answer", c.path, line, c.want)
		}
	}
}
