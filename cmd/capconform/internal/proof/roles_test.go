package proof

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// TestErrorHooksRequireAnError examines hooks on an error with a capability that is declared to fail but succeeds:
// that no hook runs after a success shows only half of the requirement.
func TestErrorHooksRequireAnError(t *testing.T) {
	t.Parallel() // it waits for hooks
	s := suiteOf(t, acdsuite.Definition())
	for capability, want := range map[string]reports.Status{"conformance.fail": reports.Passed, "cap.identify": reports.Inconclusive} {
		host, err := reference.New(reference.Options{Suites: []string{"acd"}})
		require.NoError(t, err)
		subject := &suites.Subject{
			Driver: inproc.New("acd", host.Handle), Invoke: live.InvokeSafe,
			Roles: map[string]map[string]live.Player{"acd": {"fails": {Capability: capability}}},
		}
		opts := suites.Options{Concurrency: 1, Selection: suites.Selection{Requirements: []string{"ACD-SDK6-07"}}}
		report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, opts)
		require.NoError(t, err)
		require.Equal(t, want, requirementOf(t, report, "ACD-SDK6-07").Status, capability)
	}
}
