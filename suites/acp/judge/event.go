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
	decide(`the registry emits one event for each published version`, registries.EmittedOnce),
	about(`the event of each published version contains its (cap_uri|semver|cid|sha256)`, registries.EventContains),
	decide(`no event reports a refused publication`, registries.RefusedNotReported),
}

// maxPublicationsBetween is the greatest number of publications between a publication and an answer of
// acp.events for which the answer can show that the event is absent.
const maxPublicationsBetween = 30

// eventLists returns the answers of acp.events that closely follow a publication. The error states why
// an answer cannot be used.
func (j registries) eventLists(p *history.Publication) ([]*history.EventList, error) {
	var all []*history.EventList
	var why error
	publications := j.Publications()
	for _, list := range j.EventLists() {
		between := 0
		for _, q := range publications {
			if q.Entry > p.Done && q.Done < list.Entry {
				between++
			}
		}
		switch {
		case list.Entry < p.Done || between > maxPublicationsBetween:
		case list.AnswerError() != nil:
			why = list.AnswerError()
		default:
			all = append(all, list)
		}
	}
	return all, why
}

// countSubmissions returns the number of publications before an entry that submit the same values, with
// any result.
func (j registries) countSubmissions(p *history.Publication, before record.Tick) int {
	n := 0
	for _, q := range j.Publications() {
		if q.Entry < before && q.HasSameValues(p) {
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
	all, err := j.acceptedPublications()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return v
	}
	for _, p := range all {
		lists, why := j.eventLists(p)
		if why != nil {
			v.Open = why
		}
		for _, t := range lists {
			judge(v, p, t)
		}
	}
	return v
}

// EmittedOnce judges the number of events of each published version: at least one, and at most one for
// each time that the version was submitted. RefusedNotReported judges the events of refused submissions.
func (j registries) EmittedOnce() verdict.Verdict {
	v := j.eachEventList(func(v *verdict.Verdict, p *history.Publication, t *history.EventList) {
		v.Judged++
		entries := []record.Tick{p.Entry, t.Entry}
		switch want := "one event of " + p.Values[history.MemberURI]; {
		case len(t.About(p)) == 0:
			v.AddBreach(entries, "no event reports a publication", want, t.Got())
		case len(t.WithAllValues(p)) > j.countSubmissions(p, t.Entry):
			v.AddBreach(entries, "more than one event reports one publication", want, jsonvalue.Print(eventMembers(t.About(p))))
		}
	})
	return v.OpenUnlessJudged(verdict.Undecided("no events were requested"))
}

func eventMembers(all []*history.Event) []history.Object {
	var list []history.Object
	for _, e := range all {
		list = append(list, e.Members)
	}
	return list
}

// EventContains judges one of the four values in the events of each published version.
func (j registries) EventContains(name string) verdict.Verdict {
	v := j.eachEventList(func(v *verdict.Verdict, p *history.Publication, t *history.EventList) {
		of := t.About(p)
		if len(of) == 0 {
			return
		}
		v.Judged++
		if !p.ValueIn(of[0].Members, name) {
			addMissingValue(v, []record.Tick{p.Entry, t.Entry}, "the event", p, name, of[0].Members)
		}
	})
	return v.OpenUnlessJudged(verdict.Undecided("no event reports a publication: see %s", seeEvent))
}

// RefusedNotReported judges whether an event reports a publication that was refused every time it was
// submitted.
func (j registries) RefusedNotReported() verdict.Verdict {
	all, err := j.acceptedPublications()
	v := &verdict.Verdict{Open: err}
	if err != nil {
		return *v
	}
	reported := false
	for _, p := range all {
		lists, why := j.eventLists(p)
		if why != nil {
			v.Open = why
		}
		reported = reported || slices.ContainsFunc(lists, func(t *history.EventList) bool { return len(t.About(p)) > 0 })
	}
	if !reported {
		if v.Open == nil {
			v.Open = verdict.Undecided("no event reports a publication: see %s", seeEvent)
		}
		return *v
	}
	for _, p := range j.Publications() {
		if !p.Refused() {
			continue
		}
		lists, _ := j.eventLists(p) // the loop above has stated why an answer cannot be used
		for _, t := range lists {
			if j.wasSubmitted(p, t.Entry) {
				continue
			}
			v.Judged++
			for _, e := range t.WithAllValues(p) {
				if !history.ReportsFault(e.Members) {
					v.AddBreach([]record.Tick{p.Entry, t.Entry}, "an event reports a refused publication", "no event of it",
						jsonvalue.Print(e.Members))
				}
			}
		}
	}
	return v.OpenUnlessJudged(verdict.Undecided("the registry accepts every publication, so no refusal was observed"))
}

// wasSubmitted reports whether the same values were submitted before an entry and not refused.
func (j registries) wasSubmitted(p *history.Publication, before record.Tick) bool {
	return slices.ContainsFunc(j.Publications(), func(q *history.Publication) bool {
		return q.Entry < before && !q.Refused() && q.HasSameValues(p)
	})
}
