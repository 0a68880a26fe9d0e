package history

import (
	"slices"

	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

// Registries are the answers that show the whole registry: those of the list or, where that
// is not served, those of the path of the text without a filter.
func (h *History) Registries() []*Call {
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

// Registry returns the registry as it was seen first.
func (h *History) Registry() *Call {
	if all := h.Registries(); len(all) > 0 {
		return all[0]
	}
	return &Call{Operation: OpList}
}

// Entries are what the registry showed at any time, each item once, without what the suite
// registered.
func (h *History) Entries() []*Item {
	seen := map[*Item]bool{}
	var all []*Item
	for _, c := range h.Registries() {
		for _, i := range c.Items {
			if !seen[i] && !Ours(i.ID) {
				seen[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// Descriptors are the entries that are objects with an id.
func (h *History) Descriptors() []*Item {
	return slices.DeleteFunc(h.Entries(), func(i *Item) bool { return i.Members == nil || i.ID == "" })
}

// Manifests are the answers that show the agent manifest.
func (h *History) Manifests() []*Call { return h.Of(OpManifest) }

// Manifest returns the manifest as it was seen first.
func (h *History) Manifest() *Call {
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
		if id := Text(members, "channel_id"); id != "" { // else ACD-MAN-08
			all = append(all, Channel{manifest, id, members})
		}
	}
	return all
}

// Channels are those of every manifest.
func (h *History) Channels() []Channel {
	var all []Channel
	for _, m := range h.Manifests() {
		all = append(all, ChannelsOf(m)...)
	}
	return all
}

// Exposes returns the ids that a manifest lists under a channel.
func (c Channel) Exposes() []string { return jsonvalue.Texts(c.Members["capabilities"]) }

// Enabled reports whether a descriptor is enabled.
func Enabled(members Object) bool { return Flag(members, "status.enabled", true) }

// Substrate returns what a descriptor runs on.
func Substrate(members Object) string { return Text(members, "execution.substrate") }

// Hidden reports whether a capability may be absent of the manifest.
func Hidden(members Object) bool {
	return !Enabled(members) || Text(members, "exposure.scope") == "internal"
}

// ModesOf returns the modes that a channel declares. None are given where a declaration is not
// sound, or where they differ.
func (h *History) ModesOf(channel string) []string {
	var modes []string
	for _, c := range h.Of(OpDeclare) {
		if c.Channel != channel || !c.Accepted() {
			continue
		}
		now := jsonvalue.Texts(Member(c.Value, "modes"))
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
func (h *History) NoEntries() error {
	first := h.Registry()
	if err := first.Missing(); err != nil {
		return err
	}
	isID := func(i *Item) bool { _, isText := i.Value.(string); return isText }
	switch {
	case len(first.Items) == 0:
		return verdict.Undecided("the registry shows no entry: %s", first.Got)
	case !slices.ContainsFunc(first.Items, func(i *Item) bool { return !isID(i) }):
		return verdict.Undecided("the registry lists only ids, and no descriptors")
	}
	return nil
}

// ForHumans reports whether people may use a capability on a channel.
func ForHumans(members Object, channel string) bool {
	scope, only := Text(members, "exposure.scope"), jsonvalue.Texts(Member(members, "exposure.channels"))
	open := len(only) == 0 || slices.Contains(only, channel)
	people := scope == "human" || scope == "public"
	return Enabled(members) && len(ModesOf(members)) > 0 && Substrate(members) != "shell" && people && open
}
