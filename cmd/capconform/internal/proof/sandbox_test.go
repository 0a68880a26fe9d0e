package proof

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// TestConfinedRoleOfTargetFile examines a runtime whose sandbox has another type of binding than the fixture
// profile: it is judged only if the target file names the type.
func TestConfinedRoleOfTargetFile(t *testing.T) {
	wasm := live.Player{Capability: "acme_wasm", Input: json.RawMessage(`{"module":"probe.wasm"}`)}
	for i, c := range []struct {
		name   string
		player live.Player
		reach  func(h *acphost.Host) func(context.Context, string) error
		want   reports.Status
	}{
		{name: "the sandbox is effective", player: wasm, want: reports.Passed},
		{name: "not named", want: reports.NotApplicable},
		{name: "no such type", player: live.Player{Capability: "acme_none"}, want: reports.Inconclusive},
		{name: "the tool escapes", player: wasm, reach: func(h *acphost.Host) func(context.Context,
			string) error {
			return h.RequestAddress
		}, want: reports.Failed},
		{name: "other parameter", player: live.Player{Capability: wasm.Capability}, want: reports.Inconclusive},
	} {
		t.Run(c.name, func(t *testing.T) {
			sampled(t, i, 3)
			t.Parallel()
			subject := &suites.Subject{}
			if c.player.Capability != "" {
				subject.Roles = map[string]map[string]live.Player{"acp": {"confined": c.player}}
			}
			got := statusOf(t, "ACP-SEC-02", subject, func(h *acphost.Host) {
				run := h.Binders[acphost.Confined]
				delete(h.Binders, acphost.Confined)
				h.Binders[wasm.Capability] = func(ctx context.Context, binding acphost.Binding, arguments map[string]any) (acphost.Result, error) {
					if binding.Members["module"] != "probe.wasm" {
						return h.RunUnknownType(binding)
					}
					return run(ctx, binding, arguments)
				}
				if c.reach != nil {
					h.ReachFromSandbox = c.reach(h)
				}
			})
			require.Equal(t, c.want, got.Status, got.Reason)
		})
	}
}

// TestTimeoutAdaptsToSlowSubject examines a host that calls no tool within a second: its timeout is observed when the
// configured timeout is longer.
func TestTimeoutAdaptsToSlowSubject(t *testing.T) {
	t.Parallel() // it waits for six seconds
	got := statusOf(t, "ACP-DONE-02", &suites.Subject{}, func(h *acphost.Host) {
		told := h.AnswerTimeout
		h.AnswerTimeout = func() time.Duration {
			if patience := told(); patience > time.Second {
				return patience
			}
			return time.Microsecond
		}
	})
	require.Equal(t, reports.Passed, got.Status, got.Reason)
}

// statusOf examines one requirement on the altered ACP part of the reference.
func statusOf(
	t *testing.T,
	requirement string,
	subject *suites.Subject,
	alter func(*acphost.Host),
) reports.Requirement {
	t.Helper()
	s := suiteOf(t, acpsuite.Definition())
	host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(alter)})
	require.NoError(t, err)
	defer func() { require.NoError(t, host.Close()) }()
	subject.Driver, subject.Invoke, subject.Seed = inproc.New("runtime", host.Handle), live.InvokeSafe, seed
	opts := suites.Options{
		Selection:   suites.Selection{Requirements: []string{requirement}},
		Explicit:    true,
		Concurrency: 1,
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, opts)
	require.NoError(t, err)
	return requirementOf(t, report, requirement)
}

func requirementOf(t *testing.T, report *reports.Report, id string) reports.Requirement {
	t.Helper()
	all := report.Suites[0].Requirements
	i := slices.IndexFunc(all, func(q reports.Requirement) bool { return q.ID == id })
	require.GreaterOrEqual(t, i, 0)
	return all[i]
}
