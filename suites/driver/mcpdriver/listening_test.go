package mcpdriver_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// A server may send requests on the stream that a client opens with GET, and wait for the answers before it serves a
// call.
func TestServerSendsRequestsOnGetStream(t *testing.T) {
	answers := make(chan string, 2)
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     any
			Method string
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		switch {
		case r.Method == http.MethodGet:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: {\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"ping\"}\n\n"+
				"data: {\"jsonrpc\":\"2.0\",\"id\":\"b\",\"method\":\"roots/list\"}\n\n")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case m.Method == "initialize":
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		case m.Method == "" && m.Error != nil:
			answers <- fmt.Sprint(m.ID, " ", m.Error.Code)
		case m.Method == "":
			answers <- fmt.Sprint(m.ID, " ", string(m.Result))
		case m.Method == "x/call":
			var got []string
			for range 2 {
				select {
				case answer := <-answers:
					got = append(got, answer)
				case <-time.After(5 * time.Second):
				}
			}
			text, _ := json.Marshal(got)
			_, _ = fmt.Fprintf(w, `{"jsonrpc":"2.0","id":2,"result":%s}`, text)
		}
	})
	session, err := mcpdriver.NewHTTP(httpdriver.Config{URL: url}, mcpdriver.Options{}).Open(t.Context())
	require.NoError(t, err)
	defer session.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	answer, err := session.Call(ctx, driver.Operation{Name: "x/call"})
	require.NoError(t, err)
	if diff := cmp.Diff(`["a {}","b -32601"]`, string(answer.Result)); diff != "" {
		t.Errorf("answers to the requests of the server (-want +got):\n%s", diff)
	}
}
