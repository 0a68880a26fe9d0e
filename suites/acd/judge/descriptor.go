package judge

import (
	"fmt"
	"maps"
	"slices"

	"github.com/capconform/capconform/schemas"
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

// flawedElsewhere returns the descriptors with invalid members in answers other than the whole list: those of
// entries in queries, old lists and get, and those of copies in the answers to creations and updates. A member that
// such an answer omits is not a flaw.
func (j documents) flawedElsewhere() []flawed {
	return memoized(j.evidence, func(m *conclusions) *cache[string, []flawed] { return &m.flawed }, "", func() []flawed {
		var all []flawed
		add := func(i *history.Item, flaws []shape.Flaw) {
			if len(flaws) > 0 {
				all = append(all, flawed{i, flaws})
			}
		}
		for _, i := range j.inViews() {
			add(i, present(j.flawsOf(i)))
		}
		for _, c := range j.describing() {
			d := history.DescriptorIn(c.Value)
			i := &history.Item{Entry: c.Entry, ID: history.Text(d, "capability_id"), Value: d, Members: d}
			add(i, j.ownFlaws(i, c.Params["descriptor"]))
		}
		return all
	})
}

// ownFlaws returns the flaws of a descriptor in the members that differ from those that the suite sent, except the
// flaws that the sent descriptor has too: the suite takes the modes of a copy from the declaration of a channel, which
// may be wrong.
func (j documents) ownFlaws(i *history.Item, sent any) []shape.Flaw {
	given, _ := sent.(history.Object)
	own := history.Object{}
	for name, value := range i.Members {
		if was, has := given[name]; !has || !jsonvalue.Equal(was, value) {
			own[name] = value
		}
	}
	flaws := present(j.flawsOf(&history.Item{Value: own}))
	if given == nil || len(flaws) == 0 {
		return flaws
	}
	known := j.flawsOf(&history.Item{Value: given})
	return slices.DeleteFunc(flaws, func(f shape.Flaw) bool {
		return slices.ContainsFunc(known, func(k shape.Flaw) bool { return k.Requirement == f.Requirement })
	})
}

// present returns the flaws of members that are not missing.
func present(flaws []shape.Flaw) []shape.Flaw {
	return slices.DeleteFunc(slices.Clone(flaws), func(f shape.Flaw) bool { return f.Missing })
}

// inViews returns the descriptors of entries that only queries or old lists showed, each once.
func (j documents) inViews() []*history.Item {
	seen := map[*history.Item]bool{}
	var all []*history.Item
	for _, v := range slices.Concat(j.queries(), j.oldLists()) {
		for _, i := range v.Items {
			if !seen[i] && !i.InRegistry() && !history.IsCopyID(i.ID) && descriptorLike(i.Members) {
				seen[i] = true
				all = append(all, i)
			}
		}
	}
	return all
}

// describing returns the calls of get, creations and updates that return a descriptor.
func (j documents) describing() []*history.Call {
	var all []*history.Call
	for _, operation := range []string{history.OpGet, history.OpCreate, history.OpUpdate} {
		for _, c := range j.Of(operation) {
			if c.Accepted() && descriptorLike(history.DescriptorIn(c.Value)) &&
				(operation != history.OpGet || !history.IsCopyID(c.ID)) {
				all = append(all, c)
			}
		}
	}
	return all
}

// descriptorLike reports whether an object has most of the members by which capabilities are routed and guarded, so
// that it is a descriptor and not another object about a capability.
func descriptorLike(d history.Object) bool {
	had := 0
	for _, name := range []string{"execution", "invocation", "exposure", "permissions"} {
		if _, has := d[name].(history.Object); has {
			had++
		}
	}
	return had > 2
}

// The requirements on members that contain a schema.
const (
	Inputs  = "ACD-DESC-18"
	Outputs = "ACD-DESC-20"
)

// flawsOf returns the flaws of one descriptor, for all requirements.
func (j documents) flawsOf(i *history.Item) []shape.Flaw {
	return record.Keep(i.Readings(), func() []shape.Flaw {
		flaws, _ := j.DescriptorShape.Flaws(i.Value) // the schemas of the suite decide every JSON value
		return append(flaws, schemaFlaws(i.Value)...)
	})
}

// schemaFlaws returns the members whose value is not a valid schema.
func schemaFlaws(item any) []shape.Flaw {
	var all []shape.Flaw
	for path, id := range map[string]string{"inputs.schema": Inputs, "outputs.schema": Outputs} {
		given := history.Member(item, path)
		switch given.(type) {
		case history.Object, bool:
			_, err := schemas.CompileValue(given, schemas.Options{})
			if _, invalid := err.(*schemas.InvalidSchema); invalid { // this error is never wrapped
				all = append(all, shape.Flaw{Part: shape.Part{Requirement: id}, Pointer: path, Message: err.Error()})
			}
		}
	}
	return all
}
