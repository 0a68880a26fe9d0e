package acdsuite

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/acd/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// printed is the list of the sample manifest (ACD 2.1), which lacks half of the
// minimum set: the text contradicts itself there.
var printed = []string{"cap.help", "cap.identify", "cap.send_umf", capCLI, "cap.skill.create", "cap.subagent.create"}

// judgeManifest judges an agent manifest by itself and together with the registry.
func (r *fileReading) judgeManifest(e entry) {
	r.AddKind(kindManifests)
	r.judgeShape(r.shapes.manifest, idClosedManifest, e)
	for _, within := range []*document.Node{e.node, e.node.Get("capabilities")} {
		if !within.Is(document.Object) {
			continue
		}
		for _, m := range within.Members {
			if judge.OwnRegistry(m.Name, m.Value.Value()) {
				r.Breach(idRegistries, e.file, m.Value, "%s is a second registry beside capabilities", jsonvalue.Print(m.Name))
			}
		}
	}
	list := e.node.Get("capabilities", "list")
	r.judgeIndex(e, list)
	if channels := e.node.Get("channels"); channels.Is(document.Array) {
		for _, channel := range channels.Items {
			r.judgeChannel(e, channel, list)
		}
	}
	if claimsExemplar(history.Text(e.node.Value(), "agent_id"), history.Text(e.node.Value(), "name")) {
		r.AddKind(kindExemplar)
		r.judgeExemplar(e, list)
	}
}

// judgeIndex looks for each id of the list among the descriptors, if these are the registry and not only a part
// of it: at least half of the ids must be found.
func (r *fileReading) judgeIndex(e entry, list *document.Node) {
	if len(r.entries) == 0 || !list.Is(document.Array) {
		return
	}
	r.AddKind(kindIndexes)
	var dangling []*document.Node
	ids := 0
	for _, item := range list.Items {
		if item.Str() == "" {
			continue
		}
		if ids++; !r.registered(item.Str()) {
			dangling = append(dangling, item)
		}
	}
	if ids < 2*len(dangling) {
		r.LeaveOpen(idIndex, "%d of the %d ids in the list at %s are not among the documents: the registry was given in part",
			len(dangling), ids, e.at(list))
		return
	}
	for _, item := range dangling {
		r.Breach(idIndex, e.file, item, "%s is in the list, but no descriptor has this id", jsonvalue.Print(item.Str()))
	}
}

func (r *fileReading) registered(id string) bool {
	_, known := r.byID[id]
	return known
}

func listed(list *document.Node, id string) bool {
	return list.Is(document.Array) &&
		slices.ContainsFunc(list.Items, func(item *document.Node) bool { return item.Str() == id })
}

// idsAlone reports whether each item of a list is an id.
func idsAlone(list *document.Node) bool {
	return !slices.ContainsFunc(list.Items, func(item *document.Node) bool { return item.Str() == "" })
}

// judgeChannel judges one channel of a manifest.
func (r *fileReading) judgeChannel(e entry, channel, list *document.Node) {
	if !channel.Is(document.Object) {
		return // ACD-MAN-08 judges it
	}
	r.AddKind(kindChannels)
	for _, m := range channel.Members {
		if judge.Behaviour(m.Name, m.Value.Value()) {
			r.Breach(idBehaviour, e.file, m.Value, "the channel defines behaviour in %s", jsonvalue.Print(m.Name))
		}
	}
	ids := channel.Get("capabilities")
	if !ids.Is(document.Array) {
		return // ACD-MAN-09 judges it
	}
	if len(ids.Items) == 0 {
		r.Breach(idRealizes, e.file, ids, "the channel declares no capability")
	}
	for _, item := range ids.Items {
		id := item.Str()
		entry, known := r.byID[id]
		switch {
		case id == "":
		case known && entry.node.Get("execution", "substrate").Str() == substrateShell:
			r.Breach(idShellChannels, e.file, item, "the channel exposes %s, whose substrate is shell: %s", jsonvalue.Print(id),
				entry.at(entry.node.Get("execution", "substrate")))
		case known:
			r.AddKind(kindExposed)
			r.judgeExcluded(e, channel, item, entry)
		case list.Is(document.Array) && !idsAlone(list):
			r.LeaveOpen(idExposes, "the list of the manifest at %s contains more than ids: see ACD-MAN-07", e.at(list))
		case list.Is(document.Array) && !listed(list, id):
			r.Breach(idExposes, e.file, item,
				"the channel exposes %s, which is neither in the list of the manifest nor among the descriptors", jsonvalue.Print(id))
		}
	}
}

// judgeExcluded judges a capability that a channel exposes, by the exposure in its descriptor. An adapter is
// not projected. A name that is not the id of any channel of the manifest may be that of a kind of channels.
func (r *fileReading) judgeExcluded(e entry, channel, item *document.Node, of entry) {
	members, _ := of.node.Value().(history.Object)
	name := channel.Get("channel_id").Str()
	if !history.Enabled(members) || history.Substrate(members) == substrateTransport || name == "" {
		return
	}
	scope, only := of.node.Get("exposure", "scope"), of.node.Get("exposure", "channels")
	named := jsonvalue.Texts(only.Value())
	has := func(names []string, name string) bool {
		return slices.ContainsFunc(names, func(one string) bool { return strings.EqualFold(one, name) })
	}
	var channels []string
	for _, one := range e.node.Get("channels").Items {
		channels = append(channels, one.Get("channel_id").Str())
	}
	unknown := func(name string) bool { return !has(channels, name) }
	switch {
	case scope.Str() == "internal":
		r.Breach(idExcluded, e.file, item, "the channel exposes %s, whose scope is internal: %s", jsonvalue.Print(item.Str()),
			of.at(scope))
	case len(named) > 0 && !slices.ContainsFunc(named, unknown) && !has(named, name):
		r.Breach(idExcluded, e.file, item, "the channel exposes %s, which names other channels: %s",
			jsonvalue.Print(item.Str()), of.at(only))
	}
}

// judgeExemplar requires the minimum set (FR-EX-1) and the CLI (FR-EX-2).
func (r *fileReading) judgeExemplar(e entry, list *document.Node) {
	if !list.Is(document.Array) {
		return // ACD-MAN-07 judges it
	}
	why := ""
	if sample := jsonvalue.Texts(list.Value()); slices.Equal(slices.Sorted(slices.Values(sample)),
		slices.Sorted(slices.Values(printed))) {
		why = "; this list is the one that section 2.1 of the text prints as a sample: the text contradicts itself here, and the table of FR-EX-1 in section 3.2 is the norm"
		r.Note("%s: the list is that of the sample manifest in section 2.1 of the text, which contradicts the table of FR-EX-1 in section 3.2", e.at(list))
	}
	for _, m := range minimum {
		entry, known := r.byID[m.id]
		switch {
		case !listed(list, m.id):
			r.Breach(m.requirement, e.file, list, "%s is not in the list; FR-EX-1 in section 3.2 demands it%s", m.id, why)
		case known && entry.node.Get("status", "enabled").Value() == false:
			r.Breach(m.requirement, entry.file, entry.node.Get("status", "enabled"),
				"%s is switched off; FR-EX-1 in section 3.2 asks for it", m.id)
		}
	}
	r.judgeCLI(e)
}

func (r *fileReading) judgeCLI(e entry) {
	adapter, known := r.byID[capCLI]
	if substrate := adapter.node.Get("execution", "substrate"); known && substrate.Str() != "" &&
		substrate.Str() != substrateTransport {
		r.Breach(idCLI, adapter.file, substrate, "the substrate of %s is %s; want transport", capCLI,
			jsonvalue.Print(substrate.Str()))
	}
	channels := e.node.Get("channels")
	switch {
	case channels.Absent():
		r.Breach(idCLI, e.file, e.node, "the manifest has no channels, so no channel exposes %s", capCLI)
	case !channels.Is(document.Array): // ACD-MAN-08 judges it
	case slices.ContainsFunc(channels.Items, mayExposeCLI): // ACD-MAN-08 or ACD-MAN-09 judge any other fault
	default:
		r.Breach(idCLI, e.file, channels, "no channel %s exposes %s", channelCLI, capCLI)
	}
}

// mayExposeCLI reports whether a channel is the required one, or would be without a fault in its form: one
// fault of a channel must not count as a second one of the exemplar (yields_to).
func mayExposeCLI(channel *document.Node) bool {
	if !channel.Is(document.Object) {
		return true
	}
	id, ids := channel.Get("channel_id").Str(), channel.Get("capabilities")
	named := id == "" || strings.EqualFold(id, channelCLI)
	invalid := !ids.Is(document.Array) ||
		slices.ContainsFunc(ids.Items, func(item *document.Node) bool { return item.Str() == "" })
	return named && (invalid || listed(ids, capCLI))
}
