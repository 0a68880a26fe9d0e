package suites

import (
	"cmp"
	"context"
	"sync"

	"github.com/capconform/capconform/suites/driver"
)

// scenarioKey marks the context of a scenario.
type scenarioKey struct{}

// withinScenario returns the context for the steps of a scenario.
func withinScenario(ctx context.Context) context.Context {
	return context.WithValue(ctx, scenarioKey{}, true)
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
	if answer.Provided != "" && ctx.Value(scenarioKey{}) == nil {
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
