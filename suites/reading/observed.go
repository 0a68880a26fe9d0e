package reading

import (
	"net/http"

	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// Observed is what a history keeps of each call, whatever the protocol.
type Observed struct {
	Entry, Done record.Tick // of the entry
	Stimulus    string
	About       map[string]string
	Returned    bool   // a result arrived
	Absent      bool   // the operation is not provided
	Lost        error  // why no answer arrived, nil if one did
	Throttled   bool   // the target asked to be called later
	Closed      bool   // the connection was closed in place of an answer
	Busy        bool   // the status says that the target has too much to do
	Got         string // what came back, in a line
	links       []record.Link
	mapping     string // of the target file that made the answer, "" if the target did
}

// Observe reads an entry.
func Observe(e record.Entry) Observed {
	o := Observed{
		Entry: e.Begun, Done: e.Done, Stimulus: e.Stimulus, About: e.About, links: e.Links,
		Lost: transcript.LostCall(e), Got: transcript.Line(e),
		Returned: e.Outcome == record.Returned, Absent: e.Outcome == record.NotProvided,
		Busy: e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable,
	}
	if e.Error != nil {
		o.Closed, o.Throttled = e.Error.Kind == record.Closed, e.Error.Kind == record.Throttling
	}
	if e.About[transcript.AboutAdapter] == "" { // an adapter of ours is no mapping
		o.mapping = e.Provided
	}
	return o
}

// Link gives the entry to which the call is linked.
func (o *Observed) Link(relation record.Relation) (record.Tick, bool) {
	for _, l := range o.links {
		if l.Relation == relation {
			return l.To, true
		}
	}
	return 0, false
}

// Is tells whether the call is linked to an entry.
func (o *Observed) Is(relation record.Relation, of record.Tick) bool {
	to, linked := o.Link(relation)
	return linked && to == of
}

func (o *Observed) madeBy() string { return o.mapping }

// ResultOf gives the result of an entry, nil where none arrived.
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
