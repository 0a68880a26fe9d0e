package act

import (
	"context"

	"github.com/capconform/capconform/suites/chp/history"
)

// faults sends payloads that an input schema forbids.
type faults struct{ bench }

// invalid sends payloads that each break one keyword of an input schema, after a payload that
// the capability accepted. It replays the evidence for each new outcome of a capability.
func (c faults) invalid(ctx context.Context) error {
	for _, of := range c.Pool {
		seen := map[string]bool{history.Success: true}
		for _, fault := range c.breaking(of) {
			v := c.of(of, fault.Text).with(history.AboutBreaks, fault.Keyword)
			v.retries = never
			a := c.invoke(ctx, v)
			if !seen[a.Outcome()] {
				c.look(ctx, a)
			}
			seen[a.Outcome()] = true
		}
	}
	return nil
}
