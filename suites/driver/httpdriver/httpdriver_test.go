package httpdriver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
)

func open(t *testing.T, config httpdriver.Config) driver.Session {
	t.Helper()
	session, err := httpdriver.New(config).Open(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func call(t *testing.T, session driver.Session, op driver.Operation) (driver.Answer, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	return session.Call(ctx, op)
}

func TestStatus(t *testing.T) {
	const ok = `{"jsonrpc":"2.0","id":1,"result":{}}`
	var elsewhere atomic.Int64
	other := serve(t, func(http.ResponseWriter, *http.Request) { elsewhere.Add(1) })
	tests := map[string]struct {
		status int
		body   string
		want   string
	}{
		"ok":                    {200, ok, "returned "},
		"500 with an answer":    {500, ok, "returned "},
		"404 with an answer":    {404, ok, "returned "},
		"404":                   {404, "not found", "not provided "},
		"404 with JSON":         {404, `{"error":"no"}`, "not provided "},
		"405":                   {405, "", "not provided "},
		"410":                   {410, "gone", "not provided "},
		"501":                   {501, "<p>Unsupported method", "not provided "},
		"404, JSON-RPC, bad id": {404, `{"jsonrpc":"2.0","id":null,"result":{}}`, "malformed status 404, and id is null, the request's is an integer"},
		"200, nothing":          {200, "", "malformed the message is empty"},
		"200, {}":               {200, "{}", "malformed id is missing"},
		"302":                   {302, "", "malformed status 302, a redirect, which is not followed"},
		"307":                   {307, "moved", "malformed status 307, a redirect, which is not followed"},
		"401":                   {401, "who", "malformed status 401, and the message is not JSON: invalid character 'w' at start of value at byte 0"},
		"503 without a date":    {503, "", "malformed status 503, and the message is empty"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", other)
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			got, err := call(t, open(t, httpdriver.Config{URL: url}), driver.Operation{Name: "x"})
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, fmt.Sprint(got.Outcome, " ", got.Defect)); diff != "" {
				t.Errorf("outcome (-want +got):\n%s", diff)
			}
			if got.Exchange.Status != test.status || elsewhere.Load() != 0 {
				t.Errorf("status %d, %d requests elsewhere", got.Exchange.Status, elsewhere.Load())
			}
		})
	}
}

func TestAddress(t *testing.T) {
	tests := map[string]struct{ below, path, want string }{
		"plain":          {"", "", "/rpc"},
		"slash":          {"/", "", "/rpc"},
		"folder":         {"/a/b/", "", "/a/b/rpc"},
		"query":          {"/a?tenant=x%20y", "", "/a/rpc?tenant=x%20y"},
		"own path":       {"/a", "/v1/json", "/a/v1/json"},
		"encoded folder": {"/a%2Fb", "", "/a%2Fb/rpc"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			seen := make(chan string, 1)
			url := serve(t, func(_ http.ResponseWriter, r *http.Request) { seen <- r.RequestURI })
			_, err := call(
				t,
				open(t, httpdriver.Config{URL: url + test.below, RPCPath: test.path}),
				driver.Operation{Name: "x"},
			)
			require.NoError(t, err)
			if diff := cmp.Diff(test.want, <-seen); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOpenFails(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, free.Close())
	tests := map[string]struct {
		url  string
		want error
	}{
		"refused":    {"http://" + free.Addr().String(), driver.ErrUnreachable},
		"unresolved": {"http://no.such.host.invalid/", driver.ErrUnreachable},
		"scheme":     {"ftp://127.0.0.1/", driver.ErrConfiguration},
		"no host":    {"http:///x", driver.ErrConfiguration},
		"unreadable": {"http://[::1", driver.ErrConfiguration},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := httpdriver.New(httpdriver.Config{URL: test.url}).Open(t.Context())
			if !errors.Is(err, test.want) {
				t.Errorf("got %v, want %v", err, test.want)
			}
		})
	}
}

func TestTargetThatDisappearsIsUnreachable(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Write([]byte("HTTP/1.1 200 OK\r\n\r\n{}"))
			_ = conn.Close()
		}
	}()
	session := open(t, httpdriver.Config{URL: "http://" + listener.Addr().String()})
	require.NoError(t, listener.Close())
	_, err = call(t, session, driver.Operation{Name: "x"})
	if !errors.Is(err, driver.ErrUnreachable) {
		t.Errorf("got %v, want ErrUnreachable", err)
	}
}

func TestReplyThatIsNotHTTP(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = conn.Read(make([]byte, 1))
			_, _ = conn.Write([]byte("\x00\x01 garbage that is no HTTP\r\n\r\n"))
			_ = conn.Close()
		}
	}()
	got, err := call(
		t,
		open(t, httpdriver.Config{URL: "http://" + listener.Addr().String()}),
		driver.Operation{Name: "x"},
	)
	require.NoError(t, err)
	if diff := cmp.Diff("the reply is not an HTTP response", got.Defect); diff != "" {
		t.Errorf("defect (-want +got):\n%s", diff)
	}
}

func TestThrottling(t *testing.T) {
	tests := map[string]struct {
		busy  int64
		after string
		want  error
		asked int64
	}{
		"twice":   {2, "0", nil, 3},
		"always":  {100, "0", driver.ErrThrottled, 4},
		"by date": {1, "Mon, 02 Jan 2006 15:04:05 GMT", nil, 2},
		"an hour": {100, "3600", driver.ErrThrottled, 1},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			url := serve(t, func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) <= test.busy {
					w.Header().Set("Retry-After", test.after)
					w.WriteHeader(http.StatusTooManyRequests)
					return
				}
				_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
			})
			ctx, resent := driver.CountResent(t.Context())
			_, err := open(t, httpdriver.Config{URL: url}).Call(ctx, driver.Operation{Name: "x"})
			if !errors.Is(err, test.want) || asked.Load() != test.asked || 1+resent.Load() != test.asked {
				t.Errorf("got %v after %d requests, %d of them repeated; want %v after %d", err, asked.Load(), resent.Load(),
					test.want, test.asked)
			}
		})
	}
}

func TestSecretsAreMasked(t *testing.T) {
	const token = `to"ken/+ of&mine`
	url := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%q %s %s", r.Header, body, r.URL)
	})
	config := httpdriver.Config{
		URL:           strings.Replace(url, "http://", "http://me:pass%2Fword1@", 1) + "?api_key=query-secret&tenant=visible-one",
		Header:        http.Header{"X-Key": {token}, "X-Literal-Token": {"literal-secret"}, "X-Tenant": {"acme-tenant"}, "Accept-Language": {"de-AT-visible"}},
		SecretSources: map[string]string{"X-Key": "Bearer $KEY"},
	}
	got, err := call(t, open(t, config), driver.Operation{Name: "x", Params: []byte(`{"leak":"to\"ken/+ of&mine"}`)})
	require.NoError(t, err)
	e := got.Exchange
	all := strings.Join(
		[]string{string(e.Sent), string(e.Received), e.Repeat(), httpdriver.New(config).Target().Address},
		"\n",
	)
	for _, hidden := range []string{"ken/+", "literal-secret", "query-secret", "word1", "bWU6"} {
		if strings.Contains(all, hidden) {
			t.Errorf("%q occurs in\n%s", hidden, all)
		}
	}
	for _, shown := range []string{`-H "X-Key: Bearer $KEY"`, "visible-one", "de-AT-visible", "-H 'X-Tenant: [masked]'"} {
		if !strings.Contains(all, shown) {
			t.Errorf("%q does not occur in\n%s", shown, all)
		}
	}
}
