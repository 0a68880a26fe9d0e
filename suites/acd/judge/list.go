package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// listSentences are the sentences of the judgements in this file.
var listSentences = []verdict.Sentence[changes]{
	verdict.Say(`each list is a view of the registry`, changes.ViewsOfOne),
}

// guards are the members by which entries are filtered, routed and guarded.
var guards = []string{"version", "kind", "execution", "invocation", "exposure", "permissions", "status"}

// ViewsOfOne judges whether each list shows only entries of the registry, and describes them as the registry does. An
// item may omit members.
func (j changes) ViewsOfOne() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	var all []naming
	for _, v := range slices.Concat(j.queries(), j.oldLists()) {
		if v.IsConfirmation() || !v.Listed {
			continue
		}
		about := map[string]string{
			history.AboutBy: history.ByView, history.AboutView: v.Operation,
			history.AboutParams: string(jsonvalue.Encode(v.Params)),
		}
		for _, i := range v.Items {
			all = append(all, naming{i.ID, v.Call, about, (*history.Call).IDs})
			if i.Members != nil {
				j.judgeListItem(r, v, i)
			}
		}
	}
	registered(j.evidence, r, all, "a list shows what the registry does not have", func(n naming) string {
		return n.id + " by " + n.in.Operation
	})
	return r.OpenUnlessJudged(verdict.Undecided("no list except the registry's own shows anything"))
}

// judgeListItem compares an item of a list with the entry of the registry.
func (j changes) judgeListItem(r *verdict.Verdict, v *history.View, i *history.Item) {
	const message = "a list describes an entry differently from the registry"
	const want = "the members that guard an entry, as in the registry"
	got := func() string { return i.ID + " by " + v.Operation + ": " + jsonvalue.Print(i.Members) }
	if s := j.StateAt(i.ID, v.Call); s != nil {
		_, listed := j.readings(s)
		if !s.Created() || len(listed) == 0 || listed[0].Shown == nil || !differs(listed[0].Shown, i.Members) {
			return
		}
		// ACD-SDK1-08, or the requirement on the change before it, judges a list that shows the copy wrongly.
		wrong := slices.ContainsFunc(j.faults(s), func(f fault) bool { return f.reading.Call == listed[0].Call })
		if !wrong && history.ShowsAsRequested(listed[0].Shown, s) {
			r.AddBreach([]record.Tick{v.Entry}, message, want, got())
		}
		return
	}
	entry := j.entry(i.ID)
	if entry == nil || entry == i || !differs(entry.Members, i.Members) {
		return
	}
	about := map[string]string{history.AboutView: v.Operation, history.AboutParams: string(jsonvalue.Encode(v.Params))}
	b := verdict.Breach{Message: message, Want: want, Got: got(), Entries: []record.Tick{v.Entry}}
	j.confirm(r, history.ViewAgain, about, b, func(answers history.Confirmation) bool {
		now := answers[1].EntryOf(i.ID)
		return now != nil && differs(entry.Members, now.Members) &&
			showsSteadily(answers, i.ID, func(now history.Object) bool { return history.Same(now, entry.Members) })
	})
}

// differs reports whether an item contradicts an entry in a member that guards it.
func differs(kept, shown history.Object) bool {
	kept, shown = history.Filled(kept), history.OfText(shown)
	return slices.ContainsFunc(guards, func(name string) bool { return !history.HoldsAll(kept[name], shown[name]) })
}
