package mcpdriver_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
)

// A server with only the transport of 2024-11-05 opens a stream on GET, whose first event contains the URL for
// messages, and refuses a POST to the URL of the stream.
func TestOldTransport(t *testing.T) {
	for name, test := range map[string]struct {
		first string // the first event of the stream
		old   bool
	}{
		"HTTP+SSE":           {"event: endpoint\ndata: /messages?session=1\n\n", true},
		"another stream":     {"event: tick\ndata: 1\n\n", false},
		"an unnamed event":   {"data: /messages\n\n", false},
		"a stream that ends": {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method != http.MethodGet {
					w.WriteHeader(http.StatusMethodNotAllowed)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, test.first)
				_ = http.NewResponseController(w).Flush()
				if test.old {
					<-r.Context().Done()
				}
			})
			_, err := mcpdriver.NewHTTP(httpdriver.Config{URL: url}, mcpdriver.Options{}).Open(t.Context())
			require.ErrorIs(t, err, driver.ErrUnreachable)
			if test.old {
				require.ErrorIs(t, err, mcpdriver.ErrOldTransport)
			} else {
				require.ErrorIs(t, err, mcpdriver.ErrNoMCP)
			}
		})
	}
}
