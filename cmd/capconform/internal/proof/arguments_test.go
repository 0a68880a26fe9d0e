package proof

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
)

// TestArgumentsAreRenamedByTargetFile examines a runtime whose built-in tools take arguments by other names.
// With a target file that maps them, it has the statuses of the reference, also from its record; without one, fewer
// requirements pass.
func TestArgumentsAreRenamedByTargetFile(t *testing.T) {
	skipShort(t)
	s := suiteOf(t, acpsuite.Definition())
	requirements := []string{
		"ACP-STATE-01",
		"ACP-STATE-02",
		"ACP-STATE-03",
		"ACP-STATE-04",
		"ACP-STATE-05",
		"ACP-STATE-06",
	}
	names := map[string]string{"object_id": "id", "operations": "patch", "filter": "query", "after": "cursor", "value": "object"}
	renamed := map[string]string{}
	for theirs, ours := range names {
		renamed["argument."+ours] = theirs
	}
	run := func(options map[string]string, alter func(*acphost.Host)) trial.Statuses {
		host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(alter)})
		require.NoError(t, err)
		defer func() { require.NoError(t, host.Close()) }()
		subject := &suites.Subject{Driver: inproc.New("runtime", host.Handle), Invoke: live.InvokeSafe, Seed: seed, Options: options}
		kept := suites.Options{Explicit: true, Concurrency: 2, Record: record.NewWriter(nil), Selection: suites.Selection{Requirements: requirements}}
		defer kept.Record.Close() // the spooled entries are not needed any more
		report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, kept)
		require.NoError(t, err)
		again, err := trial.Rejudge(t.Context(), s, report, kept)
		require.NoError(t, err)
		got, err := trial.Read(s, report)
		require.NoError(t, err)
		second, err := trial.Read(s, again)
		require.NoError(t, err)
		require.Empty(t, cmp.Diff(got.Status, second.Status), "statuses from its record (-run +record)")
		return got
	}
	others := func(h *acphost.Host) {
		for name, verb := range h.Verbs {
			h.Verbs[name] = func(ctx context.Context, p *acphost.Package, arguments map[string]any) (any, error) {
				given := map[string]any{}
				for name, value := range arguments {
					if ours := names[name]; ours != "" {
						given[ours] = value
					} else if renamed["argument."+name] == "" {
						given[name] = value
					}
				}
				return verb(ctx, p, given)
			}
		}
	}
	want := run(map[string]string{}, func(*acphost.Host) {})
	require.Empty(
		t,
		cmp.Diff(want.Status, run(renamed, others).Status),
		"a runtime with other names (-reference +runtime)",
	)
	without := run(map[string]string{}, others)
	require.Less(t, len(having(without, reports.Passed)), len(having(want, reports.Passed)), "without the target file")
}
