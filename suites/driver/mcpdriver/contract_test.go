package mcpdriver_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

const asChild = "MCPDRIVER_TEST_CHILD"

// TestMain also serves as the target: the test starts its own binary.
func TestMain(m *testing.M) {
	switch os.Getenv(asChild) {
	case "1":
		var host drivertest.Host
		drivertest.ServeLines(context.Background(), os.Stdin, os.Stdout, host.ServeMCP)
	case "ends": // at a request that precedes the handshake
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() && strings.Contains(lines.Text(), `"initialize"`) {
			fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}}`)
		}
	case "modern":
		lines := bufio.NewScanner(os.Stdin)
		for lines.Scan() {
			var r modernRequest
			if json.Unmarshal(lines.Bytes(), &r) == nil && r.ID != nil {
				reply, _ := modernReply(r)
				fmt.Println(reply)
			}
		}
	case "sdk":
		_ = sdkServer().Run(context.Background(), &mcp.StdioTransport{})
	default:
		drivertest.FindTools()
		goleak.VerifyTestMain(m)
	}
}

var options = mcpdriver.Options{Operations: []string{drivertest.Method}}

func TestContractOverStdio(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Secret: "the-secret-key",
		Open: func(_ *testing.T, o drivertest.Options) driver.Driver {
			return mcpdriver.NewStdio(stdiodriver.Config{
				Command: []string{os.Args[0]}, Env: []string{asChild + "=1", "GORACE=atexit_sleep_ms=0", "KEY=the-secret-key"},
				SecretSources: map[string]string{"KEY": "$KEY"}, Limits: o.Limits, Deadlines: o.Deadlines,
			}, options)
		}})
}

func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL
}

// pieces sends each write immediately, as a body or as the data of one event.
type pieces struct {
	http.ResponseWriter
	stream, begun bool
}

func (p *pieces) Write(b []byte) (int, error) {
	if p.stream && !p.begun {
		_, _ = io.WriteString(p.ResponseWriter, ": hello\n\nid: 1\ndata:\n\nevent: message\ndata: ")
	}
	p.begun = true
	n, err := p.ResponseWriter.Write(b)
	p.ResponseWriter.(http.Flusher).Flush()
	return n, err
}

func overHTTP(stream bool) func(t *testing.T, o drivertest.Options) driver.Driver {
	return func(t *testing.T, o drivertest.Options) driver.Driver {
		var host drivertest.Host
		url := serve(t, func(w http.ResponseWriter, r *http.Request) {
			request, err := io.ReadAll(r.Body)
			if r.Method != http.MethodPost || err != nil {
				w.WriteHeader(http.StatusMethodNotAllowed)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			if stream {
				w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			}
			p := &pieces{ResponseWriter: w, stream: stream}
			if err := host.ServeMCP(r.Context(), request, p); err != nil {
				panic(http.ErrAbortHandler)
			}
			if stream && p.begun {
				_, _ = io.WriteString(w, "\n\n")
			}
		})
		return mcpdriver.NewHTTP(httpdriver.Config{
			URL: url, Header: http.Header{"X-Key": {"the-secret-key"}}, SecretSources: map[string]string{"X-Key": "$KEY"},
			Limits: o.Limits, Deadlines: o.Deadlines,
		}, options)
	}
}

func TestContractOverHTTP(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Secret: "the-secret-key", Open: overHTTP(false)})
}

func TestContractOverHTTPWithStreams(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Secret: "the-secret-key", Open: overHTTP(true)})
}
