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
		return func(name string) error { return w.eventMember(name, coreEvents) }
	}),
	say(`each event is of an invocation that was sent`, func(w *world) any { return w.eventsOfOurs }),
	say(`each event is about the capability that was asked for`, func(w *world) any { return w.eventsOfCapability }),
	say(`each event is of the host that was asked`, func(w *world) any { return w.eventsOfHost }),
	say(`each event stands there once`, func(w *world) any { return w.eventsOnce }),
	say(`the events of its own are structured and correlated`, func(w *world) any { return w.customEvents }),
	say(`payloads with a mark of their own are invoked`, func(w *world) any { return w.invokeMarked }),
	say(`no mark is found in the evidence that the host writes`, func(w *world) any { return w.marksAbsent }),
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
func (w *world) eventMember(name string, which func(event) bool) error {
	judged := 0
	for _, a := range w.attempts {
		for _, ev := range a.near() {
			if !which(ev) {
				continue
			}
			judged++
			if what, got, wrong := eventMembers[name].flaw(ev.members(), name); wrong {
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
		if !a.processed() || !a.replayed.arrived() || a.replayed.broken != nil || a.replayed.odd != "" {
			continue
		}
		judged++
		if len(a.replayed.events) == 0 {
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
		if !a.processed() || !a.replayed.arrived() || len(a.replayed.events) == 0 {
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
	under := map[string]string{}
	for _, a := range w.attempts {
		under[a.id] = a.supplied
	}
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if !isCore(ev) || ev.invocation == "" || a.supplied == "" || ev.correlation != a.supplied || ev.invocation == a.id {
				continue
			}
			if elsewhere, ours := under[ev.invocation]; ours && elsewhere != a.supplied || !ours && !a.caused(ev) {
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
			if id, ok := ev.members()["capability_id"].(string); isCore(ev) && ok && id != "" && id != a.capability {
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
			routed := m["routed_by"] != nil || m["routed_to"] != nil || w.host.result["kind"] == "router" || w.host.result["kind"] == "gateway"
			if isCore(ev) && ok && id != "" && id != own && !routed {
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
		i := slices.IndexFunc(w.capabilities, func(c *capability) bool { return c.id == a.capability && c.version == a.version })
		for _, ev := range a.replayed.events {
			if i >= 0 && customEvents(ev) && ev.correlation == a.supplied && slices.Contains(texts(w.capabilities[i].members["emits"]), ev.kind) {
				return w.blame(a, "an event of a capability's own bears the id of another invocation", a.id, suites.Print(ev.members()["invocation_id"])+" in "+suites.Clip(string(ev.raw)))
			}
		}
	}
	return suites.Undecided("no event of a capability's own was replayed")
}

// customEvents is CHP-6-14: all faults of events that are none of the core.
func (w *world) customEvents() error {
	own := 0
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if customEvents(ev) && ev.invocation == a.id {
				own++
			}
		}
	}
	if own == 0 {
		return w.strayEvents()
	}
	for _, name := range sortedNames(eventMembers) {
		if err := w.eventMember(name, customEvents); err != nil {
			return err
		}
	}
	for _, a := range w.attempts {
		for _, ev := range a.events() {
			if customEvents(ev) && a.supplied != "" && ev.correlation != a.supplied {
				return w.blame(a, "an event of a capability's own bears another correlation id", a.supplied, ev.correlation)
			}
		}
	}
	return nil
}

// invokeMarked plants a mark as value and as member name where the capability
// takes it: on success, failure and denial.
func (w *world) invokeMarked(ctx context.Context) error {
	if err := w.needSuccess(ctx); err != nil {
		return err
	}
	var envelopes []envelope
	for _, role := range []string{roleEcho, roleFails, roleGuarded, roleDisabled} {
		if p, cast := w.players[role]; cast && w.reasonAgainst(p.Capability) == "" {
			envelopes = append(envelopes, of("an invocation of the role "+role, p.Capability, nil))
		}
	}
	for _, c := range w.pool {
		if c.input == nil {
			envelopes = append(envelopes, of("an invocation", c, nil))
		}
	}
	envelopes = append(envelopes, envelope{kind: "an invocation of an unknown capability", capability: "capconform.unknown.marked", mode: modeSync, correlation: caller()})
	envelopes = append(envelopes, w.markedSound(ctx)...)
	if foreign := w.foreignModes(ctx, w.sc); len(foreign) > 0 {
		foreign[0].payload = nil
		envelopes = append(envelopes, foreign[0])
	}
	for _, v := range envelopes {
		value, name := mark(), mark()
		w.marks = append(w.marks, value, name)
		if given, ok := v.payload.(object); ok {
			v.payload = marked(given, value)
		} else {
			v.payload = object{"value": value, name: true, "more": []any{object{"deep": value}}}
		}
		w.attempts = append(w.attempts, w.try(ctx, w.sc, v))
	}
	return lost(w.attempts)
}

// markedSound finds payloads that took free text, to put a mark in its place.
func (w *world) markedSound(ctx context.Context) []envelope {
	var all []envelope
	for _, a := range w.succeeding(ctx, w.sc) {
		payload, ok := a.payload.(object)
		if ok && a.outcome() == outcomeSuccess && !suites.EqualJSON(marked(payload, "\x00"), payload) {
			v := a.envelope
			v.id, v.correlation = "", caller()
			all = append(all, v)
		}
	}
	return all
}

// marked replaces the texts of a payload by a mark, however deep they stand.
func marked(payload any, value string) any {
	switch p := payload.(type) {
	case string:
		return value
	case object:
		edited := object{}
		for name, v := range p {
			edited[name] = marked(v, value)
		}
		return edited
	case []any:
		edited := make([]any, len(p))
		for i, v := range p {
			edited[i] = marked(v, value)
		}
		return edited
	}
	return payload
}

// marksAbsent is CHP-5-09. Events that a capability emits on its own are explicit.
func (w *world) marksAbsent() error {
	judged := 0
	for _, a := range w.attempts {
		for _, ev := range a.replayed.events {
			if !coreEvents(ev) {
				continue
			}
			judged++
			for _, m := range w.marks {
				if strings.Contains(string(ev.raw), m) {
					return w.blame(a, "a raw payload is found in the evidence of "+a.kind, "no payload in an event that the host writes", m+" in "+suites.Clip(string(ev.raw)))
				}
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no evidence was replayed: see CHP-6-01 and CHP-10-01")
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
