package history

import (
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// ConfirmationsAtMost is how often a subject is asked before it is accused of two answers that
// do not agree: other callers come and go, and change what is theirs, between any two calls.
const ConfirmationsAtMost = 7

// AboutConfirmation is the parameter of a stimulus that asks several times: the number of the repetition.
const AboutConfirmation = "look"

// Confirmation is a sequence of calls that together show whether something is so.
type Confirmation []*Call

// About returns the parameters of one look.
func About(s verdict.Settle, look int) map[string]string {
	about := map[string]string{}
	maps.Copy(about, s.About)
	about[AboutConfirmation] = strconv.Itoa(look)
	return about
}

// Confirmations returns the confirmations that settled a doubt, in their order; none if it is not
// settled yet, or if a call is missing in one of them.
func (h *History) Confirmations(s verdict.Settle) []Confirmation {
	h.RLock()
	defer h.RUnlock()
	var all []Confirmation
	for n := range ConfirmationsAtMost {
		look := h.confirmations[confirmationKey(s.Stimulus, About(s, n))]
		if len(look) == 0 || n > 0 && len(look) != len(all[0]) {
			return nil
		}
		for _, c := range look {
			h.Gives(c)
		}
		all = append(all, look)
	}
	return all
}

func confirmationKey(stimulus string, about map[string]string) string {
	return stimulus + " " + string(jsonvalue.Encode(about))
}

// keepConfirmation adds a call to the confirmation that it belongs to. A call that was repeated after a
// closed connection takes the place of the first one.
func (h *History) keepConfirmation(c *Call) {
	if !c.IsConfirmation() {
		return
	}
	key := confirmationKey(c.Stimulus, c.About)
	look := h.confirmations[key]
	if len(look) > 0 && c.Is(record.RetryOf, look[len(look)-1].Entry) {
		look = look[:len(look)-1]
	}
	h.confirmations[key] = append(look, c)
}

// Shows reports whether an answer shows an id: a list among its items, a descriptor as its own.
func (c *Call) Shows(id string) bool { return c.EntryOf(id) != nil }

// EntryOf returns what an answer shows of an id, nil where it shows nothing of it.
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
