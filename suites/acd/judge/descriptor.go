package judge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/shape"
	"github.com/capconform/capconform/suites/verdict"
)

// descriptorSentences are the sentences of the judgements in this file.
var descriptorSentences = []verdict.Sentence[documents]{
	verdict.SayOf(`each descriptor has (?:its|valid) ([a-z_. ]+)`, documents.DescriptorsHave),
	verdict.Say(`no descriptor branches by an old type`, documents.NoOldType),
	verdict.Say(`no shell capability is exposed to people`, documents.NoShellForHumans),
}

func named(i *history.Item) string {
	if i.ID != "" {
		return jsonvalue.Print(i.ID)
	}
	return "an entry without an id"
}

func hasGivenMember(value any, p shape.Part) bool {
	return slices.ContainsFunc(p.Given, func(path string) bool { return history.Member(value, path) != nil })
}

// DescriptorsHave judges one member of all descriptors.
func (j documents) DescriptorsHave(name string) verdict.Verdict {
	p, known := j.DescriptorShape.Part(name)
	if !known {
		return notObserved(fmt.Errorf("acdsuite: unknown member %q", name))
	}
	r, usable := j.registry()
	if !usable {
		return *r
	}
	all := j.Entries()
	if p.Given != nil {
		all = slices.DeleteFunc(all, func(i *history.Item) bool { return !hasGivenMember(i.Value, p) })
	}
	for _, i := range all {
		r.Judged++
		j.lacksValid(r, p, i, j.flawsOf(i))
	}
	for _, one := range j.flawedElsewhere() {
		j.lacksValid(r, p, one.item, one.flaws)
	}
	return r.OpenUnlessJudged(verdict.Inapplicable("no descriptor gives %s", name))
}

// lacksValid adds a breach if one of the flaws of a descriptor belongs to a requirement.
func (j documents) lacksValid(r *verdict.Verdict, p shape.Part, i *history.Item, flaws []shape.Flaw) {
	at := slices.IndexFunc(flaws, func(f shape.Flaw) bool { return f.Requirement == p.Requirement })
	if at < 0 {
		return
	}
	got := "of " + named(i) + ": " + PathOf(flaws[at].Pointer) + ": " + flaws[at].Message + ", in " + jsonvalue.Print(i.Value)
	r.AddBreach([]record.Tick{i.Entry}, "a descriptor has no valid "+p.Member, p.Want, got)
}

// NoOldType judges whether descriptors branch by the old types.
func (j documents) NoOldType() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	for _, i := range j.Descriptors() {
		r.Judged++
		for _, name := range slices.Sorted(maps.Keys(i.Members)) {
			if OldType(name, i.Members[name]) {
				got := name + " in " + jsonvalue.Print(i.Members)
				r.AddBreach([]record.Tick{i.Entry}, "a descriptor branches by an old type",
					"no member that says skill, command or sub-agent", got)
			}
		}
	}
	return r.OpenUnlessJudged(verdict.Undecided("no descriptor has an id: see ACD-DESC-03"))
}

// NoShellForHumans judges the scope of shells.
func (j documents) NoShellForHumans() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	for _, i := range j.Descriptors() {
		if history.Substrate(i.Members) != "shell" {
			continue
		}
		r.Judged++
		if scope := history.Text(i.Members, "exposure.scope"); scope == "human" || scope == "public" {
			r.AddBreach([]record.Tick{i.Entry}, "a shell capability is exposed to people",
				"the scope internal or agent", scope+" of "+i.ID)
		}
	}
	return r.OpenUnlessJudged(noShells())
}
