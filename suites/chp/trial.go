package chpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
)

// Try implements suites.Tryer.
func (e *examination) Try(ctx context.Context, sc *suites.Scenario, role suites.Role, id string) error {
	return e.Caller.Try(ctx, sc, role, id)
}
