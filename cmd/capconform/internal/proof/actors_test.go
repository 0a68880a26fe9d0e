package proof

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// TestActorsFollowFromServedOperations examines hosts that serve some of the operations. Each is examined as the actors
// that its operations show, and fails only what it cannot fulfil without the others.
func TestActorsFollowFromServedOperations(t *testing.T) {
	s := suiteOf(t, acpsuite.Definition())
	table := map[string]struct{ actors, failed string }{
		"publish":                           {actors: "registry"},
		"get":                               {actors: "registry", failed: "ACP-CHAIN-01"},
		"events":                            {actors: "registry", failed: "ACP-CHAIN-01"},
		"publish get":                       {actors: "registry"},
		"publish events":                    {actors: "registry"},
		"get events":                        {actors: "registry", failed: "ACP-CHAIN-01"},
		"publish get events":                {actors: "registry"},
		"author":                            {actors: "publisher"},
		"author publish":                    {actors: "registry publisher"},
		"author publish get events":         {actors: "registry publisher"},
		"message":                           {actors: "router runtime", failed: "ACP-ABS-02 ACP-MOT-01"},
		"install":                           {actors: "router runtime", failed: "ACP-ABS-02 ACP-EXEC-01"},
		"install uninstall":                 {actors: "router runtime", failed: "ACP-EXEC-01"},
		"install message":                   {actors: "router runtime", failed: "ACP-ABS-02"},
		"install uninstall message":         {actors: "router runtime"},
		"message uninstall publish get":     {actors: "router runtime registry", failed: "ACP-MOT-01"},
		"resolve_capability":                {actors: "index"},
		"search_capabilities":               {actors: "index"},
		"resolve_capability publish events": {actors: "registry index"},
	}
	for i, served := range slices.Sorted(maps.Keys(table)) {
		want := table[served]
		t.Run(served, func(t *testing.T) {
			sampled(t, i, 4)
			host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(func(h *acphost.Host) {
				for _, name := range slices.Collect(maps.Keys(h.Provided)) {
					if name != acphost.OpConfigure && !slices.Contains(strings.Fields(served), strings.TrimPrefix(name, "acp.")) {
						delete(h.Provided, name)
					}
				}
			})})
			require.NoError(t, err)
			defer func() { require.NoError(t, host.Close()) }()
			subject := &suites.Subject{Driver: inproc.New("part", host.Handle), Invoke: live.InvokeSafe, Seed: seed}
			subject.Deadlines.Slow = brevity
			report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true})
			require.NoError(t, err)
			require.Equal(t, want.actors, strings.Join(report.Suites[0].Actors, " "))
			var failed []string
			for _, q := range report.Suites[0].Requirements {
				r, known := s.Catalogue.Lookup(q.ID)
				require.True(t, known)
				if q.Status == reports.Failed && len(r.SumOf) == 0 {
					failed = append(failed, q.ID)
				}
			}
			slices.Sort(failed)
			require.Equal(t, want.failed, strings.Join(failed, " "))
		})
	}
}

// TestNamedActorsMustServeTheirOperations: a host that is declared to be an actor must fulfil the duties of that actor.
func TestNamedActorsMustServeTheirOperations(t *testing.T) {
	s := suiteOf(t, acpsuite.Definition())
	for actor, duty := range map[string]string{"registry": "ACP-CHAIN-01", "publisher": "ACP-PUB-05", "router": "ACP-MOT-01"} {
		t.Run(actor, func(t *testing.T) {
			host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(func(h *acphost.Host) {
				maps.DeleteFunc(h.Provided, func(name string, _ rpc.Operation) bool { return name != acphost.OpConfigure })
			})})
			require.NoError(t, err)
			defer func() { require.NoError(t, host.Close()) }()
			subject := &suites.Subject{
				Driver: inproc.New("nothing", host.Handle),
				Invoke: live.InvokeSafe,
				Seed:   seed,
				Actors: []string{actor},
			}
			selection := suites.Selection{Requirements: []string{duty}}
			report, err := suites.Run(
				t.Context(),
				[]*suites.Suite{s},
				subject,
				suites.Options{Selection: selection, Explicit: true},
			)
			require.NoError(t, err)
			at := slices.IndexFunc(
				report.Suites[0].Requirements,
				func(q reports.Requirement) bool { return q.ID == duty },
			)
			require.Equal(t, reports.Failed, report.Suites[0].Requirements[at].Status)
		})
	}
}
