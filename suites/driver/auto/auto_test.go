package auto_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/auto"
	"github.com/capconform/capconform/suites/driver/drivertest"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

const asChild = "AUTO_TEST_CHILD"

// TestMain also serves as the target: the test starts its own binary.
func TestMain(m *testing.M) {
	var host drivertest.Host
	switch os.Getenv(asChild) {
	case "mcp":
		drivertest.ServeLines(context.Background(), os.Stdin, os.Stdout, host.ServeMCP)
	case "json-rpc":
		drivertest.ServeLines(context.Background(), os.Stdin, os.Stdout, host.Serve)
	default:
		drivertest.FindTools()
		goleak.VerifyTestMain(m)
	}
}

func TestContract(t *testing.T) {
	for _, protocol := range []string{"mcp", "json-rpc"} {
		t.Run(protocol, func(t *testing.T) {
			drivertest.Run(t, drivertest.Subject{Open: func(_ *testing.T, o drivertest.Options) driver.Driver {
				return auto.New(stdiodriver.Config{
					Command: []string{os.Args[0]}, Env: []string{asChild + "=" + protocol, "GORACE=atexit_sleep_ms=0"}, Limits: o.Limits, Deadlines: o.Deadlines,
				}, mcpdriver.Options{Operations: []string{drivertest.Method}})
			}})
		})
	}
}

// diesOfInitialize answers one request, but exits on the initialize of MCP.
const diesOfInitialize = `read -r line; case "$line" in *initialize*) echo dying >&2; exit 4;; esac; printf '{"jsonrpc":"2.0","id":1,"result":{}}\n'; cat >/dev/null`

func TestProtocolIsDetected(t *testing.T) {
	mcp := func(result string) string {
		return `read -r line; printf '{"jsonrpc":"2.0","id":1,"result":` + result + `}\n'; read -r line; read -r line; printf '{"jsonrpc":"2.0","id":2,"result":{}}\n'; cat >/dev/null`
	}
	tests := map[string]struct {
		command []string
		open    error
		call    error
		want    string // protocol and outcome
	}{
		"sleep":              {[]string{"sleep", "600"}, driver.ErrUnreachable, nil, ""},
		"cat":                {[]string{"cat"}, nil, nil, "json-rpc malformed the request itself was returned"},
		"yes":                {[]string{"yes"}, nil, driver.ErrUnreachable, ""},
		"false":              {[]string{"false"}, nil, driver.ErrUnreachable, ""},
		"no such command":    {[]string{"/no/such/command"}, driver.ErrUnreachable, nil, ""},
		"dies of initialize": {[]string{"sh", "-c", diesOfInitialize}, nil, nil, "json-rpc returned "},
		"mcp":                {[]string{"sh", "-c", mcp(`{"protocolVersion":"2025-06-18","capabilities":{}}`)}, nil, nil, "mcp returned "},
		"constant {}":        {[]string{"sh", "-c", `while read -r line; do echo '{}'; done`}, nil, nil, "json-rpc malformed id is missing"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			config := stdiodriver.Config{
				Command: test.command, Deadlines: driver.Deadlines{Handshake: time.Second}, Limits: driver.Limits{Message: 64 << 10},
			}
			d := auto.New(config, mcpdriver.Options{})
			session, err := d.Open(ctx)
			if !errors.Is(err, test.open) {
				t.Fatalf("Open: got %v, want %v", err, test.open)
			}
			if err != nil {
				return
			}
			defer session.Close()
			answer, err := session.Call(ctx, driver.Operation{Name: "tools/list"})
			if !errors.Is(err, test.call) {
				t.Fatalf("Call: got %v, want %v", err, test.call)
			}
			if err != nil {
				return
			}
			got := fmt.Sprint(session.Info().Protocol, " ", answer.Outcome, " ", answer.Defect)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("spoken (-want +got):\n%s", diff)
			}
			if spoken := map[string]string{"mcp": "mcp", "json-rpc": "stdio"}[session.Info().Protocol]; d.Target().Driver != spoken {
				t.Errorf("driver %q, want %q", d.Target().Driver, spoken)
			}
		})
	}
}

func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	_, err := auto.New(stdiodriver.Config{Command: []string{"sleep", "600"}}, mcpdriver.Options{}).Open(ctx)
	require.Error(t, err)
	if !errors.Is(err, driver.ErrCancelled) {
		t.Errorf("got %v, want ErrCancelled", err)
	}
}
