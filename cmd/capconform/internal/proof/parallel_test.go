package proof

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	acdsuite "github.com/capconform/capconform/suites/acd"
	acpsuite "github.com/capconform/capconform/suites/acp"
	capsuite "github.com/capconform/capconform/suites/cap"
	chpsuite "github.com/capconform/capconform/suites/chp"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/live"
)

// TestScenariosInParallel runs the suites on the reference with many concurrent scenarios and answers in random
// order: a scenario must not fail because of what another one, like any other caller, does at the same time.
func TestScenariosInParallel(t *testing.T) {
	const atOnce = 4
	rounds := 12
	if quick() {
		rounds = 1
	}
	for _, definition := range []suites.Definition{acpsuite.Definition(), acdsuite.Definition(), chpsuite.Definition(), capsuite.Definition()} {
		t.Run(definition.Name, func(t *testing.T) {
			t.Parallel()
			for range rounds {
				host, err := reference.New(reference.Options{})
				require.NoError(t, err)
				s := suiteOf(t, definition)
				subject := &suites.Subject{Driver: inproc.New(definition.Name, delaying(host.Handle)), Restarter: host.Restarter(), Invoke: live.InvokeSafe, Seed: seed}
				report, err := suites.Run(t.Context(), []*suites.Suite{s}, subject, suites.Options{Explicit: true, Concurrency: atOnce})
				require.NoError(t, err)
				require.NoError(t, host.Close())
				for _, q := range report.Suites[0].Requirements {
					if q.Status == reports.Failed || q.Status == reports.Error {
						t.Errorf("%s is %s: %s", q.ID, q.Status, q.Reason)
					}
				}
			}
		})
	}
}

// delaying delays every fourth answer, so that concurrent calls overtake it.
func delaying(handle inproc.Handler) inproc.Handler {
	delay := func(ctx context.Context) {
		if rand.IntN(4) != 0 {
			return
		}
		select {
		case <-time.After(time.Nanosecond): // a longer delay would find less: only the order matters
		case <-ctx.Done():
		}
	}
	return func(ctx context.Context, request []byte) []byte {
		delay(ctx)
		reply := handle(ctx, request)
		delay(ctx)
		return reply
	}
}
