package proof

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acpsuite "github.com/capconform/capconform/suites/acp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// TestSwitchTakesArgumentOfTargetFile examines a router whose /switch expects a word before the capability URI: it
// fails only if the target file does not declare the word.
func TestSwitchTakesArgumentOfTargetFile(t *testing.T) {
	s := suiteOf(t, acpsuite.Definition())
	selection := suites.Selection{Requirements: []string{"ACP-ROUTE-04"}}
	for i, c := range []struct {
		argument string
		want     reports.Status
	}{{"", reports.Failed}, {"{name}", reports.Failed}, {"to {cap_uri}", reports.Passed}} {
		t.Run(c.argument, func(t *testing.T) {
			sampled(t, i, 2)
			t.Parallel()
			host, err := reference.New(reference.Options{Suites: []string{"acp"}, Alter: reference.OfACP(func(h *acphost.Host) {
				byName := h.Commands["/switch"]
				h.Commands["/switch"] = func(c *acphost.Conversation, argument string) string {
					name, _, _ := strings.Cut(strings.TrimPrefix(argument, "to did:nuwa:cap:"), "@")
					if !strings.HasPrefix(argument, "to did:nuwa:cap:") {
						return "Switch to what?"
					}
					return byName(c, name)
				}
			})})
			require.NoError(t, err)
			defer func() { require.NoError(t, host.Close()) }()
			subject := &suites.Subject{
				Driver: inproc.New("router", host.Handle), Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{"switch": c.argument},
			}
			report, err := suites.Run(
				t.Context(),
				[]*suites.Suite{s},
				subject,
				suites.Options{Selection: selection, Explicit: true, Concurrency: 1},
			)
			require.NoError(t, err)
			for _, q := range report.Suites[0].Requirements {
				if q.ID == "ACP-ROUTE-04" {
					require.Equal(t, c.want, q.Status, q.Reason)
				}
			}
		})
	}
}
