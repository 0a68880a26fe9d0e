package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// refusing refuses some invocations. They are counted from 1.
func refusing(serve inproc.Handler, refuses func(n int) bool, refusal map[string]any) inproc.Handler {
	invoked := 0
	var counting sync.Mutex
	return func(ctx context.Context, request []byte) []byte {
		var call struct {
			ID     json.Number `json:"id"`
			Method string      `json:"method"`
		}
		if json.Unmarshal(request, &call) != nil || call.Method != history.OpInvoke {
			return serve(ctx, request)
		}
		counting.Lock()
		invoked++
		served := !refuses(invoked)
		counting.Unlock()
		if served {
			return serve(ctx, request)
		}
		return jsonvalue.Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": refusal})
	}
}

// requireNoFailures examines a source and requires that no requirement fails.
func requireNoFailures(t *testing.T, suite *suites.Suite, refuses func(n int) bool, refusal map[string]any) {
	t.Helper()
	source := &scripted{manifest: scriptedTool(t, `{}`), answer: func(_ int, params map[string]any) map[string]any {
		return (&scripted{}).plain(params[history.MemberInvoked])
	}}
	handler := refusing(source.serve(t), refuses, refusal)
	subject := &suites.Subject{Driver: inproc.New("quota", handler), Invoke: live.InvokeAll, Seed: 1}
	report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
	require.NoError(t, err)
	for _, r := range report.Suites[0].Requirements {
		if r.Status == reports.Failed || r.Status == reports.Error {
			t.Errorf("%s is %s", r.ID, r.Status)
		}
	}
}

// refusals are the ways in which a source says that it was called too often.
var refusals = map[string]map[string]any{
	"vague": failure(history.ExecutionFailed, "error 17"), "clear": failure(history.PermissionDenied, "quota exceeded"),
}

// A source that serves a limited number of calls has no failures, wherever in the run the quota ends.
func TestQuotaIsNoFailure(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	for quota := 1; quota < 60; quota += 3 {
		for name, refusal := range refusals {
			t.Run(fmt.Sprintf("%s after %d", name, quota), func(t *testing.T) {
				requireNoFailures(t, suite, func(n int) bool { return n > quota }, refusal)
			})
		}
	}
}

// A source that is repeatedly overloaded has no failures either: it refuses up to four consecutive invocations of any
// kind.
func TestOverloadIsNoFailure(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	for shift := range 17 {
		for name, refusal := range refusals {
			t.Run(fmt.Sprintf("%s from %d", name, shift), func(t *testing.T) {
				requireNoFailures(t, suite, func(n int) bool { return (n+shift)%17 > 12 }, refusal)
			})
		}
	}
}
