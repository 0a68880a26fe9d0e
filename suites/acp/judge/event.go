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

// closeBy is how many publications may lie between one and an answer of acp.events that shows
// that its event is absent.
const closeBy = 30

// eventLists are the answers of acp.events that follow a publication closely. The error says why
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

// alike counts the publications before an entry that submit the same values, whatever came of
// them.
func (j registries) alike(p *history.Publication, before record.Tick) int {
	n := 0
	for _, q := range j.Publications() {
		if q.Entry < before && q.SubmitsAs(p) {
			n++
		}
	}
	return n
}

// eachEventList judges each published version by each list of events that shows it. Open is why
// there is none.
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

// NotifiedOnce judges the number of events of each published version: one for each time that it
// was submitted, and at least one. The event of a submission that was refused is
// RefusedUntold's.
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

// RefusedUntold judges whether an event reports a refused publication, and that
// nobody submitted with success.
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
		those, _ := j.eventLists(p) // why one can't be used is known by now
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

// submitted reports whether the same values were submitted before an entry, and not refused.
func (j registries) submitted(p *history.Publication, before record.Tick) bool {
	return slices.ContainsFunc(j.Publications(), func(q *history.Publication) bool {
		return q.Entry < before && !q.Refused() && q.SubmitsAs(p)
	})
}
