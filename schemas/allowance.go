package schemas

import (
	"context"
	"sync/atomic"
)

// Allowance bounds work that consists of many validations, such as making inputs: by
// steps, which are counted alike on every machine, and by a context. It is safe for
// concurrent use.
type Allowance struct {
	ctx  context.Context // it is of the work that the allowance is for
	left atomic.Int64
}

// NewAllowance returns an allowance of so many steps. A step is one keyword on one small
// value, about a quarter of a microsecond.
func NewAllowance(ctx context.Context, steps int64) *Allowance {
	a := &Allowance{ctx: ctx}
	a.left.Store(steps)
	return a
}

// Spend takes steps. The error is an *Undecidable where there are no more, or the context
// has ended.
func (a *Allowance) Spend(steps int) error {
	if a == nil {
		return nil
	}
	if a.left.Add(-int64(steps)) < 0 {
		return undecidable(ReasonExpansion, "the schema needs more steps than are left for it")
	}
	if a.ctx.Err() != nil {
		return undecidable(ReasonExpansion, "the run ended")
	}
	return nil
}

// Left returns how many steps are left, 0 if the context has ended.
func (a *Allowance) Left() int64 {
	if a.ctx.Err() != nil {
		return 0
	}
	return max(0, a.left.Load())
}

// Within returns the schema with an allowance, from which every validation is taken.
func (s *Schema) Within(a *Allowance) *Schema {
	bounded := *s
	bounded.allowance = a
	return &bounded
}

// Allowance returns what Within was called with, nil otherwise.
func (s *Schema) Allowance() *Allowance { return s.allowance }

// Spend takes steps from the schema's allowance, if it has one.
func (s *Schema) Spend(steps int) error { return s.allowance.Spend(steps) }
