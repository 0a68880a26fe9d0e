package history

import (
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// Call is what every call has, whatever it asked for.
type Call struct {
	Entry, Done record.Tick
	Stimulus    string
	About       map[string]string
	Returned    bool // a result arrived
	Refused     bool // a protocol error arrived
	Absent      bool // the source does not provide the operation
	Malformed   bool // a complete reply arrived that is no response of the binding
	Busy        bool // the status says that the source has too much to do
	Code        string
	Lost        error // why no answer arrived
	Closed      bool  // the connection was closed in place of an answer
	Throttled   bool  // the source asked to be called later
	// Owed tells that the connection was closed twice where an answer was owed, while the
	// source went on serving something else.
	Owed    bool
	Got     string // what came back, in a line
	mapping string // of the target file that made the answer, "" if the source did
	links   []record.Link
}

func (c *Call) madeBy() string { return c.mapping }

// The statuses by which a source says that it has too much to do.
const (
	tooMany     = 429
	unavailable = 503
)

func callOf(e record.Entry) Call {
	c := Call{
		Entry: e.Begun, Done: e.Done, Stimulus: e.Stimulus, About: e.About, links: e.Links, Lost: suites.LostCall(e), Got: suites.EntryReceived(e),
		Returned: e.Outcome == record.Returned, Refused: e.Outcome == record.Refused, Absent: e.Outcome == record.NotProvided,
		Malformed: e.Outcome == record.Malformed, Busy: e.Status == tooMany || e.Status == unavailable, mapping: suites.MappedBy(e),
	}
	if e.Error != nil {
		c.Code, c.Closed, c.Throttled = e.Error.Code, e.Error.Kind == record.Closed, e.Error.Kind == record.Throttling
	}
	return c
}

// Unanswered tells a call that brought no answer and shows nothing.
func (c *Call) Unanswered() bool { return c.Lost != nil && !c.Owed }

// MayBeLimit tells an answer by which a source may say that it was called too often.
func (c *Call) MayBeLimit() bool { return c.Lost == nil && (c.Refused || c.Busy) }

// Settles tells whether the call was made to settle a doubt. Such calls come at any time, so
// that they decide about that doubt alone.
func (c *Call) Settles() bool {
	return c.Stimulus == Flickering || c.Stimulus == WithCustom || slices.ContainsFunc(c.links, func(l record.Link) bool { return l.Relation == record.Confirms || l.Relation == record.ControlOf })
}

// link gives the entry to which the call is linked.
func (c *Call) link(relation record.Relation) (record.Tick, bool) {
	for _, l := range c.links {
		if l.Relation == relation {
			return l.To, true
		}
	}
	return 0, false
}

// is tells whether the call is linked to an entry.
func (c *Call) is(relation record.Relation, of record.Tick) bool {
	to, linked := c.link(relation)
	return linked && to == of
}

func resultOf(e record.Entry) []byte {
	if e.Outcome != record.Returned || e.Received == nil {
		return nil
	}
	text, err := e.Received.Text()
	if err != nil {
		return nil
	}
	return text
}
