package trial

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// Seed makes the generated inputs of all trials the same.
const Seed = 1

// ShortWait is how long a trial waits for something that never happens.
const ShortWait = 2 * time.Second

// examine runs a suite on a host in the setting of the trial, and returns the statuses.
func (b Bench) examine(ctx context.Context, s *suites.Suite, f Front, result *Result) (Statuses, error) {
	var deadlines driver.Deadlines
	if result.ShortWait {
		deadlines.Slow = ShortWait
	}
	at, err := b.serve(ctx, f, result.Driver, deadlines)
	if err != nil {
		return Statuses{}, err
	}
	defer func() {
		at.stop()
		if err := f.Close(); err != nil {
			result.Fault("does not close: %v", err)
		}
	}()
	subject := &suites.Subject{
		Name: f.Name, Driver: at.driver, Invoke: policyOf(result.Trial), Adapter: suites.Adapter{Mode: "auto"}, Seed: Seed,
		Restarter: f.Restart, Actors: strings.Fields(result.Actors), Deadlines: deadlines,
		Options: map[string]string{"strict": strconv.FormatBool(result.Strict)},
	}
	opts := suites.Options{Explicit: true, Concurrency: 1, Strict: result.Strict, Plain: true}
	report, err := Run(ctx, s, subject, opts, result)
	if err != nil {
		return Statuses{}, fmt.Errorf("trial: %w", err)
	}
	got, err := Read(s, report)
	result.Failed = got.Failed
	return got, err
}

// policyOf returns the invoke policy of a trial. It is safe, except for the registry of ACD without
// fixtures: there, only a name or all admits the operations that create, enable and bind.
func policyOf(t plan.Trial) live.InvokePolicy {
	if t.Suite == "acd" && t.Ordinary {
		return live.InvokeAll
	}
	return live.InvokeSafe
}
