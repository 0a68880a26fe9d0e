package judge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// manifestSentences are the sentences of the judgements in this file.
var manifestSentences = []verdict.Sentence[documents]{
	verdict.SayOf(`the manifest has (?:its|valid) ([a-z_. ]+)`, documents.ManifestHas),
	verdict.Say(`no channel of the manifest defines behaviour`, documents.NoBehaviour),
	verdict.Say(`the manifest has no registry of an old type`, documents.NoOwnRegistry),
}

// ManifestHas judges one member of every manifest.
func (j documents) ManifestHas(name string) verdict.Verdict {
	p, known := j.ManifestShape.Part(name)
	if !known {
		return notObserved(fmt.Errorf("acdsuite: unknown member %q", name))
	}
	r, usable := j.manifest()
	if !usable {
		return *r
	}
	for _, c := range j.shown() {
		if p.Given != nil && !hasGivenMember(c.Value, p) {
			continue
		}
		flaws, err := j.ManifestShape.Flaws(c.Value)
		if err != nil {
			return notObserved(err)
		}
		r.Judged++
		for _, f := range flaws {
			if f.Requirement == p.Requirement {
				got := "at " + PathOf(f.Pointer) + ": " + f.Message + ", in " + jsonvalue.Print(c.Value)
				r.AddBreach([]record.Tick{c.Entry}, "the manifest has no valid "+name, p.Want, got)
				break
			}
		}
	}
	if p.Given == nil {
		return *r
	}
	return r.OpenUnlessJudged(verdict.Inapplicable("the manifest gives no %s", p.Given[0]))
}

// NoBehaviour judges the members of channels.
func (j documents) NoBehaviour() verdict.Verdict {
	r, usable := j.manifest()
	if !usable {
		return *r
	}
	for _, c := range j.Channels() {
		r.Judged++
		for _, name := range slices.Sorted(maps.Keys(c.Members)) {
			if Behaviour(name, c.Members[name]) {
				got := name + " in " + jsonvalue.Print(c.Members)
				r.AddBreach([]record.Tick{c.In.Entry}, "a channel defines behaviour",
					"channel_id and the ids of the capabilities that it exposes", got)
			}
		}
	}
	return r.OpenUnlessJudged(noChannels())
}

func noChannels() error { return verdict.Undecided("the manifest has no channels") }

// NoOwnRegistry looks in manifests for a registry of an old type.
func (j documents) NoOwnRegistry() verdict.Verdict {
	r, usable := j.both()
	if !usable {
		return *r
	}
	for _, c := range j.shown() {
		r.Judged++
		index, _ := history.Member(c.Value, "capabilities").(history.Object)
		manifest, _ := c.Value.(history.Object)
		for _, members := range []history.Object{manifest, index} {
			for _, name := range slices.Sorted(maps.Keys(members)) {
				if OwnRegistry(name, members[name]) {
					got := name + ": " + jsonvalue.Print(members[name])
					r.AddBreach([]record.Tick{c.Entry}, "the manifest has a separate registry", "one registry, under capabilities",
						got)
				}
			}
		}
	}
	return *r
}
