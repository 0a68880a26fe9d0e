package examine

import (
	"context"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// gateSession returns a session that sends only those calls of a report that a run would send to this
// target. Anybody can write a report, so the policy of --invoke decides which capabilities are
// invoked or changed. What the user has read and trusts is sent unchanged.
func (e *Examination) gateSession(ctx context.Context, session driver.Session, suite string,
	trusted bool) (driver.Session,
	error) {
	if trusted || e.Subject.Invoke == live.InvokeAll {
		return session, nil
	}
	for _, d := range scope.Definitions() {
		if d.Name == suite {
			return suites.Gated(ctx, session, d, e.Subject)
		}
	}
	return session, nil
}
