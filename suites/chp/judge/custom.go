package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var customSentences = []verdict.Sentence[events]{
	verdict.Say(`each capability emits only event types that it lists`, events.TypesListed),
	verdict.Say(`the events that capabilities emit are structured and correlated`, events.CustomEvents),
}

// CustomEvents judges CHP-6-14: all faults of events without a core type. Events that name an
// invocation of another caller may belong to one that the capability made in turn; if there are
// only such events, they prove nothing. An event that names no invocation belongs to none.
func (j events) CustomEvents() verdict.Verdict {
	r := &verdict.Verdict{}
	own := 0
	for _, ev := range j.events(custom) {
		if ev.of != nil || ev.Invocation == "" {
			own++
		}
	}
	if own == 0 {
		return j.strayEvents(r)
	}
	for _, p := range j.Forms.Event.Parts {
		j.eventMember(r, p.Member, custom)
	}
	for _, ev := range j.events(custom) {
		if a := ev.of; a != nil && a.Supplied != "" && !a.HasUncommonID() && ev.Correlation != a.Supplied {
			r.AddBreach(j.entries(ev), "an event that a capability emits has another correlation id", a.Supplied, ev.Correlation)
		}
	}
	return *r
}

// strayEvents looks for events of the types that the capability lists, under the correlation of
// an invocation but without its invocation id.
func (j events) strayEvents(r *verdict.Verdict) verdict.Verdict {
	for _, a := range j.inRole("observe") {
		replay := j.Evidence(a).LastReplay
		if replay == nil {
			continue
		}
		for _, ev := range replay.Whole() {
			if custom(ev) && ev.Correlation == a.Supplied && slices.Contains(history.Texts(j.descriptor(a)["emits"]), ev.Kind) {
				r.AddBreach(j.entriesOfAttempt(a), "an event that a capability emits has the id of another invocation", a.ID,
					printed(ev.Members()["invocation_id"])+" in "+jsonvalue.Clip(ev.Raw))
			}
		}
	}
	if err := j.Missing("with", "observe"); err != nil {
		return r.OpenUnlessJudged(err)
	}
	return r.OpenUnlessJudged(verdict.Undecided("no event that a capability emits was replayed"))
}

// TypesListed only advises. Only types that a capability itself emits count.
func (j events) TypesListed() verdict.Verdict {
	r := &verdict.Verdict{}
	for _, ev := range j.events(custom) {
		if ev.of == nil {
			continue
		}
		emits := j.descriptor(ev.of)["emits"]
		own := !strings.HasPrefix(ev.Kind, "execution_") && !strings.Contains(ev.Kind, ".") && !reservedFamily(ev.Kind)
		if emits != nil && own && !slices.Contains(history.Texts(emits), ev.Kind) {
			r.AddBreach(j.entries(ev), "a capability emits a type that it does not list",
				ev.Kind+" in emits of "+ev.of.Capability,
				printed(emits))
		}
	}
	return r.Holds()
}

// reservedFamily reports whether later texts reserve a type for the host.
func reservedFamily(kind string) bool {
	return slices.ContainsFunc([]string{
		"safety_", "approval_", "budget_", "routing_", "session_", "identity_", "metrics_", "incident_", "compliance_",
	}, func(family string) bool { return strings.HasPrefix(kind, family) })
}
