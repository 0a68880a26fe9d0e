package history

import (
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// agent contains what the answers show about the agent: its registry, its manifest and channels, its lists, and the
// log of executions.
type agent struct{ calls }

// Registries returns the answers that show the whole registry: those of the list or, if it is not served, those of
// the path of the text without a filter.
func (h *agent) Registries() []*Call {
	all := h.Of(OpList)
	if len(all) > 0 && all[0].Served() {
		return all
	}
	whole := slices.DeleteFunc(slices.Clone(h.Of(OpPath)), func(c *Call) bool { return len(c.Params) > 0 || !c.Served() })
	if len(whole) > 0 {
		return whole
	}
	return all
}

// Registry returns the first answer that shows the registry.
func (h *agent) Registry() *Call {
	if all := h.Registries(); len(all) > 0 {
		return all[0]
	}
	return &Call{Operation: OpList}
}

// Entries returns the items that the registry showed at any time, each once, without copies.
func (h *agent) Entries() []*Item {
	seen := map[*Item]bool{}
	var all []*Item
	for _, c := range h.Registries() {
		for _, i := range c.Items {
			if !seen[i] && !IsCopyID(i.ID) {
				seen[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// Descriptors returns the entries that are objects with an id.
func (h *agent) Descriptors() []*Item {
	return slices.DeleteFunc(h.Entries(), func(i *Item) bool { return i.Members == nil || i.ID == "" })
}

// Manifests returns the answers to requests of the manifest.
func (h *agent) Manifests() []*Call { return h.Of(OpManifest) }

// Manifest returns the first answer that shows the manifest.
func (h *agent) Manifest() *Call {
	if all := h.Manifests(); len(all) > 0 {
		return all[0]
	}
	return &Call{Operation: OpManifest}
}

// Channel is one channel of a manifest.
type Channel struct {
	In      *Call
	ID      string
	Members Object
}

// ChannelsOf returns the channels of a manifest that have an id.
func ChannelsOf(manifest *Call) []Channel {
	list, _ := Member(manifest.Value, "channels").([]any)
	var all []Channel
	for _, item := range list {
		members, _ := item.(Object)
		if id := Text(members, "channel_id"); id != "" { // otherwise ACD-MAN-08 judges it
			all = append(all, Channel{manifest, id, members})
		}
	}
	return all
}

// Channels returns the channels of every manifest.
func (h *agent) Channels() []Channel {
	var all []Channel
	for _, m := range h.Manifests() {
		all = append(all, ChannelsOf(m)...)
	}
	return all
}

// Exposes returns the ids that a manifest lists under a channel.
func (c Channel) Exposes() []string { return jsonvalue.Texts(c.Members["capabilities"]) }

// ModesOf returns the modes that a channel declares. It returns none if a declaration is not valid, or if the
// declarations differ.
func (h *agent) ModesOf(channel string) []string {
	var modes []string
	for _, c := range h.Of(OpDeclare) {
		if c.Channel != channel || !c.Accepted() {
			continue
		}
		list, _ := Member(c.Value, "modes").([]any)
		now := jsonvalue.Texts(list)
		if len(now) < len(list) {
			return nil
		}
		if modes != nil && !slices.Equal(modes, now) {
			return nil
		}
		modes = now
	}
	unknown := func(mode string) bool { return !slices.Contains(Modes, mode) }
	if len(modes) >= len(Modes) || slices.ContainsFunc(modes, unknown) {
		return nil
	}
	return modes
}

// NoEntries returns why the registry shows no descriptor, nil if it shows one.
func (h *agent) NoEntries() error {
	first := h.Registry()
	if err := first.Missing(); err != nil {
		return err
	}
	isID := func(i *Item) bool { _, isText := i.Value.(string); return isText }
	switch {
	case len(first.Items) == 0:
		return verdict.Undecided("the registry shows no entry: %s", first.Got())
	case !slices.ContainsFunc(first.Items, func(i *Item) bool { return !isID(i) }):
		return verdict.Undecided("the registry lists only ids, and no descriptors")
	}
	return nil
}

// Meta returns an enabled capability of FR-SDK-3 from the first list of the registry, under its name with or without
// the prefix cap.
func (h *agent) Meta(name string) *Item {
	for _, id := range []string{"capability." + name, "cap.capability." + name} {
		if i := h.Registry().EntryOf(id); i != nil && i.Members != nil && Enabled(i.Members) {
			return i
		}
	}
	return nil
}
