package proof

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// allSeeds is the number of seeds of the complete test.
const allSeeds = 100

// seedsSampled returns the number of seeds: a few, unless CAPCONFORM_SEEDS is another number.
func seedsSampled(t *testing.T) int64 {
	t.Helper()
	text := os.Getenv("CAPCONFORM_SEEDS")
	switch text {
	case "":
		if quick() {
			return 1
		}
		return 2
	case "all":
		return allSeeds
	}
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return int64(n)
}

// TestEachSeedIsJudgedAgain runs a suite against the reference with many seeds. Each run is conformant, and judging
// its record returns the same statuses.
func TestEachSeedIsJudgedAgain(t *testing.T) {
	t.Parallel()
	judged := 0
	for _, definition := range []suites.Definition{capsuite.Definition(), chpsuite.Definition(), acpsuite.Definition(), acdsuite.Definition()} {
		s := suiteOf(t, definition)
		if large(s.Name) {
			continue // .ci/run tries these
		}
		for n := range seedsSampled(t) {
			judged++
			t.Run(fmt.Sprintf("%s/%d", s.Name, n+1), func(t *testing.T) {
				t.Parallel()
				host, err := reference.New(reference.Options{Suites: []string{s.Name}})
				require.NoError(t, err)
				defer func() { require.NoError(t, host.Close()) }()
				subject := &suites.Subject{
					Name: s.Name, Driver: inproc.New(s.Name, host.Handle), Restarter: host.Restarter(), Invoke: live.InvokeSafe, Seed: n + 1,
					Options: map[string]string{}, Deadlines: driver.Deadlines{Call: time.Minute}, // other tests run beside it
				}
				result := &trial.Result{}
				report, err := trial.Run(
					t.Context(),
					s,
					subject,
					suites.Options{Explicit: true, Concurrency: 1},
					result,
				)
				require.NoError(t, err)
				require.Empty(t, result.Faults)
				if got, err := trial.Read(s, report); report.Verdict != reports.Conformant && err == nil {
					for _, id := range got.Order {
						switch got.Status[id] {
						case reports.Failed, reports.Error, reports.Inconclusive:
							t.Logf("%s is %s: %s", id, got.Status[id], got.Reason[id])
						}
					}
				}
				require.Equal(t, reports.Conformant, report.Verdict)
			})
		}
	}
	require.Positive(t, judged, "no suite judges records")
}
