package chpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

var evidenceSentences = []sentence{
	say(`each attempt leaves evidence`, func(w *world) any { return w.attemptsLeaveEvidence }),
	say(`the evidence that each result names is there`, func(w *world) any { return w.namedEvidenceExists }),
	say(`each event has its ([a-z_]+)`, func(w *world) any {
		return func(ctx context.Context, name string) error { return w.eventMember(ctx, name, coreEvents) }
	}),
	say(`each event is of an invocation that was sent`, func(w *world) any { return w.eventsOfOurs }),
	say(`each event is about the capability that was asked for`, func(w *world) any { return w.eventsOfCapability }),
	say(`each event is of the host that was asked`, func(w *world) any { return w.eventsOfHost }),
	say(`each event stands there once`, func(w *world) any { return w.eventsOnce }),
	say(`the events of its own are structured and correlated`, func(w *world) any { return w.customEvents }),
	say(`the evidence is replayed again after other invocations`, func(w *world) any { return w.replayLater }),
	say(`what was there before is there unchanged`, func(w *world) any { return w.historyUnchanged }),
	say(`no type is emitted that its capability does not list`, func(w *world) any { return w.typesListed }),
}

// isCore tells the core types (CHP 6), and the one that a newer text adds.
func isCore(ev event) bool { _, closes := closing[ev.kind]; return closes || ev.kind == eventStarted }

// coreEvents are judged by the members' own requirements. An event without a type
// is one too: the others of CHP-6-14 have one.
func coreEvents(ev event) bool { return isCore(ev) || ev.kind == "" }

func customEvents(ev event) bool { return !coreEvents(ev) }

// eventMember judges a member of every replayed event of some kind.
func (w *world) eventMember(ctx context.Context, name string, which func(event) bool) error {
	judged := 0
	for _, a := range w.attempts {
		for _, ev := range a.near() {
			if !which(ev) {
				continue
			}
			judged++
			what, got, wrong := eventMembers[name].flaw(ev.members(), name)
			if wrong && name == memberPayload {
				what, got, wrong = w.payloadFlaw(ctx, a, ev)
			}
			if wrong {
				return w.blame(a, "an event: "+what, eventMembers[name].want, got+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}

func (w *world) attemptsLeaveEvidence() error {
	judged := 0
	for _, a := range w.attempts {
		if !a.processed() || !a.replayed.arrived() || a.replayed.broken != nil || a.replayed.odd != "" || a.uncommon {
			continue // CHP-10-01 judges ids that are uncommon, CHP-7-02 those that the host makes
		}
		judged++
		if repeated := a.sharer && len(a.events()) == 0; repeated || len(a.near()) == 0 {
			return w.blame(a, a.kind+" leaves no evidence", "an event in a replay of its correlation", suites.Received(a.replayed.answer, a.replayed.err))
		}
	}
	if err := lost(w.attempts); err != nil {
		return err
	}
	if judged == 0 {
		return suites.Undecided("no invocation could be replayed: see CHP-5-01 and CHP-10-01")
	}
	return nil
}

func (w *world) namedEvidenceExists() error {
	judged := 0
	for _, a := range w.attempts {
		if !a.processed() || !a.replayed.arrived() || len(a.events()) == 0 || a.crowded {
			continue
		}
		judged++
		if id := a.unshown(); id != "" {
			return w.blame(a, "a result names evidence that a replay does not know", "the event "+id+" in a replay of "+a.supplied, fmt.Sprintf("%d events, none of that id", len(a.replayed.events)))
		}
	}
	if judged == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}

// eventsOfOurs looks at correlations that nobody else uses.
func (w *world) eventsOfOurs() error {
	byID := map[string]*attempt{}
	for _, a := range w.attempts {
		byID[a.id] = a
	}
	for _, a := range w.attempts {
		if a.crowded && !a.replayed.whole {
			continue // what an invocation of others began or ended may not be shown
		}
		for _, ev := range a.replayed.events {
			if !isCore(ev) || ev.invocation == "" || a.supplied == "" || ev.correlation != a.supplied || ev.invocation == a.id {
				continue
			}
			other, ours := byID[ev.invocation]
			if ours && other.uncommon {
				continue // CHP-7-05
			}
			if ours && other.supplied != a.supplied || !ours && (a.owns(ev) || !a.caused(ev)) {
				return w.blame(a, "an event bears the id of another invocation", a.id, ev.invocation+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	return nil
}

// caused tells whether an event may be of an invocation that the capability made in
// its turn: our own is complete without it, and that one is an attempt by itself.
func (a *attempt) caused(ev event) bool {
	began, ended, refused := false, false, false
	for _, other := range a.replayed.events {
		outcome, closes := closing[other.kind]
		switch {
		case other.invocation != ev.invocation:
		case outcome == outcomeDenied || outcome == outcomeSkipped:
			refused = true
		case closes:
			ended = true
		case other.kind == eventStarted:
			began = true
		}
	}
	running := began && !ended && ev.members()["capability_id"] != a.capability
	return a.complete() && (refused || began && ended || running)
}

func (w *world) eventsOfCapability() error {
	for _, a := range w.attempts {
		for _, ev := range a.events() {
			if id, ok := ev.members()["capability_id"].(string); isCore(ev) && ok && id != "" && !sameName(id, a.capability) {
				return w.blame(a, "an event is about another capability", a.capability, id+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	return nil
}

func (w *world) eventsOfHost() error {
	own, _ := w.host.result["id"].(string)
	if own == "" {
		return suites.Undecided("the host tells no id: see CHP-4-01")
	}
	for _, a := range w.attempts {
		for _, ev := range a.events() {
			m := ev.members()
			id, ok := m["host_id"].(string)
			if isCore(ev) && ok && id != "" && id != own && !w.namesHost(id) && !a.namesHost(id) {
				return w.blame(a, "an event bears the id of another host", own, id+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	return nil
}

func (w *world) eventsOnce() error {
	judged := 0
	for _, a := range w.attempts {
		seen := map[string]bool{}
		for _, ev := range a.replayed.events {
			judged++
			if ev.id != "" && seen[ev.id] {
				return w.blame(a, "an event stands in the evidence twice", "one event for each event_id", ev.id+" twice")
			}
			seen[ev.id] = true
		}
	}
	if judged == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
	}
	return nil
}

// strayEvents looks for events of the types that the capability lists, under the
// correlation of an invocation and without its id.
func (w *world) strayEvents() error {
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if a.role == roleObserve && customEvents(ev) && ev.correlation == a.supplied && slices.Contains(texts(a.of.members["emits"]), ev.kind) {
				return w.blame(a, "an event of a capability's own bears the id of another invocation", a.id, suites.Print(ev.members()["invocation_id"])+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	if err := w.lacks("with", roleObserve); err != nil {
		return err
	}
	return suites.Undecided("no event of a capability's own was replayed")
}

// customEvents is CHP-6-14: all faults of events that are none of the core.
func (w *world) customEvents(ctx context.Context) error {
	own := 0
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if customEvents(ev) && a.owns(ev) {
				own++
			}
		}
	}
	if own == 0 {
		return w.strayEvents()
	}
	for _, name := range sortedNames(eventMembers) {
		if err := w.eventMember(ctx, name, customEvents); err != nil {
			return err
		}
	}
	for _, a := range w.attempts {
		for _, ev := range a.events() {
			if customEvents(ev) && a.supplied != "" && !a.uncommon && ev.correlation != a.supplied {
				return w.blame(a, "an event of a capability's own bears another correlation id", a.supplied, ev.correlation)
			}
		}
	}
	return nil
}

// typesListed is advice: only types that a capability emits itself count.
func (w *world) typesListed() error {
	for _, a := range w.attempts {
		i := slices.IndexFunc(w.capabilities, func(c *capability) bool { return c.id == a.capability })
		if i < 0 || w.capabilities[i].members["emits"] == nil {
			continue
		}
		for _, ev := range a.events() {
			own := customEvents(ev) && !strings.HasPrefix(ev.kind, "execution_") && !strings.Contains(ev.kind, ".") && !reservedFamily(ev.kind)
			if own && !slices.Contains(texts(w.capabilities[i].members["emits"]), ev.kind) {
				return w.blame(a, "a capability emits a type that it does not list", ev.kind+" in emits of "+a.capability, suites.Print(w.capabilities[i].members["emits"]))
			}
		}
	}
	return nil
}

// reservedFamily tells types that later texts give to the host.
func reservedFamily(kind string) bool {
	for _, family := range []string{"safety_", "approval_", "budget_", "routing_", "session_", "identity_", "metrics_", "incident_", "compliance_"} {
		if strings.HasPrefix(kind, family) {
			return true
		}
	}
	return false
}
