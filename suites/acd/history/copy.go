package history

import (
	"slices"
	"strings"
)

// Copy is a capability that the suite registered, with its states in order.
type Copy struct {
	ID     string
	States []*State
}

// State is a copy between two changes.
type State struct {
	ID            string
	Change        *Call
	By            string // the operation, or the capability that was invoked, which made the change
	Given         Object // the descriptor that the change requested; nil: a deletion
	EffectKnown   bool   // the effect of the change is known
	MayChangeMore bool   // the change may have affected more members than requested
	Before        *State
}

// changeBy returns the change that a call requests, or nil if it requests none.
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

// MadeBy returns the id of the copy that a call creates, or "" if it creates none.
func MadeBy(c *Call) string {
	if c == nil {
		return ""
	}
	if s := changeBy(c); s != nil {
		return s.ID
	}
	return ""
}

// EchoID is the capability with the role echo if the target file names none.
const EchoID = "conformance.echo"

// metas are the capabilities of the text that change a registry, without the prefix cap.
var metas = []string{
	"capability.create", "capability.enable", "capability.bind", "subagent.create", "command.bind", "hook.create",
}

// ChangesRegistry reports whether an id is one of the capabilities of the text that change a registry. The adapter
// page requires them, like the fixtures.
func ChangesRegistry(id string) bool { return slices.Contains(metas, strings.TrimPrefix(id, "cap.")) }

func isMeta(id, name string) bool { return strings.TrimPrefix(id, "cap.") == "capability."+name }

func makes(id string) bool {
	return isMeta(id, "create") || strings.TrimPrefix(id, "cap.") == "subagent.create"
}

// Created reports whether a state begins with the creation of the copy.
func (s *State) Created() bool { return s.Given != nil && (s.Before == nil || s.Before.Given == nil) }

// snapshot contains the copies as they are after a number of changes.
type snapshot struct {
	copies  []*Copy
	known   []*State
	changes int
}

func newSnapshot(copies []*Copy, changes int) snapshot {
	now := snapshot{changes: changes}
	for _, c := range copies {
		one := &Copy{c.ID, slices.Clone(c.States)}
		now.copies = append(now.copies, one)
		for _, s := range one.States {
			if s.EffectKnown {
				now.known = append(now.known, s)
			}
		}
	}
	return now
}

// Reading is one reading of an entry of the registry. Shown is nil if the entry is absent.
type Reading struct {
	Call   *Call
	Shown  Object
	IDOnly bool // the list contains ids and no descriptors
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

// ShowsAsRequested reports whether a reading shows a state as it was requested. A created capability may be disabled at
// first.
func ShowsAsRequested(shown Object, s *State) bool {
	if Keeps(shown, s.Given) {
		return true
	}
	if !s.Created() || !Flag(s.Given, "status.enabled", false) || Flag(shown, "status.enabled", true) {
		return false
	}
	given := Deep(s.Given)
	Set(given, "status.enabled", false)
	return Keeps(shown, given)
}
