// Package history reads the record of a run as the objects of ACD: registries, manifests, calls and copies (DESIGN
// section 11). It judges nothing.
package history

import (
	"slices"

	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/transcript"
)

// History is what one run did and observed. It is safe for concurrent use. The objects that it returns must not be
// changed.
type History struct {
	agent

	asked    []asked // the calls to parties that the suite simulates
	copies   []*Copy
	byID     map[string]*Copy
	changes  reading.Series[*Call] // the calls that made the states of copies
	changed  int                   // the number of these calls
	snapshot snapshot
}

// New makes an empty history.
func New() *History {
	return &History{agent: agent{newCalls()}, byID: map[string]*Copy{}}
}

// Add adds an entry. The entries must be added in the order in which they were made.
func (h *History) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	switch {
	case h.Conclude(e):
	case e.Party != record.Target:
		h.asked = append(h.asked, asked{e.Party, e.Operation, e.Begun})
	case e.Operation == transcript.UndefinedPath:
		if h.undefinedPath == nil {
			h.undefinedPath = h.read(e)
		}
	default:
		h.addCall(h.read(e))
	}
}

// addCall adds a call. It does not add a call whose connection was closed and that is repeated. It does not add a
// control call either, which only proves that the subject should have answered the call before.
func (h *History) addCall(c *Call) {
	of, controls := c.Link(record.ControlOf)
	closed := reading.Peek[*Call](&h.Reading, of)
	switch _, again := c.Link(record.RetryOf); {
	case controls && c.Stimulus == controlling:
		if closed != nil && c.Accepted() {
			closed.closedTwice = true
		}
	case c.Closed && !again:
	default:
		h.add(c)
	}
}

// controlling is the stimulus by which the engine checks whether the subject is alive.
const controlling = "control"

func (h *History) add(c *Call) {
	h.calls.add(c)
	if c.Outcome != record.NotSent {
		h.keepChange(c)
	}
}

// asked is a request of the subject to a party that the suite simulates.
type asked struct {
	party     record.Party
	operation string
	at        record.Tick
}

// AskedModel reports whether the subject asked the language model between two calls.
func (h *History) AskedModel(from, to *Call) bool {
	h.RLock()
	defer h.RUnlock()
	h.NoteObject(from)
	h.NoteObject(to)
	return slices.ContainsFunc(h.asked, func(a asked) bool {
		return a.party == record.Model && a.at > from.Entry && a.at < to.Entry
	})
}

// Escaped returns the entry by which the shell reached something of the suite, or 0 if it did not.
func (h *History) Escaped(operation string) record.Tick {
	h.RLock()
	defer h.RUnlock()
	for _, a := range h.asked {
		if a.party == record.Service && a.operation == operation {
			return a.at
		}
	}
	return 0
}
