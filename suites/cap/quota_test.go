package capsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/live"
)

// withQuota answers every invoke after the first ones with a failure.
func withQuota(serve inproc.Handler, quota int, refusal map[string]any) inproc.Handler {
	invoked := 0
	return func(ctx context.Context, request []byte) []byte {
		var call struct {
			ID     json.Number `json:"id"`
			Method string      `json:"method"`
		}
		if json.Unmarshal(request, &call) != nil || call.Method != history.OpInvoke {
			return serve(ctx, request)
		}
		if invoked++; invoked <= quota {
			return serve(ctx, request)
		}
		return jsonvalue.Encode(map[string]any{"jsonrpc": "2.0", "id": call.ID, "result": refusal})
	}
}

// A source that serves a number of calls and no further one is not accused, wherever in the run
// the quota ends.
func TestQuotaIsNoFailure(t *testing.T) {
	suite, err := suites.New(Definition())
	require.NoError(t, err)
	for quota := 1; quota < 60; quota += 3 {
		for name, refusal := range map[string]map[string]any{
			"vague": failure(history.ExecutionFailed, "error 17"), "clear": failure(history.PermissionDenied, "quota exceeded"),
		} {
			t.Run(fmt.Sprintf("%s after %d", name, quota), func(t *testing.T) {
				source := &scripted{manifest: scriptedTool(t, `{}`), answer: func(_ int, params map[string]any) map[string]any {
					return (&scripted{}).plain(params[history.MemberInvoked])
				}}
				handler := withQuota(source.serve(t), quota, refusal)
				subject := &suites.Subject{Driver: inproc.New("quota", handler), Invoke: live.InvokeAll, Seed: 1}
				report, err := suites.Run(t.Context(), []*suites.Suite{suite}, subject, suites.Options{Explicit: true})
				require.NoError(t, err)
				for _, r := range report.Suites[0].Requirements {
					if r.Status == reports.Failed || r.Status == reports.Error {
						t.Errorf("%s is %s", r.ID, r.Status)
					}
				}
			})
		}
	}
}
