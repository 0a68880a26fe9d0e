package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/verdict"
)

// Performance performs a stimulus. Its error says why it was not performed as a whole.
type Performance func(ctx context.Context, l *suites.Laboratory) error

// Stimulus is one stimulus of an actor.
type Stimulus struct {
	Name    string
	Perform Performance
}

// PerformEach performs stimuli in this order, each once a run.
func PerformEach(ctx context.Context, sc *suites.Scenario, all []Stimulus) {
	for _, s := range all {
		perform := func(ctx context.Context, l *suites.Laboratory) *suites.Unperformed {
			return suites.Because(s.Perform(ctx, l))
		}
		_ = sc.Perform(ctx, s.Name, perform) // the record holds the reason: see history.Conclusion
	}
}

// NotServed returns the error that an operation is not served.
func NotServed(operation string) error {
	return &verdict.Inconclusive{Reason: "the subject does not serve " + operation,
		Supply: "serve it as suites/acp/ADAPTER.md describes"}
}
