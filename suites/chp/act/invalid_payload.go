package act

import (
	"context"

	"github.com/capconform/capconform/suites/chp/history"
)

// faults sends payloads that an input schema forbids.
type faults struct{ bench }

// invalidTogether is the greatest number of invalid payloads that are sent under one correlation.
const invalidTogether = 25

// invalid sends payloads that each break one keyword of an input schema, after a payload that
// the capability accepted. Many of them share a correlation, so that one replay shows the evidence of
// each.
func (c faults) invalid(ctx context.Context) error {
	var all []*history.Attempt
	correlation := caller()
	for _, of := range c.Pool {
		for _, fault := range c.breaking(of) {
			v := c.of(of, fault.Text).with(history.AboutBreaks, fault.Keyword).under(correlation)
			v.retries = never
			if all = append(all, c.invoke(ctx, v)); len(all) == invalidTogether {
				c.sharedReplay(ctx, correlation, all)
				all, correlation = nil, caller()
			}
		}
	}
	if len(all) > 0 {
		c.sharedReplay(ctx, correlation, all)
	}
	return nil
}
