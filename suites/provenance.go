package suites

import (
	"cmp"
	"context"
	"sync"

	"github.com/capconform/capconform/suites/driver"
)

// scenarioKey is the key of the scenario in the context of its steps.
type scenarioKey struct{}

// within returns the context for the steps of a scenario.
func (s *Scenario) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, scenarioKey{}, s)
}

// scenarioOf returns the scenario whose step has the context, or nil.
func scenarioOf(ctx context.Context) *Scenario {
	s, _ := ctx.Value(scenarioKey{}).(*Scenario)
	return s
}

// origin is a session that notes which mapping of the target file made the first mapped answer
// before the scenarios. It lies below every adapter of ours.
type origin struct {
	driver.Session

	mu      sync.Mutex
	mapping string
}

// Call implements driver.Session.
func (o *origin) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := o.Session.Call(ctx, op)
	if answer.Provided != "" && scenarioOf(ctx) == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.mapping = cmp.Or(o.mapping, answer.Provided)
	}
	return answer, err
}

// first returns this mapping, and "" if there is none.
func (o *origin) first() string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mapping
}

// providedBy returns what made an answer that the scenario judges in the target's
// place. It is empty if the target made them all. A scenario that read no answer rests on
// what was asked before all scenarios.
func (s *Scenario) providedBy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mappings) == 0 {
		return s.run.origin.first()
	}
	return cmp.Or(s.mappings...)
}
