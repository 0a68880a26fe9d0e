package chpsuite

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/live"
)

// Try implements suites.Tryer.
func (e *examination) Try(ctx context.Context, sc *suites.Scenario, role live.Role, id string) error {
	return e.Caller.Try(ctx, sc, role, id)
}
