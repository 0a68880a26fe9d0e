package history

import "strings"

// The names of the stimuli in the record. They are the same in every run.
const (
	Ordinary      = "ordinary-invocation"        // payloads that ordinary capabilities accept
	InRole        = "role-invocation"            // the capability of each role
	Unknown       = "unknown-capability"         // a capability that does not exist
	Unlisted      = "unlisted-mode"              // a mode that the capability does not list
	Unversioned   = "unversioned-invocation"     // of a capability that is listed in several versions
	Invalid       = "unsound-payload"            // a payload that breaks the input schema
	NoCorrelation = "missing-correlation-id"     // the host must make the id
	Unusual       = "unusual-correlation-id"     // valid ids that hosts often corrupt
	UsedAgain     = "used-correlation-id"        // an id with an invocation that was replayed
	AtOnce        = "concurrent-callers"         // each with a different id
	Shared        = "shared-correlation-id"      // many invocations under one id
	Alike         = "similar-correlation-ids"    // ids that a host may confuse
	LongPayload   = "long-payload"               // a payload of 4 KiB
	Marked        = "marked-payload"             // texts that occur nowhere else
	EmptyID       = "empty-correlation-id"       // null and an empty string
	Often         = "repeated-replay"            // one invocation, replayed ten times
	UnusedID      = "unused-correlation-id"      // a replay of an id that was never used
	Queries       = "replay-queries"             // limit, since_sequence and include_payloads
	Payloads      = "replays-with-payloads"      // include_payloads, of several types of events
	Later         = "later-replay"               // the same replay after other invocations
	LateEvidence  = "late-evidence"              // a replay of attempts whose events were late
	ListedAgain   = "descriptors-again"          // chp.host and chp.capabilities once more
	NoEnvelope    = "no-envelope"                // messages that are not invocation envelopes
	Restart       = "restart"                    // of the host
	Again         = "invocation-again"           // settles a doubt: the same invocation once more
	ReplayAgain   = "replay-again"               // settles a doubt: the same replay once more
	PayloadsAgain = "replay-with-payloads-again" // settles a doubt: the replay with payloads
	ValidForRole  = "sound-payload-for-role"     // settles a doubt: whether the guarded capability works
	CodeAgain     = "denial-again"               // settles a doubt: whether the guarded capability works
)

// The parameters of stimuli (Entry.About).
const (
	AboutRole   = "role"   // that the capability plays
	AboutForm   = "form"   // of a correlation, or of a message that is not an envelope
	AboutEnding = "ending" // the stimulus whose outcome the invocation has, if it is not a success
	AboutBreaks = "breaks" // what a payload breaks on purpose: "schema"
	AboutAfter  = "after"  // what the harness did before the call: see AfterWait
	AboutStep   = "step"   // the part of a stimulus that has several
)

// AfterWait marks a replay before which the harness waited for late evidence.
const AfterWait = "wait"

// The steps of Queries, Later and Shared.
const (
	StepBefore  = "before"
	StepBetween = "between"
	StepAfter   = "after"
	StepRest    = "rest" // a replay of the events after the last one: there is none

	StepUnlisted  = "unlisted" // of ListedAgain: a pair that is no longer listed
	StepDuplicate = "twin"     // of ListedAgain: a pair whose descriptor equals that of a pair that is no longer listed
)

// The forms of a missing correlation id.
const (
	FormAbsent = "absent"
	FormEmpty  = "empty"
	FormHalf   = "trace-id-alone"
	FormFull   = "full"
	FormUsed   = "used" // an id that an earlier invocation used
)

// EmptyCapability is a malformed envelope that a host may process as a call of an unknown
// capability.
const EmptyCapability = "an empty capability_id"

// kinds are the names of invocations in messages, by stimulus.
var kinds = map[string]string{
	Unknown: "an invocation of an unknown capability", Unlisted: "an invocation in an unsupported mode",
	Invalid:     "an invocation whose payload breaks the input schema",
	Unversioned: "an invocation that names none of several versions",
	Unusual:     "an invocation with an unusual correlation id",
	UsedAgain:   "an invocation under a correlation id that was used before", AtOnce: "an invocation beside others",
	Shared: "an invocation under a shared correlation", Alike: "an invocation under an id like another",
	LongPayload: "an invocation with a long payload",
	EmptyID:     "an invocation with an empty text or null as correlation id",
}

// forms are the names of invocations in messages, by the form of their correlation.
var forms = map[string]string{
	FormAbsent: "an invocation without correlation", FormEmpty: "an invocation with an empty correlation",
	FormHalf: "an invocation with a trace id alone", FormFull: "an invocation with a full correlation",
	FormUsed: "a later invocation of the same correlation",
}

// kindOf returns the name of an invocation in messages.
func kindOf(stimulus string, about map[string]string) string {
	kind, known := kinds[stimulus]
	if !known {
		kind = "an invocation"
	}
	if about[AboutBreaks] != "" {
		kind = kinds[Invalid]
	}
	if form, known := forms[about[AboutForm]]; known {
		kind = form
	}
	base := ""
	switch {
	case about[AboutEnding] != "":
		base = kindOf(about[AboutEnding], map[string]string{AboutRole: about[AboutRole]})
	case about[AboutRole] != "":
		base = "an invocation of the role " + about[AboutRole]
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(kind, "an invocation"), " ")
	switch {
	case base == "":
		return kind
	case rest == "":
		return base
	}
	return base + ", " + rest
}
