package cli

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// gated returns a session that sends only those calls of a report that a run would send to this
// target. Anybody can write a report, so the policy of --invoke decides which capabilities are
// invoked or changed. What the user has read and trusts is sent unchanged.
func (e *examination) gated(ctx context.Context, session driver.Session, suite string, trusted bool) (driver.Session,
	error) {
	if trusted || e.subject.Invoke == live.InvokeAll {
		return session, nil
	}
	for _, d := range definitions() {
		if d.Name == suite {
			return suites.Gated(ctx, session, d, e.subject)
		}
	}
	return session, nil
}
