package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/reading"
	"github.com/capconform/capconform/suites/record"
)

// The outcomes of an InvocationResult (CHP 8). The last is of a newer text and accepted.
const (
	Success       = "success"
	Failure       = "failure"
	Denied        = "denied"
	Skipped       = "skipped"
	Indeterminate = "indeterminate"
)

var outcomes = []string{Success, Failure, Denied, Skipped, Indeterminate}

// Sender begins the ids that the harness makes.
const Sender = "capconform-"

// Attempt is one invocation and its answer.
type Attempt struct {
	Call
	Kind        string // for messages
	ID          string // invocation_id
	Capability  string
	Version     string
	Mode        string
	Payload     any
	Correlation any    // as sent; nil: it was left out
	Supplied    string // the caller's correlation id, "" if none was supplied
	Result      Object // nil if no object came
	Resent      bool   // the same envelope was sent more than once
	Before      []*Attempt
	superseded  bool // the same envelope was sent again: a later attempt stands for it
}

// readAttempt reads an invocation, nil if what was sent is no envelope.
func readAttempt(c Call, sent Object) *Attempt {
	a := &Attempt{Call: c, Kind: kindOf(c.Stimulus, c.About)}
	a.ID, a.Capability, a.Version, a.Mode = textOf(sent, "invocation_id"), textOf(sent, "capability_id"), textOf(sent,
		"version"), textOf(sent, "mode")
	a.Payload, a.Correlation = sent["payload"], sent["correlation"]
	a.Supplied = textOf(objectOf(a.Correlation), "correlation_id")
	return a
}

// Role is the role that the capability plays, "" for none.
func (a *Attempt) Role() string { return a.About[AboutRole] }

// Form is the form of the correlation, "" for a usual one.
func (a *Attempt) Form() string { return a.About[AboutForm] }

// Uncommon reports whether the correlation id is unusual, is left to the host, or is used by
// other invocations too.
func (a *Attempt) Uncommon() bool {
	return a.Form() != "" || slices.Contains([]string{NoCorrelation, Unusual, UsedAgain, AtOnce, Shared, Alike, EmptyID},
		a.Stimulus)
}

// Outcome is the outcome of the result, "" if there is none.
func (a *Attempt) Outcome() string { return textOf(a.Result, "outcome") }

// Denial is the denial record of the result, nil if there is none.
func (a *Attempt) Denial() Object { return objectOf(a.Result["denial"]) }

// Code is the code of a denial, "" if there is none.
func (a *Attempt) Code() string { return textOf(a.Denial(), "code") }

// ResultCorrelation is the correlation id of the result, "" if there is none.
func (a *Attempt) ResultCorrelation() string {
	return textOf(objectOf(a.Result["correlation"]), "correlation_id")
}

// Under is the correlation id of an attempt: the caller's, or the one that the host made.
func (a *Attempt) Under() string {
	if a.Supplied != "" {
		return a.Supplied
	}
	return a.ResultCorrelation()
}

// Processed is true for an answer that is an InvocationResult as far as its outcome can be
// told.
func (a *Attempt) Processed() bool { return a.Outcome() != "" }

// IsResult reports whether the answer is an InvocationResult as far as it can be told: one that
// has hardly anything of it is a matter of CHP-5-01.
func (a *Attempt) IsResult() bool {
	if a.Result["outcome"] == nil && a.Result["success"] == nil {
		return false // an envelope that comes back has the other two
	}
	has := 0
	for _, name := range []string{"invocation_id", "outcome", "success", "correlation"} {
		if a.Result[name] != nil {
			has++
		}
	}
	return has > 1
}

// Tied reports whether a result is of the invocation that it answers: it bears an id that was
// sent.
func (a *Attempt) Tied() bool {
	return a.Result["invocation_id"] == a.ID || a.Supplied != "" && a.ResultCorrelation() == a.Supplied
}

// OwnName is the id that the host gives to the invocation in its result, if it is not the
// envelope's and not that of another envelope of ours. "" if there is none.
func (a *Attempt) OwnName() string {
	if id := textOf(a.Result, "invocation_id"); !strings.HasPrefix(id, Sender) {
		return id
	}
	return ""
}

// Owns reports whether an event is of this invocation, under its id or under the host's own.
func (a *Attempt) Owns(ev *Event) bool {
	return ev.Invocation == a.ID || ev.Invocation != "" && ev.Invocation == a.OwnName()
}

// EvidenceIDs are the ids of events that the result names.
func (a *Attempt) EvidenceIDs() []string { return Texts(a.Result["evidence_ids"]) }

// SettledIn is true for a replay that holds all events which the outcome demands and the
// result names: they may be shown in any order.
func (a *Attempt) SettledIn(events []*Event) bool {
	return a.complete(events) && a.unshown(events) == ""
}

// complete is true where the events are there that the outcome demands.
func (a *Attempt) complete(events []*Event) bool {
	end, known := Terminal[a.Outcome()]
	has := func(kind string) bool {
		return slices.ContainsFunc(events, func(ev *Event) bool { return ev.Kind == kind && a.Owns(ev) })
	}
	executed := end == Completed || end == Failed
	return !known || has(end) && (!executed || has(Started))
}

// unshown returns an id among those that the result names which the events lack, "" if there is
// none.
func (a *Attempt) unshown(events []*Event) string {
	for _, id := range a.EvidenceIDs() {
		if !slices.ContainsFunc(events, func(ev *Event) bool { return ev.ID == id }) {
			return id
		}
	}
	return ""
}

// RuledOut reports whether a host may have ended an attempt by a private rule: a policy, a
// missing entitlement, a budget, a state. Nobody sees then what the capability would have
// done.
func (a *Attempt) RuledOut() bool { return a.Outcome() == Denied || a.Outcome() == Skipped }

// Marks are the texts of a payload that nobody else has.
func (a *Attempt) Marks() []string { return marksIn(a.Payload) }

// Mark begins a text that nobody else has.
const Mark = Sender + "mark-"

func marksIn(v any) []string {
	var all []string
	switch v := v.(type) {
	case string:
		if strings.HasPrefix(v, Mark) {
			all = append(all, v)
		}
	case []any:
		for _, item := range v {
			all = append(all, marksIn(item)...)
		}
	case Object:
		for name, item := range v {
			all = append(append(all, marksIn(name)...), marksIn(item)...)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Texts returns the strings of a list.
func Texts(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// MalformedEnvelope is something that was sent in place of an envelope and is none, with its
// answer.
type MalformedEnvelope struct {
	Call
	Result Object
}

// Outcome is the outcome of the result, "" if there is none.
func (o *MalformedEnvelope) Outcome() string { return textOf(o.Result, "outcome") }

// Description is an answer to chp.host or chp.capabilities.
type Description struct {
	Call
	Result Object      // nil if no object came
	Same   record.Tick // Entry of the first description with the same text
}

// Capabilities are the descriptors that the answer lists.
func (d *Description) Capabilities() []Object {
	list, _ := d.Result["capabilities"].([]any)
	var all []Object
	for _, item := range list {
		if members, ok := item.(Object); ok {
			all = append(all, members)
		}
	}
	return all
}

// Call is what every call of the history has.
type Call struct {
	reading.Observed
	Status int
}

// Answered is true if an answer came, of whatever kind.
func (c *Call) Answered() bool { return c.Lost == nil }

// Confirms reports whether the call was made to settle a doubt about another one.
func (c *Call) Confirms(entry record.Tick) bool { return c.Is(record.Confirms, entry) }

func readObject(text []byte) Object { return schemas.ReadObject(text) }
