package proof

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	capsuite "github.com/capconform/capconform/suites/cap"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// The numbers of calls that DESIGN section 13 permits in a run against the reference.
const chpCallsAtMost, capCallsAtMost = 450, 520

// sentTo runs a suite once and returns the requests that were sent to the host.
func sentTo(t *testing.T, name string, noFixtures bool) (sent []string) {
	t.Helper()
	host, err := reference.New(reference.Options{Suites: []string{name}, NoFixtures: noFixtures})
	require.NoError(t, err)
	var mutex sync.Mutex
	heard := func(ctx context.Context, request []byte) []byte {
		mutex.Lock()
		sent = append(sent, string(request))
		mutex.Unlock()
		return host.Handle(ctx, request)
	}
	s := chpOnWire(t)
	if name == "cap" {
		s = suiteOf(t, capsuite.Definition())
	}
	subject := &suites.Subject{
		Driver:    inproc.New(name, heard),
		Restarter: host.Restarter(),
		Invoke:    live.InvokeSafe,
		Seed:      seed,
		Options:   map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	got, err := trial.Read(s, report)
	require.NoError(t, err)
	require.Empty(t, having(got, reports.Failed))
	return sent
}

func TestCallsOfRunAreBounded(t *testing.T) {
	t.Parallel()
	for suite, most := range map[string]int{"chp": chpCallsAtMost, "cap": capCallsAtMost} {
		t.Run(suite, func(t *testing.T) {
			t.Parallel()
			n := len(sentTo(t, suite, false))
			t.Logf("%d calls", n)
			if n > most {
				t.Errorf("a run makes %d calls, want at most %d", n, most)
			}
		})
	}
}

// A host that has all fixtures except those of optional features is conformant: nothing is inconclusive.
func TestCHPFixturesWithoutGuardedOrDisabledAreComplete(t *testing.T) {
	t.Parallel()
	for _, missing := range []string{"conformance.guarded", "conformance.disabled"} {
		host, err := reference.New(reference.Options{Suites: []string{"chp"}, Alter: func(parts *reference.Parts) {
			parts.CHP.Catalogue = func(string) []*chphost.Capability {
				return slices.DeleteFunc(
					parts.CHP.Capabilities(),
					func(c *chphost.Capability) bool { return c.ID == missing },
				)
			}
		}})
		require.NoError(t, err)
		s := chpOnWire(t)
		subject := &suites.Subject{Driver: inproc.New("chp", host.Handle), Invoke: live.InvokeSafe, Seed: seed, Options: map[string]string{}}
		report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
		require.NoError(t, err)
		if got := report.Verdict; got != reports.Conformant {
			t.Errorf("without %s: %s, want conformant", missing, got)
		}
	}
}

// A host without fixtures has no failures, and exactly two MUSTs are inconclusive.
func TestCHPWithoutFixturesLeavesTwoMUSTsInconclusive(t *testing.T) {
	t.Parallel()
	host, err := reference.New(reference.Options{Suites: []string{"chp"}, NoFixtures: true})
	require.NoError(t, err)
	s := chpOnWire(t)
	subject := &suites.Subject{
		Driver:  inproc.New("chp", host.Handle),
		Invoke:  live.InvokeSafe,
		Seed:    seed,
		Options: map[string]string{},
	}
	report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: 1})
	require.NoError(t, err)
	got, err := trial.Read(s, report)
	require.NoError(t, err)
	require.Equal(t, []string{"CHP-8-09", "CHP-11-06"}, having(got, reports.Inconclusive))
}

// A host may answer a known invocation id with the recorded result, so no id of an earlier run may be sent again.
func TestIDsAreFreshInEveryRun(t *testing.T) {
	t.Parallel()
	ids := func() map[string]bool {
		seen := map[string]bool{}
		for _, text := range sentTo(t, "chp", true) {
			var request struct {
				Params struct {
					InvocationID string `json:"invocation_id"`
					Correlation  struct {
						ID string `json:"correlation_id"`
					} `json:"correlation"`
				} `json:"params"`
			}
			if json.Unmarshal([]byte(text), &request) != nil {
				continue // deliberately not an envelope
			}
			seen[request.Params.InvocationID], seen[request.Params.Correlation.ID] = true, true
		}
		delete(seen, "")
		return seen
	}
	first, second := ids(), ids()
	require.NotEmpty(t, first)
	for id := range first {
		if second[id] {
			t.Errorf("%q is sent in both runs", id)
		}
	}
}
