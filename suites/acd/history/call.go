package history

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Call is one call and its answer.
type Call struct {
	reading.Observed
	Operation string
	Params    Object
	ID        string // of the capability that it names
	Channel   string // that it names
	Outcome   record.Outcome
	Status    int
	Value     any // of a result, decoded; nil for a list, which has items
	list
	closedTwice bool // the connection was closed twice, while the subject continued to serve other calls
}

// list is the list in an answer.
type list struct {
	Items  []*Item
	Listed bool             // the answer is a list
	index  map[string]*Item // the first item of each id
}

// Item is one element of a list. There is one Item for each distinct element, however many lists contain it.
type Item struct {
	Entry   record.Tick // that showed it first; an entry with a list of the registry is preferred
	ID      string      // of a descriptor, or the item itself if it is an id
	Value   any
	Members Object // nil if it is not an object

	registered bool // a list of the registry showed it
	sent       *element
}

// Readings stores conclusions about the item, also across judgements of the same record. It returns nil for an item
// that is not in a list.
func (i *Item) Readings() *record.Readings {
	if i.sent == nil {
		return nil
	}
	return &i.sent.readings
}

// InRegistry reports whether a list of the registry showed the item.
func (i *Item) InRegistry() bool { return i.registered }

// Modes returns the modes that a descriptor lists.
func (i *Item) Modes() []string { return ModesOf(i.Members) }

// Required returns the permissions that a descriptor requires.
func (i *Item) Required() []string { return RequiredBy(i.Members) }

// readCall reads the parts of a call that do not depend on other entries, except the result.
func readCall(e record.Entry) *Call {
	c := &Call{Observed: reading.Observe(e), Operation: e.Operation, Outcome: e.Outcome, Status: e.Status}
	if sent, err := e.Sent.Text(); err == nil {
		c.Params, _ = valueOf(sent).(Object)
		c.ID, c.Channel = Text(c.Params, "capability_id"), cmp.Or(Text(c.Params, "channel_id"), Text(c.Params, "channel"))
	}
	return c
}

// Served reports whether the operation is provided at all.
func (c *Call) Served() bool { return c.Lost != nil || c.Outcome != record.NotProvided }

// Returned reports whether a result arrived.
func (c *Call) Returned() bool { return c.Lost == nil && c.Outcome == record.Returned }

// Accepted reports whether a result without an error arrived.
func (c *Call) Accepted() bool { return c.Returned() && !c.saysError() }

// Refused reports whether an error arrived. The text defines no errors, so any error counts.
func (c *Call) Refused() bool {
	return c.Lost == nil && (c.Outcome == record.Refused || c.Outcome == record.Returned && c.saysError())
}

// saysError reports whether a result contains an error and no output.
func (c *Call) saysError() bool {
	reported := Member(c.Value, "error")
	return reported != nil && reported != false && Member(c.Value, "output") == nil
}

// Missing returns why an answer cannot be used: there is none, or the operation is not served. An answer that is not
// a response of the binding is a breach instead.
func (c *Call) Missing() error {
	switch {
	case c.Lost != nil && !c.closedInsteadOfAnswer():
		return fmt.Errorf("no answer to %s: %w", c.Operation, c.Lost)
	case !c.Served():
		return &verdict.Inconclusive{
			Reason: c.Operation + " is not served",
			Supply: "serve it (suites/acd/ADAPTER.md), or map it under bindings in the target file",
		}
	}
	return nil
}

// Declares returns the ids that a channel declares.
func (c *Call) Declares() []string { return jsonvalue.Texts(Member(c.Value, "capabilities")) }

// IsConfirmation reports whether the call settles a doubt, or confirms a refusal.
func (c *Call) IsConfirmation() bool { return c.About[AboutConfirmation] != "" }

// Malformed reports whether the answer is not a response of the binding, or the connection was closed in its place.
func (c *Call) Malformed() bool {
	return c.Lost == nil && c.Outcome == record.Malformed || c.closedInsteadOfAnswer()
}

// closedInsteadOfAnswer reports whether the connection of a call was closed twice while the subject
// continued to serve other calls.
func (c *Call) closedInsteadOfAnswer() bool { return c.Closed && c.closedTwice }

// Shows reports whether an answer shows an id, in a list or as its descriptor.
func (c *Call) Shows(id string) bool { return c.EntryOf(id) != nil }

// EntryOf returns the item for an id in an answer, or nil if there is none.
func (c *Call) EntryOf(id string) *Item {
	if i := c.index[id]; i != nil {
		return i
	}
	if c.Operation != OpGet || !c.Returned() {
		return nil
	}
	members := DescriptorIn(c.Value)
	if Text(members, "capability_id") != id {
		return nil
	}
	return &Item{Entry: c.Entry, ID: id, Value: members, Members: members}
}

// Runs counts how often the log of executions shows an id.
func (c *Call) Runs(id string) int {
	often := 0
	for _, i := range c.Items {
		if i.ID == id {
			often++
		}
	}
	return often
}

// Mentions reports whether the items of a capability in a list contain each text, in a member or, if it is "",
// anywhere.
func (c *Call) Mentions(id, member string, texts []string) bool {
	return !slices.ContainsFunc(texts, func(text string) bool {
		return !slices.ContainsFunc(c.Items, func(i *Item) bool {
			within := i.Value
			if member != "" {
				within = i.Members[member]
			}
			return i.ID == id && strings.Contains(string(jsonvalue.Encode(within)), text)
		})
	})
}

// IDs returns the ids of a list, except those of copies.
func (c *Call) IDs() []string {
	var all []string
	for _, i := range c.Items {
		if i.ID != "" && !IsCopyID(i.ID) {
			all = append(all, i.ID)
		}
	}
	return all
}

// Invocation is a call of the engine.
type Invocation struct {
	*Call
	Mode  string
	Held  []string // permissions of the caller
	Input any
}

func invocationOf(c *Call) *Invocation {
	return &Invocation{
		Call: c, Mode: Text(c.Params, "mode"), Held: jsonvalue.Texts(Member(c.Params, "principal.permissions")),
		Input: c.Params["input"],
	}
}
