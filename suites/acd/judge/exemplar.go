package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// exemplarSentences are the sentences of the judgements in this file.
var exemplarSentences = []verdict.Sentence[documents]{
	verdict.SayOf(`the exemplar ships with (cap\.[a-z_.]+)`, documents.ShipsWith),
	verdict.Say(`the exemplar includes a CLI adapter`, documents.CLIAdapter),
}

// CLI is the adapter of the channel ChannelCLI.
const (
	CLI        = "cap.cli.adapter"
	ChannelCLI = "cli"
)

// itemsOf returns the items of the registry that have an id.
func (j documents) itemsOf(id string) []*history.Item {
	return slices.DeleteFunc(j.Descriptors(), func(i *history.Item) bool { return i.ID != id })
}

// ShipsWith judges by the registry, and by the manifest if it has a list. ACD-MAN-01 and ACD-MAN-07 judge a
// malformed manifest. One answer that contains the capability is enough: other callers may change the registry.
func (j documents) ShipsWith(id string) verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	r.Judged++
	all, first := j.itemsOf(id), []record.Tick{j.Registry().Entry}
	on := slices.DeleteFunc(slices.Clone(all), func(i *history.Item) bool { return !history.Enabled(i.Members) })
	switch {
	case len(all) == 0:
		r.AddBreach(first, "the exemplar does not register "+id, id+" in the registry", "a registry without it")
	case len(on) == 0:
		r.AddBreach(first, "the exemplar ships with "+id+" disabled", "status.enabled true", all[0].Members["status"])
	case slices.ContainsFunc(on, func(i *history.Item) bool { return history.Hidden(i.Members) }):
	default:
		j.listedInManifest(r, id)
	}
	return *r
}

// listedInManifest judges whether a manifest with a valid list contains an id.
func (j documents) listedInManifest(r *verdict.Verdict, id string) {
	var without *history.Call
	for _, c := range j.shown() {
		list, listed := history.Member(c.Value, "capabilities.list").([]any)
		if !listed || len(jsonvalue.Texts(list)) != len(list) || slices.Contains(jsonvalue.Texts(list), id) {
			return
		}
		without = c
	}
	if without != nil {
		got := jsonvalue.Print(history.Member(without.Value, "capabilities.list"))
		r.AddBreach([]record.Tick{without.Entry}, "the exemplar does not list "+id, id+" in capabilities.list", got)
	}
}

// CLIAdapter judges the adapter of the CLI.
func (j documents) CLIAdapter() verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	all := j.itemsOf(CLI)
	if len(all) == 0 {
		return notObserved(verdict.Undecided("%s is not registered: see ACD-EX1-03", CLI))
	}
	for _, i := range all {
		r.Judged++
		if substrate := history.Substrate(i.Members); substrate != "transport" {
			r.AddBreach([]record.Tick{i.Entry}, "the substrate of the CLI adapter is not transport", "transport", substrate)
		}
	}
	exposed := slices.ContainsFunc(j.Channels(), func(c history.Channel) bool {
		return strings.EqualFold(c.ID, ChannelCLI) && slices.Contains(c.Exposes(), CLI)
	})
	if !exposed {
		first := j.Manifest()
		r.AddBreach([]record.Tick{first.Entry}, "no channel cli exposes the CLI adapter",
			CLI+" under the channel cli of the manifest", history.Member(first.Value, "channels"))
	}
	return *r
}
