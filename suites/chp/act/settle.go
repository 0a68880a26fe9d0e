package act

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// codesAgain is the number of times that a denial is repeated if its code changed: a host may
// deny some of these for another reason.
const codesAgain = 4

// Settle performs the stimuli that settle doubts.
func (c *Caller) Settle(ctx context.Context, sc *suites.Scenario, what []verdict.Settle) {
	for _, s := range what {
		b := newBench(c, sc.Laboratory(s.Stimulus))
		confirms := record.Link{Relation: record.Confirms, To: s.Of}
		a, r := c.History.Attempt(s.Of), c.History.Replay(s.Of)
		switch {
		case s.Stimulus == history.ReplayAgain && r != nil:
			b.replay(ctx, by(r.Correlation(), nil).confirming(s.Of))
		case s.Stimulus == history.PayloadsAgain && r != nil:
			b.replay(ctx, by(r.Correlation(), history.Object{"include_payloads": true}).confirming(s.Of))
		case s.Stimulus == history.Again && a != nil:
			v := c.envelopeOf(a)
			v.about = a.About
			b.invoke(ctx, v, confirms)
		case s.Stimulus == history.ValidForRole && a != nil:
			v := c.envelopeOf(a)
			v.payload, v.about = history.Object{"value": history.Sender}, nil
			b.invoke(ctx, v.under(caller()), confirms)
		case s.Stimulus == history.CodeAgain && a != nil:
			for range codesAgain {
				v := c.envelopeOf(a)
				v.retries = never
				b.invokeAndReplay(ctx, v.under(caller()), confirms)
			}
		}
	}
}
