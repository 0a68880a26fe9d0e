package proof

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
)

// TestConfinedRoleOfTheTargetFile examines a runtime whose sandbox has another type of
// binding than the fixture profile: it is judged only where the target file names the type.
func TestConfinedRoleOfTheTargetFile(t *testing.T) {
	s, err := suites.New(acpsuite.Definition())
	require.NoError(t, err)
	wasm := suites.Player{Capability: "acme_wasm", Input: json.RawMessage(`{"module":"probe.wasm"}`)}
	for name, c := range map[string]struct {
		player suites.Player
		reach  func(h *acphost.Host) func(context.Context, string) error
		want   reports.Status
	}{
		"not named":       {want: reports.NotApplicable},
		"keeps the tool":  {player: wasm, want: reports.Passed},
		"lets it out":     {player: wasm, reach: func(h *acphost.Host) func(context.Context, string) error { return h.Request }, want: reports.Failed},
		"no such type":    {player: suites.Player{Capability: "acme_none"}, want: reports.Inconclusive},
		"other parameter": {player: suites.Player{Capability: wasm.Capability}, want: reports.Inconclusive},
	} {
		t.Run(name, func(t *testing.T) {
			host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(func(h *acphost.Host) {
				run := h.Binders[acphost.Confined]
				delete(h.Binders, acphost.Confined)
				h.Binders[wasm.Capability] = func(ctx context.Context, binding acphost.Binding, arguments map[string]any) (acphost.Result, error) {
					if binding.Members["module"] != "probe.wasm" {
						return h.Strange(binding)
					}
					return run(ctx, binding, arguments)
				}
				if c.reach != nil {
					h.Reach = c.reach(h)
				}
			})})
			require.NoError(t, err)
			defer func() { require.NoError(t, host.Close()) }()
			subject := &suites.Subject{Driver: inproc.New("runtime", host.Handle), Invoke: suites.InvokeSafe, Seed: seed}
			if c.player.Capability != "" {
				subject.Roles = map[string]map[string]suites.Player{"acp": {"confined": c.player}}
			}
			selection := suites.Selection{Requirements: []string{"ACP-SEC-02"}}
			report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Selection: selection, Explicit: true, Concurrency: 1})
			require.NoError(t, err)
			for _, q := range report.Suites[0].Requirements {
				if q.ID == "ACP-SEC-02" {
					require.Equal(t, c.want, q.Status, q.Reason)
				}
			}
		})
	}
}
