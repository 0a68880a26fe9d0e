package text

import (
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// object is a JSON object.
type object = map[string]any

// call is one call of the target and its answer.
type call struct {
	reading.Observed
	Operation string
	Number    int // among the calls of the operation, from 1
	First     int // of a further page: the number of the first page; otherwise Number
	Status    int
	Outcome   string // returned, refused, not_provided, malformed or silent; "" if it is unknown whether an answer arrives
	Sent      any
	Result    any
	Error     object // null unless an error arrived: code, number, message and data
	subjects  map[string][]*subject
	again     bool // another call repeats this one, because the connection was closed
	document  *documentAnswer
	chains    map[string]*chainIndex // by kind
	ignored   bool                   // no answer to a whole message arrived in time
}

// silent is the outcome of a message to which the target answered nothing, or nothing in time although it answers
// others.
const silent = "silent"

// outcomes are the words for the outcomes of a record.
var outcomes = map[record.Outcome]string{
	record.Returned: "returned", record.Refused: "refused", record.NotProvided: "not_provided",
	record.Malformed: "malformed",
}

// history is what one run did and observed. It is safe for concurrent use.
type history struct {
	reading.Reading
	calls    []*call
	numbers  map[string]int
	controls map[record.Tick]bool
	size     int
	binding  string                         // how the target is reached, as reports print it
	firsts   map[string]map[string]*subject // see repeats
	streams  []*stream
}

func newHistory() *history {
	return &history{
		numbers: map[string]int{}, controls: map[record.Tick]bool{}, firsts: map[string]map[string]*subject{},
	}
}

// Add implements recording.EntryReader.
func (h *history) Add(e record.Entry) {
	h.Lock()
	defer h.Unlock()
	h.size++
	h.firsts = map[string]map[string]*subject{}
	if h.Conclude(e) || e.Outcome == record.NotSent && e.Error != nil && e.Error.Kind == record.Missing {
		return // the policy did not admit the call, so there is none
	}
	c := &call{Observed: reading.Observe(e), Operation: e.Operation, Status: e.Status, Outcome: outcomes[e.Outcome]}
	if of, is := c.Link(record.ControlOf); is {
		h.controls[of] = h.controls[of] || c.Returned
		return
	}
	if of, is := c.Link(record.RetryOf); is {
		if before := reading.Peek[*call](&h.Reading, of); before != nil {
			before.again = true
		}
	}
	if sent, err := e.Sent.Text(); err == nil {
		c.Sent = schemas.ReadValue(sent)
		if !e.Sent.IsJSON() {
			c.Sent = string(sent)
		}
	}
	c.ignored = IsMessage(e) && e.Error != nil && e.Error.Kind == record.TimedOut
	c.read(e)
	h.numbers[e.Operation]++
	c.Number = h.numbers[e.Operation]
	c.First = c.Number
	if of, is := c.Link(record.PageOf); is {
		if first := reading.Peek[*call](&h.Reading, of); first != nil {
			c.First = first.Number
		}
	}
	h.Put(c.Entry, c)
	h.calls = append(h.calls, c)
}

// read reads the result or the error.
func (c *call) read(e record.Entry) {
	switch text := reading.ResultOf(e); {
	case len(text) > 0:
		c.Result = schemas.ReadValue(text)
	case e.Outcome == record.Returned: // the answer to a message is empty
		c.Outcome = silent
		c.Show("nothing")
	}
	if f := e.Error; f != nil && f.Kind == "" {
		c.Error = object{"code": f.Code, "number": f.Number, "message": f.Message, "data": schemas.ReadValue(f.Data)}
	}
}

// Size returns the number of entries that were added.
func (h *history) Size() int {
	h.RLock()
	defer h.RUnlock()
	return h.size
}

// all returns the calls; of a repeated one, only the last.
func (h *history) all() []*call {
	return reading.Select(&h.Reading, &h.calls, func(c *call) bool { return !c.again })
}

// unanswered reports whether the target closed the connection twice instead of answering, or did not answer a whole
// message, while it continued to serve other calls.
func (h *history) unanswered(c *call) bool {
	h.RLock()
	defer h.RUnlock()
	return (c.Closed || c.ignored) && h.controls[c.Entry]
}

// outcome returns the outcome of a call, as rules see it.
func (h *history) outcome(c *call) string {
	if c.ignored && h.unanswered(c) {
		return silent
	}
	return c.Outcome
}

// valueAt returns the value at a path such as result.items in a result, nil if there is none.
func valueAt(result any, path string) any {
	value := result
	for _, name := range strings.Split(path, ".")[1:] {
		members, _ := value.(object)
		value = members[name]
	}
	return value
}

// further returns the cursor of the page after a result, nil if there is none.
func (o *operation) further(result any) any {
	cursor := valueAt(result, o.Cursor)
	if o.Cursor == "" || cursor == "" && !o.Empty {
		return nil
	}
	return cursor
}

// listAt returns the list at a path in a result, or with a path such as result.items[].part, the parts of its elements.
func listAt(result any, path string) []any {
	path, member, through := strings.Cut(path, "[]")
	list, _ := valueAt(result, path).([]any)
	if !through {
		return list
	}
	var all []any
	for _, one := range list {
		if value := valueAt(one, member); value != nil {
			all = append(all, value)
		}
	}
	return all
}
