package history

import (
	"slices"

	"github.com/capconform/capconform/suites/reading"
)

// keepChange stores the effect of a call on copies. A refused change has no effect, and a change of an immutable
// copy has none even if it was accepted.
func (h *History) keepChange(c *Call) {
	s := changeBy(c)
	if s == nil || !IsCopyID(s.ID) || c.Refused() || !c.Served() {
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
		s.Given, s.MayChangeMore = Deep(s.Before.Given), !isMeta(s.By, "enable")
		if isMeta(s.By, "enable") && s.Given != nil {
			Set(s.Given, "status.enabled", true)
		}
	}
	kind := Text(s.Given, "kind")
	s.EffectKnown = c.Accepted() && kind != "composite" && kind != "proxy" &&
		(s.Before == nil || s.Before.EffectKnown || s.By == OpDelete)
	if known == nil {
		known = &Copy{ID: s.ID}
		h.byID[s.ID] = known
		h.copies = append(h.copies, known)
	}
	known.States = append(known.States, s)
	h.changes.Add(c)
	h.changed++
}

// Copies returns the copies in the order in which they were registered. They must not be changed.
func (h *History) Copies() []*Copy {
	return h.currentSnapshot().copies
}

// States returns the known states of all copies. The list must not be changed.
func (h *History) States() []*State {
	return h.currentSnapshot().known
}

// currentSnapshot returns the stock, and lists the copies again if there were further changes.
func (h *History) currentSnapshot() snapshot {
	h.Lock()
	if h.snapshot.changes != h.changed {
		h.snapshot = newSnapshot(h.copies, h.changed)
	}
	now := h.snapshot
	h.Unlock()
	reading.AllOf(&h.Reading, &h.changes) // records which calls made the states
	return now
}

// StateAt returns the state of a copy during a call, or nil if it is not known or the id is not one of a copy.
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
			return nil // it was changed during the call
		}
	}
	if now == nil || !now.EffectKnown {
		return nil
	}
	h.NoteObject(now.Change)
	return now
}

// During reports whether a call lies between the change that began a state and the next change.
func (h *History) During(s *State, c *Call) bool {
	return s.Change.Done < c.Entry && h.StateAt(s.ID, c) == s
}

// Readings returns what get and the whole list of the registry showed of a state.
func (h *History) Readings(s *State) (got, listed []Reading) {
	h.RLock()
	gets := h.gets[s.ID]
	h.RUnlock()
	for _, c := range gets {
		if h.During(s, c) && (c.Returned() || c.Refused()) {
			h.NoteObject(c)
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

// WasApplied reports whether a reading showed a state as it was requested.
func (h *History) WasApplied(s *State) bool {
	got, listed := h.Readings(s)
	return slices.ContainsFunc(append(got, listed...), func(r Reading) bool {
		if s.Given == nil || r.Shown == nil {
			return s.Given == nil && r.Shown == nil
		}
		return ShowsAsRequested(r.Shown, s)
	})
}
