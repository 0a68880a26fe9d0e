package chpsuite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/suites"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// The second route of a replay belongs to the HTTP binding. A host that is called by JSON-RPC and does not provide
// replay must not receive an undefined operation.
func TestOnlyDefinedOperationsAreCalled(t *testing.T) {
	var mutex sync.Mutex
	var called []string
	host := func(_ context.Context, message []byte) []byte {
		var request struct {
			ID     json.RawMessage
			Method string
			Params struct {
				ID          string          `json:"invocation_id"`
				Correlation json.RawMessage `json:"correlation"`
			}
		}
		if err := json.Unmarshal(message, &request); err != nil {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":%q}}`, err.Error())
		}
		mutex.Lock()
		defer mutex.Unlock()
		called = append(called, request.Method)
		const capabilities = `"capabilities":[{"id":"text.measure","version":"1","description":"","modes":["sync"],"emits":[]}]`
		answers := map[string]string{
			"chp.host": `{"id":"h",` + capabilities + `}`, "chp.capabilities": `{` + capabilities + `}`,
			"chp.invoke": fmt.Sprintf(`{"invocation_id":%q,"correlation":%s,"outcome":"success","success":true}`,
				request.Params.ID, request.Params.Correlation),
		}
		if answer, known := answers[request.Method]; known {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, request.ID, answer)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no such method"}}`, request.ID)
	}
	s, err := suites.New(chpsuite.Definition())
	require.NoError(t, err)
	_, err = suites.Run(t.Context(), []*suites.Suite{s}, &suites.Subject{Driver: inproc.New("lean", host),
		Invoke: live.InvokeSafe},
		suites.Options{Explicit: true, Selection: suites.Selection{Requirements: []string{"CHP-10-01"}}})
	require.NoError(t, err)
	slices.Sort(called)
	if diff := cmp.Diff([]string{"chp.capabilities", "chp.host", "chp.invoke", "chp.replay"},
		slices.Compact(called)); diff != "" {
		t.Errorf("methods that were called (-want +got):\n%s", diff)
	}
}
