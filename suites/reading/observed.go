package reading

import (
	"net/http"

	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// Observed is the part of a call that every history keeps, independent of the protocol.
type Observed struct {
	Entry, Done record.Tick // when the entry began and when it was done
	Stimulus    string
	About       map[string]string
	Returned    bool  // a result arrived
	Absent      bool  // the operation is not provided
	Lost        error // why no answer arrived; nil if one arrived
	Throttled   bool  // the target asked the harness to call later
	Closed      bool  // the connection was closed without an answer
	Busy        bool  // the status indicates that the target is overloaded
	got         func() string
	links       []record.Link
	mapping     string // the mapping of the target file that made the answer; "" if the target made it
}

// Entries returns the entry, for breaches that it shows.
func (o *Observed) Entries() []record.Tick { return []record.Tick{o.Entry} }

// Got returns what was received, in one line.
func (o *Observed) Got() string {
	if o.got == nil {
		return ""
	}
	return o.got()
}

// Show makes text what was received.
func (o *Observed) Show(text string) { o.got = func() string { return text } }

// Observe returns the observation of an entry.
func Observe(e record.Entry) Observed {
	o := Observed{
		Entry: e.Begun, Done: e.Done, Stimulus: e.Stimulus, About: e.About, links: e.Links,
		Lost: transcript.LostCall(e), got: transcript.LaterLine(e),
		Returned: e.Outcome == record.Returned, Absent: e.Outcome == record.NotProvided,
		Busy: e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable,
	}
	if e.Error != nil {
		o.Closed, o.Throttled = e.Error.Kind == record.Closed, e.Error.Kind == record.Throttling
	}
	if e.About[transcript.AboutAdapter] == "" { // an adapter of the harness is not a mapping
		o.mapping = e.Provided
	}
	return o
}

// Link returns the entry to which the call is linked by the relation, and whether there is one.
func (o *Observed) Link(relation record.Relation) (record.Tick, bool) {
	for _, l := range o.links {
		if l.Relation == relation {
			return l.To, true
		}
	}
	return 0, false
}

// Is reports whether the call is linked to the entry by the relation.
func (o *Observed) Is(relation record.Relation, of record.Tick) bool {
	to, linked := o.Link(relation)
	return linked && to == of
}

func (o *Observed) madeBy() string { return o.mapping }

// ResultOf returns the result of an entry, or nil if no result arrived.
func ResultOf(e record.Entry) []byte {
	if e.Outcome != record.Returned || e.Received == nil {
		return nil
	}
	text, err := e.Received.Text()
	if err != nil {
		return nil
	}
	return text
}
