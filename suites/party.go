package suites

import (
	"time"

	"github.com/capconform/capconform/suites/record"
)

// stimulusParty is the stimulus of an exchange that no call of the harness began.
const stimulusParty = "party"

// Tick returns the next tick of the record, 0 where nothing is recorded.
func (g *Gate) Tick() record.Tick {
	if g.journal == nil {
		return 0
	}
	return g.journal.tick()
}

// Enter stores an exchange that is no call to the target: what the target asked of a party
// that the suite plays, or what the suite gave to such a party.
func (g *Gate) Enter(e record.Entry) {
	if g.journal == nil {
		return
	}
	e.Suite = g.suite
	if e.Stimulus == "" {
		e.Stimulus = stimulusParty
	}
	exchange := exchangeFrom(e)
	exchange.Started = time.Now()
	g.journal.add(e, exchange)
}
