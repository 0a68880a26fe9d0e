package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
)

// codesAgain is how often a denial is asked for whose code was another at first: a host may
// deny for another reason in between.
const codesAgain = 4

// Settle performs what settles doubts.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []suites.Settle) {
	for _, s := range what {
		l := sc.Laboratory(s.Stimulus)
		confirms := record.Link{Relation: record.Confirms, To: s.Of}
		a, r := c.History.Attempt(s.Of), c.History.Replay(s.Of)
		switch {
		case s.Stimulus == history.ReplayAgain && r != nil:
			c.replay(ctx, l, by(r.Correlation(), nil).confirming(s.Of))
		case s.Stimulus == history.PayloadsAgain && r != nil:
			c.replay(ctx, l, by(r.Correlation(), history.Object{"include_payloads": true}).confirming(s.Of))
		case s.Stimulus == history.Again && a != nil:
			v := c.like(a)
			v.about = a.About
			c.invoke(ctx, l, v, confirms)
		case s.Stimulus == history.SoundForRole && a != nil:
			v := c.like(a)
			v.payload, v.about = history.Object{"value": history.Sender}, nil
			c.invoke(ctx, l, v.under(caller()), confirms)
		case s.Stimulus == history.CodeAgain && a != nil:
			for range codesAgain {
				v := c.like(a)
				v.retries = never
				c.try(ctx, l, v.under(caller()), confirms)
			}
		}
	}
}
