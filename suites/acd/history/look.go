package history

import (
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/record"
)

// LooksAtMost is how often a subject is looked at before it is blamed for two answers that
// don't agree: other callers come and go, and change what is theirs, between any two calls.
const LooksAtMost = 7

// AboutLook is the parameter of a stimulus that looks several times: which look it is.
const AboutLook = "look"

// Look is a sequence of calls that together show whether something is so.
type Look []*Call

// About gives the parameters of one look.
func About(s suites.Settle, look int) map[string]string {
	about := map[string]string{}
	maps.Copy(about, s.About)
	about[AboutLook] = strconv.Itoa(look)
	return about
}

// Looks gives the looks by which a doubt was settled, in their order; none if it is not
// settled yet. A look in which a call is missing is left out.
func (h *History) Looks(s suites.Settle) []Look {
	h.mu.RLock()
	defer h.mu.RUnlock()
	var all []Look
	for n := range LooksAtMost {
		about := About(s, n)
		if look := h.looks[lookKey(s.Stimulus, about)]; len(look) > 0 {
			all = append(all, look)
		}
	}
	return all
}

func lookKey(stimulus string, about map[string]string) string {
	return stimulus + " " + string(suites.Encode(about))
}

// keepLook files a call under the look that it belongs to.
func (h *History) keepLook(e record.Entry, c *Call) {
	if _, looks := e.About[AboutLook]; looks {
		key := lookKey(e.Stimulus, e.About)
		h.looks[key] = append(h.looks[key], c)
	}
}

// Shows tells whether an answer shows an id: a list among its items, a descriptor as its own.
func (c *Call) Shows(id string) bool { return c.EntryOf(id) != nil }

// EntryOf gives what an answer shows of an id, nil where it shows nothing of it.
func (c *Call) EntryOf(id string) *Item {
	if i := c.index[id]; i != nil {
		return i
	}
	if c.Operation != OpGet || !c.Returned() {
		return nil
	}
	members, _ := c.Value.(Object)
	if Text(members, "capability_id") == "" {
		members, _ = Member(c.Value, "descriptor").(Object)
	}
	if Text(members, "capability_id") != id {
		return nil
	}
	return &Item{Entry: c.Entry, ID: id, Value: members, Members: members}
}
