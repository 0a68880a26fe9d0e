package suites

import (
	"bytes"
	"time"

	"github.com/capconform/capconform/suites/record"
)

// stimulusParty is the stimulus of an exchange that no call of the harness began.
const stimulusParty = "party"

// partyShownAtMost bounds what is kept of a body for a report, in bytes.
const partyShownAtMost = 8 << 10

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
	if n := len(exchange.Received); n > partyShownAtMost {
		exchange.Received, exchange.Length = bytes.Clone(exchange.Received[:partyShownAtMost]), max(n, exchange.Length)
	}
	g.journal.add(e, exchange)
}
