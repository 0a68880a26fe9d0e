package judge

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// event is an event of the evidence. As a member of an attempt, it has no replay.
type event struct {
	*history.Event
	j     *evidence
	in    *history.Replay  // the one that first showed it
	of    *history.Attempt // nil: of no known attempt
	place int              // among the events of the attempt
}

func eventKind() *rule.Kind {
	return rule.NewKind("event", func(j *evidence) []event { return j.events(anyEvent) },
		func(e event) []record.Tick { return e.j.entries(e) },
		rule.Text("id", func(e event) string { return e.ID }),
		rule.Text("type", func(e event) string { return e.Kind }),
		rule.Flag("is_core", func(e event) bool { return e.JudgedAsCore() }), // or of no type
		rule.Flag("is_of_core_type", func(e event) bool { return e.IsCore() }),
		rule.Flag("is_reserved_type", func(e event) bool { return reservedFamily(e.Kind) }),
		rule.One("attempt", "attempt", func(e event) (attempt, bool) { return attempt{e.of, e.j}, e.of != nil }),
		rule.Number("place", func(e event) int { return e.place }),
		rule.Value("members", func(e event) any { return e.Members() }),
		rule.Text("text", func(e event) string { return e.Raw }),
		rule.Text("invocation_id", func(e event) string { return e.Invocation }),
		rule.Text("capability_id", func(e event) string { return textOf(e.Members(), "capability_id") }),
		rule.Text("host_id", func(e event) string { return e.Host }),
		rule.Text("correlation_id", func(e event) string { return e.Correlation }),
		rule.Value("context", func(e event) any { return e.Members()["correlation"] }),
		rule.Text("flaw", event.flaw), // of the other members
		rule.Value("payload_flaw", event.payloadFlaw),
		rule.Flag("names_unknown_invocation", event.namesUnknownInvocation),
		rule.Flag("names_other_known_host", event.namesOtherKnownHost),
		rule.Text("claimed_outcome", event.claimedOutcome),
		rule.Value("payload", func(e event) any { return e.Payload() }),
		rule.Value("content", func(e event) any { return e.content() }), // the payload where a replay shows one
		rule.Flag("keeps_content", event.keepsContent),
		rule.Text("moved_content", event.movedContent),
		rule.Value("stored", func(e event) any { return e.stored() }),
		rule.Flag("was_shown_before", event.wasShownBefore),
		rule.One("as_shown_first", "event", event.asShownFirst),
		rule.Flag("is_written_by_host", event.isWrittenByHost),
		rule.Text("marker", event.marker),
		rule.Text("outcome_of_type", func(e event) string { return history.OutcomeOfEvent[e.Kind] }),
	)
}

func core(ev *history.Event) bool     { return ev.JudgedAsCore() }
func anyEvent(ev *history.Event) bool { return true }

func textOf(of history.Object, name string) string {
	text, _ := of[name].(string)
	return text
}

// claimedOutcome returns the outcome that the event states, if it contradicts the type of the event.
func (e event) claimedOutcome() string {
	said := textOf(e.Members(), "outcome")
	if !history.Contradicts(e.Kind, said) {
		return ""
	}
	return said
}

// flaw returns what is wrong with a member other than the payload, "" if nothing is.
func (e event) flaw() string {
	for _, p := range e.j.Forms.Event.Parts {
		if flaw, _, wrong := (part{p}).broken(e.Members()); wrong && p.Member != memberPayload {
			return flaw
		}
	}
	return ""
}

const memberPayload = "payload"

// maxFull bounds the number of correlations that are replayed with payloads because a replay
// that did not request payloads lacked one.
const maxFull = 16

// payloadFlaw returns what is wrong with the payload in a replay whose query includes payloads: the text does not say
// what a replay contains if its query does not have the member.
func (e event) payloadFlaw() any {
	part := member(e.j.Forms.Event, memberPayload)
	flaw, _, wrong := part.broken(e.Members())
	if !wrong || e.in == nil || e.in.Query["include_payloads"] == true {
		return flaw
	}
	requested := false
	replays := e.j.Thread(e.in.Correlation()).Replays
	for _, full := range replays {
		if full.Query["include_payloads"] != true {
			continue
		}
		requested = requested || full.Unfiltered()
		i := slices.IndexFunc(full.Events, func(other *history.Event) bool { return other.ID == e.ID && other.Known() })
		if i < 0 {
			continue
		}
		requested = true
		if flaw, _, wrong := part.broken(full.Events[i].Members()); wrong {
			return flaw
		}
	}
	if requested || len(replays) == 0 || e.j.withPayloads() >= maxFull {
		return ""
	}
	return &rule.Gap{Reason: undecided("no replay with payloads was requested"),
		Settle: verdict.Settle{Stimulus: history.PayloadsAgain, Of: replays[0].Entry}}
}

// withPayloads counts the replays that were made to settle doubts about payloads.
func (j *evidence) withPayloads() int {
	n := 0
	for _, r := range j.Replays() {
		if r.Stimulus == history.PayloadsAgain {
			n++
		}
	}
	return n
}

// namesUnknownInvocation reports whether an event under the correlation of the caller belongs neither to an
// invocation that was sent under it, nor to one that a capability made in turn. It is false if a replay may lack
// events that begin or end an invocation of another caller.
func (e event) namesUnknownInvocation() bool {
	if e.in == nil {
		return false
	}
	t := e.j.Thread(e.in.Correlation())
	if len(t.Attempts) == 0 || t.Attempts[0].Supplied == "" || e.Correlation != t.Correlation || e.j.mayBeCut(t) {
		return false
	}
	other := e.j.Sent(e.Invocation)
	switch {
	case other != nil && other.ID == e.Invocation:
		return !other.HasUncommonID() && other.Supplied != t.Correlation
	case slices.ContainsFunc(t.Attempts, func(a *history.Attempt) bool { return a.Owns(e.Event) }):
		return true
	}
	return !e.j.caused(t, e.Event)
}

func (j *evidence) mayBeCut(t *history.Thread) bool {
	return slices.ContainsFunc(t.Attempts,
		func(a *history.Attempt) bool { e := j.Evidence(a); return e.LastReplay != nil && !e.Whole })
}

// caused reports whether an event may belong to an invocation that the capability made in turn: the
// invocation of the harness is complete without the event, and the events with the other id form an
// attempt by themselves.
func (j *evidence) caused(t *history.Thread, ev *history.Event) bool {
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

// forwardingKinds are words in the kind of a host that hands invocations on to other hosts.
var forwardingKinds = []string{"gateway", "router", "proxy", "mesh", "federat", "multi", "relay", "broker", "aggregat",
	"hub"}

// The members of a host descriptor, of a capability descriptor and of an event whose value is not
// the name of another host.
var (
	hostMembers       = []string{"id", "kind", "version", "protocol_version", "capabilities"}
	capabilityMembers = []string{"id", "version", "capability_uri", "modes", "emits"}
	ownIDs            = []string{"host_id", "event_type", "event_id", "invocation_id", "capability_id", "timestamp",
		"subject"}
)

// namesOtherKnownHost reports whether the descriptors of the host name the host of the event, whether the kind of the
// host is that of one that hands invocations on, or whether an event of the invocation mentions the other host in
// more members than the one that states who wrote the event.
func (e event) namesOtherKnownHost() bool {
	self := e.j.host().Result
	kind := strings.ToLower(textOf(self, "kind"))
	if slices.ContainsFunc(forwardingKinds, func(word string) bool { return strings.Contains(kind, word) }) ||
		mentionsApartFrom(self, hostMembers, e.Host) {
		return true
	}
	for _, d := range slices.Concat(e.j.Hosts(), e.j.Lists()) {
		if slices.ContainsFunc(d.Capabilities(), func(of history.Object) bool {
			return mentionsApartFrom(of, capabilityMembers, e.Host)
		}) {
			return true
		}
	}
	return e.Host != e.of.CorrelationID() && slices.ContainsFunc(e.j.Evidence(e.of).Events,
		func(ev *history.Event) bool { return mentionsApartFrom(ev.Members(), ownIDs, e.Host) })
}

// mentionsApartFrom reports whether a member of an object mentions a text, apart from some members.
func mentionsApartFrom(of history.Object, names []string, text string) bool {
	for name, v := range of {
		if !slices.Contains(names, name) && history.Mentions(v, text) {
			return true
		}
	}
	return false
}

// reservedFamily reports whether later texts reserve a type for the host.
func reservedFamily(kind string) bool {
	return slices.ContainsFunc([]string{
		"safety_", "approval_", "budget_", "routing_", "session_", "identity_", "metrics_", "incident_", "compliance_",
	}, func(family string) bool { return strings.HasPrefix(kind, family) })
}

// eventFunctions are:
//
//	is_shown(ATTEMPT, ID)       whether a replay of the attempt's correlation contains the event
//	same_name(ID, ID)           whether two ids of a capability differ only in spelling
func eventFunctions() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("is_shown", func(a attempt, id string) any {
			e := a.in.Evidence(a.Attempt)
			switch {
			case slices.ContainsFunc(a.in.Thread(a.CorrelationID()).Replays,
				func(r *history.Replay) bool { return r.Holds(id) }):
				return true
			case a.in.mayBeDiscarded(a.Attempt, e.LastReplay):
				return &rule.Gap{Reason: undecided("the host may have discarded evidence of the invocation")}
			}
			return false
		}),
		rule.FunctionOfTwo("same_name", func(one, other string) any { return history.SameName(one, other) }),
	}
}
