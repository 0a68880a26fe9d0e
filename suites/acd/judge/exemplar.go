package judge

import (
	"slices"
	"strings"
	"unicode"

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

// docsSentences are the sentences of the judgements in this file.
var docsSentences = []verdict.Sentence[documents]{
	verdict.Say(`the documentation matches the registry`, documents.DocsFollow),
}

// DocsFollow judges whether the documentation mentions the entries of the registry and no others. It may be up to a
// second late, so the last reading of a state counts.
func (j documents) DocsFollow() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	if pages := j.Of(history.OpDocs); len(pages) > 0 && pages[0].Missing() != nil {
		return notObserved(pages[0].Missing())
	}
	j.wellFormed(r, history.OpDocs)
	known := ""
	for _, c := range j.Of(history.OpDocs) {
		if !c.IsConfirmation() {
			if known == "" {
				known = j.knownTexts()
			}
			j.mentionsAlone(r, c, known)
		}
	}
	for _, s := range j.States() {
		c := j.lastPage(s)
		if c == nil || s.Change.Stimulus != history.Documented {
			continue
		}
		r.Judged++
		at := []record.Tick{c.Entry, s.Change.Entry}
		page := history.Text(c.Value, "text")
		switch {
		case s.Given == nil && j.WasApplied(s) &&
			(strings.Contains(page, s.ID) || s.Before != nil && strings.Contains(page, history.Text(s.Before.Given, "name"))):
			r.AddBreach(at, "the documentation mentions a capability that was deleted", "a text without it", c.Got())
		case s.Given == nil:
		case s.Created() && !strings.Contains(page, s.ID) && !strings.Contains(page, history.Text(s.Given, "name")):
			r.AddBreach(at, "the documentation does not mention a capability that was created", s.ID, c.Got())
		case !s.Created() && j.WasApplied(s) && !strings.Contains(page, s.ID) &&
			!strings.Contains(page, history.Text(s.Given, "name")) &&
			!strings.Contains(page, history.Text(s.Before.Given, "name")):
			r.AddBreach(at, "the documentation does not mention a capability that was updated", s.ID, c.Got())
		case !s.Created() && j.WasApplied(s) && !strings.Contains(page, history.Text(s.Given, "name")) &&
			strings.Contains(page, history.Text(s.Before.Given, "name")):
			r.AddBreach(at, "the documentation shows the old name after an update", "the new name instead of the old one",
				"a text with only the old name")
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Documented))
}

// lastPage returns the last documentation that was read during a state, or nil if there is none.
func (j documents) lastPage(s *history.State) (last *history.Call) {
	for _, c := range j.Of(history.OpDocs) {
		if c.Accepted() && j.During(s, c) {
			last = c
		}
	}
	return last
}

// knownTexts returns the texts of the registry and of the manifests.
func (j documents) knownTexts() string {
	var known strings.Builder
	for _, i := range j.Entries() {
		known.Write(jsonvalue.Encode(i.Value))
	}
	for _, m := range j.shown() {
		known.Write(jsonvalue.Encode(m.Value))
	}
	return known.String()
}

// mentionsAlone judges whether every id in the documentation comes from the registry, the manifest, or a text in
// them, such as a description.
func (j documents) mentionsAlone(r *verdict.Verdict, c *history.Call, known string) {
	for _, id := range idsIn(history.Text(c.Value, "text")) {
		if strings.Contains(known, id) {
			continue
		}
		b := verdict.Breach{
			Message: "the documentation mentions a capability that is not registered", Want: "ids of the registry", Got: id,
			Entries: []record.Tick{c.Entry},
		}
		j.confirm(r, history.DocsAgain, map[string]string{history.AboutID: id}, b, func(answers history.Confirmation) bool {
			inList := slices.ContainsFunc(answers[1].Items, func(i *history.Item) bool { return containsText(i.Value, id) })
			return slices.Contains(idsIn(history.Text(answers[0].Value, "text")), id) && !inList &&
				!containsText(answers[2].Value, id)
		})
	}
}

// fileEndings are the endings by which a word in the form of an id is recognised as a file name.
var fileEndings = []string{"md", "html", "json", "yaml", "yml", "txt", "go", "py", "js", "ts"}

// idsIn returns the words of the documentation that have the same form as the ids of the text and are not part of a
// path or an address.
func idsIn(page string) []string {
	words := strings.FieldsFunc(page, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-/:", r)
	})
	var all []string
	for _, word := range words {
		word = strings.TrimRight(word, ".:")
		parts := strings.Split(word, ".")
		odd := func(r rune) bool { return r != '_' && !unicode.IsLower(r) && !unicode.IsDigit(r) }
		if len(parts) < 2 || parts[0] != "cap" || slices.Contains(fileEndings, parts[len(parts)-1]) ||
			slices.ContainsFunc(parts, func(part string) bool { return part == "" || strings.ContainsFunc(part, odd) }) {
			continue
		}
		all = append(all, word)
	}
	return all
}
