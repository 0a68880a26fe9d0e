package proof

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// hiding returns a change of an agent: it does not serve some operations.
func hiding(operations ...string) func(*acdhost.Host) {
	return func(h *acdhost.Host) {
		for _, operation := range operations {
			h.Wrap[operation] = func(rpc.Operation) rpc.Operation { return nil }
		}
	}
}

// unseenDefects are agents with a defect that only an instrument shows.
func unseenDefects() map[string]func(*acdhost.Host) {
	return map[string]func(*acdhost.Host){
		"no defect": func(*acdhost.Host) {},
		"no hook runs": func(h *acdhost.Host) {
			h.RunWithHooks = func(ctx context.Context, _ *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
				return run(ctx)
			}
		},
		"the substrate is ignored": func(h *acdhost.Host) { h.Route = func(map[string]any) string { return "symbolic" } },
		"no model is asked":        func(h *acdhost.Host) { h.Consent = func(context.Context, map[string]any) error { return nil } },
	}
}

// TestHiddenInstruments hides the instruments of an agent, alone and together with the operations that they observe:
// no such agent is conformant, and a correct one has no failures.
func TestHiddenInstruments(t *testing.T) {
	s := suiteOf(t, acdsuite.Definition())
	for i, hidden := range [][]string{
		{acdhost.OpExecLog}, {acdhost.OpConfigure}, {acdhost.OpConfigure, acdhost.OpCalls},
		{acdhost.OpExecLog, acdhost.OpConfigure, acdhost.OpCalls}, {acdhost.OpAudit}, {acdhost.OpDocs},
	} {
		for name, defect := range unseenDefects() {
			t.Run(strings.Join(hidden, ",")+"/"+name, func(t *testing.T) {
				sampled(t, i, 12)
				t.Parallel()
				suite := examineAgent(t, s, hiding(hidden...), defect)
				require.NotEqual(t, reports.Conformant, suite.Verdict)
				if name == "no defect" {
					require.Equal(t, reports.Incomplete, suite.Verdict)
					require.Zero(t, suite.Counts.Should.Failed+suite.Counts.May.Failed)
				}
			})
		}
	}
}

// TestHiddenOperationsOfACP hides the operations of a router, registry, publisher and index, one at a time. According
// to the page of the adapter, only acp.state is optional.
func TestHiddenOperationsOfACP(t *testing.T) {
	s := suiteOf(t, acpsuite.Definition())
	defects := map[string]func(*acphost.Host){
		"no defect":      func(*acphost.Host) {},
		"another defect": func(h *acphost.Host) { h.EventsOf = func(*acphost.Transaction) []map[string]any { return nil } },
	}
	for i, hidden := range []string{
		acphost.OpConfigure, acphost.OpInstall, acphost.OpUninstall, acphost.OpMessage, acphost.OpAuthor, acphost.OpPublish, acphost.OpGet,
		acphost.OpEvents, acphost.OpResolve, acphost.OpSearch,
	} {
		for name, defect := range defects {
			t.Run(hidden+"/"+name, func(t *testing.T) {
				sampled(t, i, 15)
				t.Parallel()
				host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(func(h *acphost.Host) {
					delete(h.Provided, hidden)
					defect(h)
				})})
				require.NoError(t, err)
				defer func() { require.NoError(t, host.Close()) }()
				require.NotEqual(t, reports.Conformant, examineHidden(t, s, host.Handle).Verdict)
			})
		}
	}
}

// examineAgent runs the suite on the reference agent with the given changes.
func examineAgent(t *testing.T, s *suites.Suite, changes ...func(*acdhost.Host)) reports.Suite {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{"acd"}, Alter: func(parts *reference.Parts) {
		for _, change := range changes {
			change(parts.ACD)
		}
	}})
	require.NoError(t, err)
	defer func() { require.NoError(t, host.Close()) }()
	return examineHidden(t, s, host.Handle)
}

func examineHidden(t *testing.T, s *suites.Suite, handle inproc.Handler) reports.Suite {
	t.Helper()
	subject := &suites.Subject{Driver: inproc.New("hidden", handle), Invoke: live.InvokeSafe, Seed: seed}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	return report.Suites[0]
}
