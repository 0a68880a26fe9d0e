package history

import (
	"maps"
	"strconv"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// LooksAtMost is how often a subject is looked at before it is blamed for two answers that
// do not agree: other callers come and go, and change what is theirs, between any two calls.
const LooksAtMost = 7

// AboutLook is the parameter of a stimulus that looks several times: which look it is.
const AboutLook = "look"

// Look is a sequence of calls that together show whether something is so.
type Look []*Call

// About returns the parameters of one look.
func About(s verdict.Settle, look int) map[string]string {
	about := map[string]string{}
	maps.Copy(about, s.About)
	about[AboutLook] = strconv.Itoa(look)
	return about
}

// Looks returns the looks by which a doubt was settled, in their order; none if it is not
// settled yet, or if a call is missing in one of them.
func (h *History) Looks(s verdict.Settle) []Look {
	h.RLock()
	defer h.RUnlock()
	var all []Look
	for n := range LooksAtMost {
		look := h.looks[lookKey(s.Stimulus, About(s, n))]
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

func lookKey(stimulus string, about map[string]string) string {
	return stimulus + " " + string(jsonvalue.Encode(about))
}

// keepLook files a call under the look that it belongs to. A call that was made again after a
// closed connection takes the place of the first one.
func (h *History) keepLook(c *Call) {
	if !c.IsLook() {
		return
	}
	key := lookKey(c.Stimulus, c.About)
	look := h.looks[key]
	if len(look) > 0 && c.Is(record.RetryOf, look[len(look)-1].Entry) {
		look = look[:len(look)-1]
	}
	h.looks[key] = append(look, c)
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
	members, _ := c.Value.(Object)
	if Text(members, "capability_id") == "" {
		members, _ = Member(c.Value, "descriptor").(Object)
	}
	if Text(members, "capability_id") != id {
		return nil
	}
	return &Item{Entry: c.Entry, ID: id, Value: members, Members: members}
}
