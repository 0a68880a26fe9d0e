package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// Copy is a capability that the suite registered, with what it must be in turn.
type Copy struct {
	ID     string
	States []*State
}

// State is what a copy is from one change to the next.
type State struct {
	ID     string
	Change *Call
	By     string // the operation, or the capability that was invoked, which made the change
	Given  Object // what the copy was told to be; nil: it was deleted
	Sure   bool   // what came of the change is known
	Loose  bool   // the change may have touched more than it was told to
	Before *State
}

// keepChange files what a call makes of copies. A change that was refused leaves them as they
// are, and so does one of an immutable copy, even if it was accepted.
func (h *History) keepChange(c *Call) {
	s := changeBy(c)
	if s == nil || !Ours(s.ID) || c.Refused() || !c.Served() {
		return
	}
	known := h.byID[s.ID]
	if known != nil {
		s.Before = known.States[len(known.States)-1]
	}
	switch {
	case s.Before == nil && s.By != OpCreate && !makes(s.By):
		return // there is nothing to change
	case s.Before != nil && s.Before.Given != nil && !Flag(s.Before.Given, "status.mutable", true):
		return
	case s.Given == nil && s.By != OpDelete:
		s.Given, s.Loose = Deep(s.Before.Given), !isMeta(s.By, "enable")
		if isMeta(s.By, "enable") && s.Given != nil {
			Put(s.Given, "status.enabled", true)
		}
	}
	kind := Text(s.Given, "kind")
	s.Sure = c.Accepted() && kind != "composite" && kind != "proxy" &&
		(s.Before == nil || s.Before.Sure || s.By == OpDelete)
	if known == nil {
		known = &Copy{ID: s.ID}
		h.byID[s.ID] = known
		h.copies = append(h.copies, known)
	}
	known.States = append(known.States, s)
	h.changes.Add(c)
	h.changed++
}

// changeBy reads the change that a call asks for, nil where it asks for none.
func changeBy(c *Call) *State {
	s := &State{Change: c, By: c.Operation}
	from := c.Params
	switch c.Operation {
	case OpCreate, OpUpdate, OpDelete:
	case OpInvoke:
		s.By = Text(c.Params, "capability_id")
		if !ChangesRegistry(s.By) {
			return nil
		}
		from, _ = c.Params["input"].(Object)
	default:
		return nil
	}
	s.Given, _ = from["descriptor"].(Object)
	s.ID = Text(s.Given, "capability_id")
	if s.Given == nil {
		s.ID = Text(from, "capability_id")
	}
	if s.ID == "" {
		return nil
	}
	return s
}

// MadeBy returns the id of the copy that a call is to make, "" where it makes none.
func MadeBy(c *Call) string {
	if c == nil {
		return ""
	}
	if s := changeBy(c); s != nil {
		return s.ID
	}
	return ""
}

// EchoID is the capability with the role echo where nobody is named.
const EchoID = "conformance.echo"

// metas are the capabilities by which the text itself changes a registry, without cap. before
// their names.
var metas = []string{
	"capability.create", "capability.enable", "capability.bind", "subagent.create", "command.bind", "hook.create",
}

// ChangesRegistry tells the capabilities by which the text itself changes a registry. The
// adapter page asks for them, as for the fixtures.
func ChangesRegistry(id string) bool { return slices.Contains(metas, strings.TrimPrefix(id, "cap.")) }

func isMeta(id, name string) bool { return strings.TrimPrefix(id, "cap.") == "capability."+name }

func makes(id string) bool {
	return isMeta(id, "create") || strings.TrimPrefix(id, "cap.") == "subagent.create"
}

// Meta finds an enabled capability of FR-SDK-3 in the registry as it was seen first, with cap.
// before its name or without.
func (h *History) Meta(name string) *Item {
	for _, id := range []string{"capability." + name, "cap.capability." + name} {
		if i := h.Registry().EntryOf(id); i != nil && i.Members != nil && Enabled(i.Members) {
			return i
		}
	}
	return nil
}

// Created reports whether a state is that of a copy that was not there before.
func (s *State) Created() bool { return s.Given != nil && (s.Before == nil || s.Before.Given == nil) }

// Copies returns the copies in the order in which they were registered. They must not be changed.
func (h *History) Copies() []*Copy {
	return h.takeStock().copies
}

// States returns all states of all copies about which something is known. The list must not be changed.
func (h *History) States() []*State {
	return h.takeStock().sure
}

// stock are the copies as they are after so many changes.
type stock struct {
	copies  []*Copy
	sure    []*State
	changes int
}

// takeStock returns the stock, and lists the copies again if there were further changes.
func (h *History) takeStock() stock {
	h.Lock()
	if h.stock.changes != h.changed {
		h.stock = stockOf(h.copies, h.changed)
	}
	now := h.stock
	h.Unlock()
	reading.AllOf(&h.Reading, &h.changes) // notes what made them
	return now
}

func stockOf(copies []*Copy, changes int) stock {
	now := stock{changes: changes}
	for _, c := range copies {
		one := &Copy{c.ID, slices.Clone(c.States)}
		now.copies = append(now.copies, one)
		for _, s := range one.States {
			if s.Sure {
				now.sure = append(now.sure, s)
			}
		}
	}
	return now
}

// StateAt returns what a copy was during a call, nil where that is not known, or where it never
// was one.
func (h *History) StateAt(id string, c *Call) *State {
	h.RLock()
	defer h.RUnlock()
	known := h.byID[id]
	if known == nil {
		return nil
	}
	var now *State
	for _, s := range known.States {
		switch {
		case s.Change.Done < c.Entry:
			now = s
		case s.Change.Entry < c.Done:
			return nil // it was changed meanwhile
		}
	}
	if now == nil || !now.Sure {
		return nil
	}
	h.Gives(now.Change)
	return now
}

// During reports whether a call lies between a state's change and the next one.
func (h *History) During(s *State, c *Call) bool {
	return s.Change.Done < c.Entry && h.StateAt(s.ID, c) == s
}

// Reading is a look at one entry of the registry. What it shows is nil where it is not there.
type Reading struct {
	Call   *Call
	Shown  Object
	IDOnly bool // the list shows ids, and no descriptors
}

// Readings returns what get and the whole list of the registry showed of a state.
func (h *History) Readings(s *State) (got, listed []Reading) {
	h.RLock()
	gets := h.gets[s.ID]
	h.RUnlock()
	for _, c := range gets {
		if h.During(s, c) && (c.Returned() || c.Refused()) {
			h.Gives(c)
			got = append(got, readingOf(c, s.ID))
		}
	}
	for _, c := range h.Registries() {
		if c.Listed && h.During(s, c) {
			listed = append(listed, readingOf(c, s.ID))
		}
	}
	return got, listed
}

func readingOf(c *Call, id string) Reading {
	r := Reading{Call: c}
	if i := c.EntryOf(id); i != nil {
		r.Shown = i.Members
		if i.Members == nil {
			r.Shown, r.IDOnly = Object{"capability_id": id}, true
		}
	}
	return r
}

// Took reports whether the registry was seen to hold a state as it was given.
func (h *History) Took(s *State) bool {
	got, listed := h.Readings(s)
	return slices.ContainsFunc(append(got, listed...), func(r Reading) bool {
		if s.Given == nil || r.Shown == nil {
			return s.Given == nil && r.Shown == nil
		}
		return KeepsBut(r.Shown, s)
	})
}

// KeepsBut reports whether a reading shows a state as it was given. What is created may start
// disabled.
func KeepsBut(shown Object, s *State) bool {
	if Keeps(shown, s.Given) {
		return true
	}
	if !s.Created() || !Flag(s.Given, "status.enabled", false) || Flag(shown, "status.enabled", true) {
		return false
	}
	given := Deep(s.Given)
	Put(given, "status.enabled", false)
	return Keeps(shown, given)
}

// Invocation is a call of the engine.
type Invocation struct {
	*Call
	Mode  string
	Held  []string // permissions of the caller
	Input any
}

func (h *History) invocationOf(c *Call) *Invocation {
	return &Invocation{
		Call: c, Mode: Text(c.Params, "mode"), Held: jsonvalue.Texts(Member(c.Params, "principal.permissions")),
		Input: c.Params["input"],
	}
}

// Invocations returns the calls of the engine that were sent.
func (h *History) Invocations() []*Invocation {
	return reading.AllOf(&h.Reading, &h.invocations)
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

// LogAfter returns the first log of executions that was read after a call and before the next
// entry that may lie between, nil if there is none.
func (h *History) LogAfter(after record.Tick) *Call {
	for _, c := range h.Of(OpExecLog) {
		if c.Entry > after && c.Accepted() {
			return c
		}
	}
	return nil
}
