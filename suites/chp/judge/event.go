package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var eventSentences = []verdict.Sentence[events]{
	verdict.Say(`each attempt emits evidence`, events.AttemptsLeaveEvidence),
	verdict.Say(`the evidence that each result lists exists`, events.NamedEvidenceExists),
	verdict.SayOf(`each event has its ([a-z_]+)`, events.EventsHave),
	verdict.Say(`each event belongs to an invocation that was sent`, events.EventsOfOurs),
	verdict.Say(`each event names the requested capability`, events.EventsOfCapability),
	verdict.Say(`each event names the host`, events.EventsOfHost),
	verdict.Say(`each event appears once`, events.EventsOnce),
	verdict.Say(`each event contains the correlation context`,
		func(j events) verdict.Verdict { return j.EventsHave("correlation") }),
}

func core(ev *history.Event) bool   { return ev.JudgedAsCore() }
func custom(ev *history.Event) bool { return !ev.JudgedAsCore() }

// noEvidence returns the reason why events cannot be judged.
func noEvidence() error {
	return verdict.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
}

// EventsHave judges a member of every event of the core.
func (j events) EventsHave(name string) verdict.Verdict {
	r := &verdict.Verdict{}
	j.eventMember(r, name, core)
	return r.OpenUnlessJudged(noEvidence())
}

const memberPayload = "payload"

// maxFull bounds the number of correlations that are replayed with payloads because a replay
// that did not request payloads lacked one.
const maxFull = 16

// AttemptsLeaveEvidence judges CHP-6-01: each attempt emits evidence. CHP-10-01 judges uncommon
// ids, and CHP-7-02 those that the host makes.
func (j events) AttemptsLeaveEvidence() verdict.Verdict {
	r := &verdict.Verdict{}
	var attempts []*history.Attempt
	for _, a := range j.Attempts() {
		e := j.Evidence(a)
		if a.HasUncommonID() || !a.Processed() || e.LastReplay == nil {
			continue
		}
		attempts = append(attempts, a)
		if !e.LastReplay.Readable() || j.usedBefore(a) && j.replaced(a) != "" || j.shares(a) && !j.sharersShown() {
			continue // CHP-7-05 and CHP-10-01 judge an id that is used again
		}
		r.Judged++
		if len(e.PossiblyOwn) == 0 {
			r.AddBreach(j.entriesOfAttempt(a), a.Kind+" emits no evidence", "an event in a replay of its correlation",
				e.LastReplay.Got)
		}
	}
	if err := j.lost(attempts); err != nil && len(r.Breaches) == 0 {
		r.Open = err
	}
	return r.OpenUnlessJudged(verdict.Undecided("no invocation could be replayed: see CHP-5-01 and CHP-10-01"))
}

// NamedEvidenceExists judges CHP-6-02: the evidence that each result lists exists.
func (j events) NamedEvidenceExists() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, a := range j.Attempts() {
		e := j.Evidence(a)
		if !a.Processed() || !e.IsComplete() {
			continue
		}
		r.Judged++
		for _, id := range a.EvidenceIDs() {
			if !j.shownUnder(a.CorrelationID(), id) && !j.mayBeDiscarded(a, e.LastReplay) {
				r.AddBreach(j.entriesOfAttempt(a), "a result lists evidence that no replay contains",
					"the event "+id+" in a replay of "+a.CorrelationID(),
					fmt.Sprintf("%d events, none of that id", len(e.LastReplay.Whole())))
				break
			}
		}
	}
	return r.OpenUnlessJudged(noEvidence())
}

// shownUnder reports whether any replay of a correlation contained an event.
func (j events) shownUnder(correlation, id string) bool {
	return slices.ContainsFunc(j.Thread(correlation).Replays, func(r *history.Replay) bool { return r.Holds(id) })
}

// EventsOfOurs judges CHP-6-05 beyond the presence of the member. Events under the correlation of
// the caller must contain the id of an invocation that was sent, or of one that the capability made
// in turn.
func (j events) EventsOfOurs() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, t := range j.Threads() {
		if len(t.Attempts) == 0 || t.Attempts[0].Supplied == "" || j.mayBeCut(t) {
			continue
		}
		seen := map[string]bool{}
		for _, replay := range t.Replays {
			for _, ev := range replay.Whole() {
				if !ev.IsCore() || ev.Invocation == "" || ev.Correlation != t.Correlation || seen[ev.Invocation] {
					continue
				}
				seen[ev.Invocation] = true
				if j.isUnknown(t, ev) {
					r.AddBreach(j.entriesOfReplay(replay), "an event has the id of another invocation", t.Attempts[0].ID,
						ev.Invocation+" in "+jsonvalue.Clip(ev.Raw))
				}
			}
		}
	}
	return r.Holds()
}

// mayBeCut reports whether a replay may lack events that begin or end an invocation of another
// caller.
func (j events) mayBeCut(t *history.Thread) bool {
	return slices.ContainsFunc(t.Attempts,
		func(a *history.Attempt) bool { e := j.Evidence(a); return e.LastReplay != nil && !e.Whole })
}

// isUnknown reports whether an event of a correlation belongs neither to an invocation that was
// sent under it, nor to one that a capability made in turn.
func (j events) isUnknown(t *history.Thread, ev *history.Event) bool {
	other := j.Sent(ev.Invocation)
	switch {
	case other != nil && other.ID == ev.Invocation:
		return !other.HasUncommonID() && other.Supplied != t.Correlation // CHP-7-05 judges the others
	case slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Owns(ev) }):
		return true
	}
	return !j.caused(t, ev)
}

// caused reports whether an event may belong to an invocation that the capability made in turn: the
// invocation of the harness is complete without the event, and the events with the other id form an
// attempt by themselves.
func (j events) caused(t *history.Thread, ev *history.Event) bool {
	began, ended, refused, foreign := false, false, false, false
	for _, replay := range t.Replays {
		for _, other := range replay.Whole() {
			outcome, closes := history.OutcomeOfEvent[other.Kind]
			switch {
			case other.Invocation != ev.Invocation:
			case outcome == history.Denied || outcome == history.Skipped:
				refused = true
			case closes:
				ended = true
			case other.Kind == history.EventStarted:
				began = true
			}
		}
	}
	complete := false
	for _, a := range t.Attempts {
		complete = complete || j.Complete(a)
		foreign = foreign || ev.Members()["capability_id"] != a.Capability
	}
	running := began && !ended && foreign
	return complete && (refused || began && ended || running)
}

// EventsOfCapability judges CHP-6-06 beyond the presence of the member: each event names the
// requested capability.
func (j events) EventsOfCapability() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, ev := range j.events((*history.Event).IsCore) {
		if ev.of == nil {
			continue
		}
		if id, _ := ev.Members()["capability_id"].(string); id != "" && !history.SameName(id, ev.of.Capability) {
			r.AddBreach(j.entries(ev), "an event names another capability", ev.of.Capability, id+" in "+jsonvalue.Clip(ev.Raw))
		}
	}
	return r.Holds()
}

// forwardingKinds are words in the kind of a host that hands invocations on to other hosts.
var forwardingKinds = []string{"gateway", "router", "proxy", "mesh", "federat", "multi", "relay", "broker", "aggregat",
	"hub"}

// namesHost reports whether the descriptors of the host name another host, or whether its kind is
// that of a host that hands invocations on.
func (j events) namesHost(id string) bool {
	self := j.host().Result
	kind, _ := self["kind"].(string)
	if slices.ContainsFunc(forwardingKinds, func(word string) bool {
		return strings.Contains(strings.ToLower(kind),
			word)
	}) {
		return true
	}
	if mentionsApartFrom(self, hostMembers, id) {
		return true
	}
	return slices.ContainsFunc(slices.Concat(j.Hosts(), j.Lists()), func(d *history.Description) bool {
		return slices.ContainsFunc(d.Capabilities(),
			func(of history.Object) bool { return mentionsApartFrom(of, capabilityMembers, id) })
	})
}

// The members of a host descriptor, of a capability descriptor and of an event whose value is not
// the name of another host.
var (
	hostMembers       = []string{"id", "kind", "version", "protocol_version", "capabilities"}
	capabilityMembers = []string{"id", "version", "capability_uri", "modes", "emits"}
	ownIDs            = []string{"host_id", "event_type", "event_id", "invocation_id", "capability_id", "timestamp", "subject"}
)

// mentionsApartFrom reports whether a member of an object mentions a text, apart from some members.
func mentionsApartFrom(of history.Object, names []string, text string) bool {
	for name, v := range of {
		if !slices.Contains(names, name) && history.Mentions(v, text) {
			return true
		}
	}
	return false
}

// eventsName reports whether an event of an invocation mentions another host in more members than
// the one that states who wrote the event.
func (j events) eventsName(a *history.Attempt, id string) bool {
	return id != a.CorrelationID() && slices.ContainsFunc(j.Evidence(a).Events,
		func(ev *history.Event) bool { return mentionsApartFrom(ev.Members(), ownIDs, id) })
}

// EventsOfHost judges CHP-6-07 beyond the presence of the member: each event names the host.
func (j events) EventsOfHost() verdict.Verdict {
	r := &verdict.Verdict{}
	own, _ := j.host().Result["id"].(string)
	if own == "" {
		return r.OpenUnlessJudged(verdict.Undecided("the host descriptor has no id: see CHP-4-01"))
	}
	for _, ev := range j.events((*history.Event).IsCore) {
		id, _ := ev.Members()["host_id"].(string)
		if ev.of != nil && id != "" && id != own && !j.namesHost(id) && !j.eventsName(ev.of, id) {
			r.AddBreach(j.entries(ev), "an event has the id of another host", own, id+" in "+jsonvalue.Clip(ev.Raw))
		}
	}
	return r.Holds()
}

// EventsOnce judges CHP-6-13: each event appears once.
func (j events) EventsOnce() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, replay := range j.Replays() {
		r.Judged += replay.Page
		if replay.DuplicateID != "" {
			r.AddBreach(j.entriesOfReplay(replay), "the evidence contains an event twice", "one event for each event_id",
				replay.DuplicateID+" twice")
		}
	}
	return r.OpenUnlessJudged(noEvidence())
}
