package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// eventSentences are the sentences about the events of a registry.
var eventSentences = []verdict.Sentence[registries]{
	decide(`the registry emits one event for each published version`, registries.NotifiedOnce),
	about(`the event of each published version contains its (cap_uri|semver|cid|sha256)`, registries.EventHolds),
	decide(`no event reports a refused publication`, registries.RefusedUntold),
}

// closeBy is the greatest number of publications between a publication and an answer of acp.events for
// which the answer can show that the event is absent.
const closeBy = 30

// eventLists returns the answers of acp.events that closely follow a publication. The error states why
// an answer cannot be used.
func (j registries) eventLists(p *history.Publication) ([]*history.EventList, error) {
	var all []*history.EventList
	var why error
	publications := j.Publications()
	for _, t := range j.EventLists() {
		between := 0
		for _, q := range publications {
			if q.Entry > p.Done && q.Done < t.Entry {
				between++
			}
		}
		switch {
		case t.Entry < p.Done || between > closeBy:
		case t.Missing() != nil:
			why = t.Missing()
		default:
			all = append(all, t)
		}
	}
	return all, why
}

// alike returns the number of publications before an entry that submit the same values, with any result.
func (j registries) alike(p *history.Publication, before record.Tick) int {
	n := 0
	for _, q := range j.Publications() {
		if q.Entry < before && q.SubmitsAs(p) {
			n++
		}
	}
	return n
}

// eachEventList calls judge for each published version and each list of events that closely follows it.
// Open of the result states why there is no such list.
func (j registries) eachEventList(
	judge func(v *verdict.Verdict, p *history.Publication, t *history.EventList),
) *verdict.Verdict {
	all, err := j.taken()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return v
	}
	for _, p := range all {
		those, why := j.eventLists(p)
		if why != nil {
			v.Open = why
		}
		for _, t := range those {
			judge(v, p, t)
		}
	}
	return v
}

// NotifiedOnce judges the number of events of each published version: at least one, and at most one for
// each time that the version was submitted. RefusedUntold judges the events of refused submissions.
func (j registries) NotifiedOnce() verdict.Verdict {
	v := j.eachEventList(func(v *verdict.Verdict, p *history.Publication, t *history.EventList) {
		v.Judged++
		entries := []record.Tick{p.Entry, t.Entry}
		switch want := "one event of " + p.Values[history.MemberURI]; {
		case len(t.Of(p)) == 0:
			v.Broken(entries, "no event reports a publication", want, t.Got)
		case len(t.Publishing(p)) > j.alike(p, t.Entry):
			v.Broken(entries, "more than one event reports one publication", want, jsonvalue.Print(members(t.Of(p))))
		}
	})
	return v.Otherwise(verdict.Undecided("no events were requested"))
}

func members(all []*history.Event) []history.Object {
	var list []history.Object
	for _, e := range all {
		list = append(list, e.Members)
	}
	return list
}

// EventHolds judges one of the four values in the events of each published version.
func (j registries) EventHolds(name string) verdict.Verdict {
	v := j.eachEventList(func(v *verdict.Verdict, p *history.Publication, t *history.EventList) {
		of := t.Of(p)
		if len(of) == 0 {
			return
		}
		v.Judged++
		if !p.Holds(of[0].Members, name) {
			lacks(v, []record.Tick{p.Entry, t.Entry}, "the event", p, name, of[0].Members)
		}
	})
	return v.Otherwise(verdict.Undecided("no event reports a publication: see %s", seeEvent))
}

// RefusedUntold judges whether an event reports a publication that was refused every time it was
// submitted.
func (j registries) RefusedUntold() verdict.Verdict {
	all, err := j.taken()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	result := false
	for _, p := range all {
		those, why := j.eventLists(p)
		if why != nil {
			v.Open = why
		}
		result = result || slices.ContainsFunc(those, func(t *history.EventList) bool { return len(t.Of(p)) > 0 })
	}
	if !result {
		if v.Open == nil {
			v.Open = verdict.Undecided("no event reports a publication: see %s", seeEvent)
		}
		return *v
	}
	for _, p := range j.Publications() {
		if !p.Refused() {
			continue
		}
		those, _ := j.eventLists(p) // the loop above has stated why an answer cannot be used
		for _, t := range those {
			if j.submitted(p, t.Entry) {
				continue
			}
			v.Judged++
			for _, e := range t.Publishing(p) {
				if !history.ReportsFault(e.Members) {
					v.Broken([]record.Tick{p.Entry, t.Entry}, "an event reports a refused publication", "no event of it",
						jsonvalue.Print(e.Members))
				}
			}
		}
	}
	return v.Otherwise(verdict.Undecided("the registry accepts every publication, so no refusal was observed"))
}

// submitted reports whether the same values were submitted before an entry and not refused.
func (j registries) submitted(p *history.Publication, before record.Tick) bool {
	return slices.ContainsFunc(j.Publications(), func(q *history.Publication) bool {
		return q.Entry < before && !q.Refused() && q.SubmitsAs(p)
	})
}
