package judge

import (
	"cmp"
	"slices"

	"github.com/capconform/capconform/suites/acd/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// immutableSentences are the sentences of the judgements in this file.
var immutableSentences = []verdict.Sentence[changes]{
	verdict.Say(`no immutable capability changes`, changes.ImmutableStays),
}

// ImmutableStays judges whether an immutable entry reads the same after each attempt to change it. An attempt without
// an answer proves nothing.
func (j changes) ImmutableStays() verdict.Verdict {
	r, usable := j.registry()
	if !usable {
		return *r
	}
	id, readings := j.steps(history.Immutables)
	var before history.Object
	for at, c := range readings {
		if c.Refused() && at+1 < len(readings) && readings[at+1].About[history.AboutStep] == c.About[history.AboutStep] {
			continue // it was read again
		}
		var shown history.Object
		if i := c.EntryOf(id); i != nil {
			shown = i.Members
		}
		switch way := c.About[history.AboutStep]; {
		case way == history.StepRestore:
		case way == history.StepBefore:
			before = shown
		case c.Lost != nil:
			return notObserved(c.Missing())
		case before != nil:
			r.Judged++
			if !history.Same(shown, before) {
				r.AddBreach([]record.Tick{c.Entry}, "an immutable capability is changed by "+way, jsonvalue.Print(before), c.Got())
			}
		}
	}
	return r.OpenUnlessJudged(j.unperformed(history.Immutables))
}

// steps returns the readings of an entry by the steps of a stimulus, in order, and its id.
func (j changes) steps(stimulus string) (id string, all []*history.Call) {
	for _, c := range j.Of(history.OpGet) {
		if c.Stimulus == stimulus && c.About[history.AboutStep] != "" {
			id = c.ID
			if c.Served() {
				all = append(all, c)
			}
		}
	}
	for _, c := range j.Registries() {
		if c.Stimulus == stimulus && c.About[history.AboutStep] != "" {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b *history.Call) int { return cmp.Compare(a.Entry, b.Entry) })
	return id, all
}
