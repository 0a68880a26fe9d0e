package history

import "slices"

// separateHosts extends the id of an event if another host uses the same id in one replay: an id need
// only be unique within its host. The host whose event comes first keeps the id.
func (h *History) separateHosts(r *Replay) {
	hosts := map[string]string{} // the first host of each id in this replay
	cloned := false
	for i, ev := range r.Events {
		if ev.ID == "" || ev.Host == "" {
			continue
		}
		first, seen := hosts[ev.ID]
		if !seen {
			hosts[ev.ID] = ev.Host
		}
		if seen && first != ev.Host && h.sharedIDs[ev.ID] == "" {
			h.sharedIDs[ev.ID] = first
		}
		owner := h.sharedIDs[ev.ID]
		if owner == "" || owner == ev.Host {
			continue
		}
		if !cloned {
			r.Events, cloned = slices.Clone(r.Events), true
		}
		separate := *ev
		separate.ID += " of " + ev.Host
		h.events[ev.Raw], r.Events[i] = &separate, &separate
	}
}
