package live

import (
	"bytes"
	"time"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/recording"
	"github.com/capconform/capconform/suites/transcript"
)

// stimulusParty is the stimulus of an exchange that did not begin with a call of the harness.
const stimulusParty = "party"

// maxShownBody is the maximum length of a body that is kept for a report, in bytes.
const maxShownBody = 8 << 10

// Tick returns the next tick of the record, or 0 if nothing is recorded.
func (g *Gate) Tick() record.Tick {
	if g.journal == nil {
		return 0
	}
	return g.journal.Tick()
}

// Enter stores an exchange that is not a call to the target: a call of the target to a party that
// the suite simulates, or a delivery of the suite to such a party.
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
	if n := len(exchange.Received); n > maxShownBody {
		exchange.Received, exchange.Length = bytes.Clone(exchange.Received[:maxShownBody]), max(n, exchange.Length)
	}
	g.journal.Add(e, exchange)
}

// Conclude stores the outcome of a stimulus that a suite performs before its scenarios begin:
// performed if cause is nil, and otherwise not performed, with the cause.
func (g *Gate) Conclude(stimulus string, cause error) {
	e := record.Entry{Begun: g.Tick(), Party: record.Target, Stimulus: stimulus, Outcome: record.Performed}
	if cause != nil {
		e.Outcome, e.Error = record.NotPerformed, transcript.FaultOf(cause)
	}
	e.Done = g.Tick()
	g.Enter(e)
}

// Recorded reports whether a record is judged: the session then returns only the answers in that
// record.
func (g *Gate) Recorded() bool { return g.recorded }

// Adapted returns a session of an adapter, which implements the operations of the protocol by other
// calls and sends those through the gate. The record contains both: an entry for each operation
// that the suite calls, and the entries of the calls that were sent. If nothing is recorded,
// Adapted returns session itself.
func (g *Gate) Adapted(session driver.Session) driver.Session {
	if g.journal == nil { // a record is judged, or no record is read
		return session
	}
	return recording.Adapted(session, g.journal)
}
