package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/verdict"
)

// PerformFunc performs a stimulus. Its error states why the stimulus was not performed completely.
type PerformFunc func(ctx context.Context, l *suites.Laboratory) error

// Stimulus is one stimulus of an actor.
type Stimulus struct {
	Name    string
	Perform PerformFunc
}

// PerformEach performs stimuli in order, each once per run.
func PerformEach(ctx context.Context, sc *suites.Scenario, all []Stimulus) {
	for _, s := range all {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			return suites.NewUnperformed(s.Perform(ctx, l))
		}
		_ = sc.Perform(ctx, s.Name, perform) // the record contains the reason: see history.Conclusion
	}
}

// NotServed returns an error that states that the subject does not serve an operation.
func NotServed(operation string) error {
	return &verdict.Inconclusive{Reason: "the subject does not serve " + operation,
		Supply: "serve it as suites/acp/ADAPTER.md describes"}
}
