package httpdriver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

// A stream is read until the target ends it, until a second after the event that ends it, or until the time for the call
// ends. What arrived is the answer.
func TestStatedRequestsAreAnsweredByStreams(t *testing.T) {
	tests := map[string]struct {
		stream string
		open   bool // the target does not end the stream
		last   string
		want   string // the names of the events, and whether the target ended them
	}{
		"ended":             {stream: "event: a\ndata: 1\n\nevent: end\ndata: 2\n\n", last: "end", want: "[a end] true"},
		"open":              {stream: "event: a\ndata: 1\n\nevent: end\ndata: 2\n\n", open: true, last: "end", want: "[a end] false"},
		"open without last": {stream: "event: a\ndata: 1\n\n", open: true, want: "[a] false"},
		"never at its last": {stream: "event: a\ndata: 1\n\n", open: true, last: "end", want: "[a] false"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, test.stream)
				_ = http.NewResponseController(w).Flush()
				if test.open {
					<-r.Context().Done()
				}
			}))
			t.Cleanup(server.Close)
			routes := httpdriver.Bindings{}.WithRoutes([]driver.Route{{Operation: "run", Method: http.MethodPost, Path: "/run"}})
			session, err := httpdriver.New(httpdriver.Config{URL: server.URL, Bindings: routes,
				Deadlines: driver.Deadlines{Call: 3 * time.Second}}).Open(t.Context())
			require.NoError(t, err)
			t.Cleanup(func() { _ = session.Close() })
			answer, err := session.Call(t.Context(), driver.Operation{Name: "request", Request: true, Last: test.last,
				Params: json.RawMessage(`{"method": "POST", "path": "/run", "body": {}}`)})
			require.NoError(t, err)
			var got driver.Response
			require.NoError(t, json.Unmarshal(answer.Result, &got))
			var names []string
			for _, e := range got.Events {
				names = append(names, e.Name)
			}
			assert.Equal(t, test.want, fmt.Sprintf("%v %v", names, got.Ended))
		})
	}
}
