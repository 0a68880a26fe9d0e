package live

import (
	"bytes"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
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
	return g.journal.Tick()
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
	exchange := transcript.ExchangeFrom(e)
	exchange.Started = time.Now()
	if n := len(exchange.Received); n > partyShownAtMost {
		exchange.Received, exchange.Length = bytes.Clone(exchange.Received[:partyShownAtMost]), max(n, exchange.Length)
	}
	g.journal.Add(e, exchange)
}

// Conclude stores why what a stimulus of the name stands for was not found, or by nil that it
// was, for what a suite finds out before its scenarios begin.
func (g *Gate) Conclude(stimulus string, cause error) {
	e := record.Entry{Begun: g.Tick(), Party: record.Target, Stimulus: stimulus, Outcome: record.Performed}
	if cause != nil {
		e.Outcome, e.Error = record.NotPerformed, transcript.FaultOf(cause)
	}
	e.Done = g.Tick()
	g.Enter(e)
}

// Past tells whether a record is judged: the session gives the answers of that record alone.
func (g *Gate) Past() bool { return g.past }

// Adapted gives a session that carries the operations of the protocol by other ones, which
// it sends through the gate. Both stand in the record: an entry of what the suite asked for,
// and those of what was sent.
func (g *Gate) Adapted(session driver.Session) driver.Session {
	if g.journal == nil { // a record is judged, or nobody reads one
		return session
	}
	return recording.Adapted(session, g.journal)
}
