package act

import (
	"context"

	"github.com/capconform/capconform/suites/chp/history"
)

// ordinaryPayloads invokes the capabilities that the host serves.
type ordinaryPayloads struct{ bench }

// ordinary invokes the ordinary capabilities with payloads that they should accept.
func (c ordinaryPayloads) ordinary(ctx context.Context) error {
	if err := c.NotReady(); err != nil {
		return err
	}
	for _, of := range c.Pool {
		for _, payload := range c.Payloads(of) {
			c.invokeAndReplay(ctx, c.of(of, payload))
		}
	}
	c.prefetcher.Begin(c.prefetchInvalid())
	return nil
}

// inRoles invokes the capability of each role.
func (c ordinaryPayloads) inRoles(ctx context.Context) error {
	for _, role := range []string{Echo, Fails, Guarded, Disabled, Observe, Restricted} {
		p, assigned := c.Players[role]
		if !assigned || !c.admits(p.Capability) {
			continue
		}
		payloads := c.Payloads(p.Capability)
		switch {
		case role == Guarded && p.Input == nil:
			payloads = []any{history.Object{}, history.Object{}} // twice, so that the code can be compared
		case role == Echo && p.Input == nil:
			payloads = append(payloads, history.Object{"value": longText()})
		}
		for _, payload := range payloads {
			v := c.of(p.Capability, payload).with(history.AboutRole, role)
			if role != Guarded && role != Disabled && role != Restricted {
				v.retries = expectsSuccess
			}
			c.invokeAndReplay(ctx, v)
		}
	}
	return nil
}
