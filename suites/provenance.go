package suites

import (
	"cmp"
	"context"
	"sync"

	"github.com/capconform/capconform/suites/driver"
)

// scenarioKey is the context key of the scenario.
type scenarioKey struct{}

// within returns the context for the steps of the scenario.
func (s *Scenario) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, scenarioKey{}, s)
}

// scenarioOf returns the scenario in a context, or nil.
func scenarioOf(ctx context.Context) *Scenario {
	s, _ := ctx.Value(scenarioKey{}).(*Scenario)
	return s
}

// origin is a session that notes which mapping of the target file made the first mapped answer
// before the scenarios. All adapters of the harness are above it.
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

// first returns the first mapping, or "" if there is none.
func (o *origin) first() string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.mapping
}

// providedBy returns the mapping that made an answer that the scenario judges, in place of the
// target. It returns "" if the target made all of them. For a scenario that read no answer, it
// returns the first mapping that was used before the scenarios.
func (s *Scenario) providedBy() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.mappings) == 0 {
		return s.run.origin.first()
	}
	return cmp.Or(s.mappings...)
}
