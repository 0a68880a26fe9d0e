package httpdriver_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// flusher sends each piece immediately.
type flusher struct{ http.ResponseWriter }

func (f flusher) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	f.ResponseWriter.(http.Flusher).Flush()
	return n, err
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

func scripted(t *testing.T) string {
	var host drivertest.Host
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		request, err := io.ReadAll(r.Body)
		if err == nil && r.URL.Path == "/rpc" && r.Method == http.MethodPost {
			err = host.Serve(r.Context(), request, flusher{w})
		}
		if err != nil {
			panic(http.ErrAbortHandler)
		}
	})
}

func TestContract(t *testing.T) {
	drivertest.Run(t, drivertest.Subject{Secret: "the-secret-key", Open: func(t *testing.T, o drivertest.Options) driver.Driver {
		return httpdriver.New(httpdriver.Config{
			URL: scripted(t), Header: http.Header{"x-chp-key": {"the-secret-key"}}, SecretSources: map[string]string{"X-CHP-Key": "$CHP_KEY"},
			Limits: o.Limits, Deadlines: o.Deadlines,
		})
	}})
}
