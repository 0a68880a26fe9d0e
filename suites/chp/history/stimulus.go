package history

import "strings"

// The stimuli of the suite, as they stand in the record. The names are the same in every
// run.
const (
	Ordinary      = "ordinary-invocation"        // payloads that ordinary capabilities take
	InRole        = "role-invocation"            // the capability of each role
	Unknown       = "unknown-capability"         // a capability that nobody has
	Unlisted      = "unlisted-mode"              // a mode that the capability does not list
	Invalid       = "unsound-payload"            // a payload that breaks the input schema
	NoCorrelation = "missing-correlation-id"     // the id is left to the host
	Unusual       = "unusual-correlation-id"     // valid ids that are easily mangled
	UsedAgain     = "used-correlation-id"        // an id under which something was done and replayed
	AtOnce        = "concurrent-callers"         // each with a different id
	Shared        = "shared-correlation-id"      // many invocations under one id
	Alike         = "similar-correlation-ids"    // ids that a host may take for one
	LongPayload   = "long-payload"               // a payload of 4 KiB
	Marked        = "marked-payload"             // texts that nobody else has
	EmptyID       = "empty-correlation-id"       // null and an empty string
	Often         = "repeated-replay"            // one invocation, replayed ten times
	UnusedID      = "unused-correlation-id"      // a replay of an id that nobody used
	Queries       = "replay-queries"             // limit, since_sequence and include_payloads
	Payloads      = "replays-with-payloads"      // include_payloads, of several types of events
	Later         = "later-replay"               // a replay again after other invocations
	LateEvidence  = "late-evidence"              // a replay again of what left no event in time
	ListedAgain   = "descriptors-again"          // chp.host and chp.capabilities once more
	NoEnvelope    = "no-envelope"                // what is no invocation envelope
	Restart       = "restart"                    // of the host
	Again         = "invocation-again"           // settles a doubt: the same invocation once more
	ReplayAgain   = "replay-again"               // settles a doubt: the same replay once more
	PayloadsAgain = "replay-with-payloads-again" // settles a doubt: the replay with payloads
	ValidForRole  = "sound-payload-for-role"     // settles a doubt: does the guarded capability serve at all?
	CodeAgain     = "denial-again"               // settles a doubt: has the denial the same code?
)

// The parameters of stimuli (Entry.About).
const (
	AboutRole   = "role"   // that the capability plays
	AboutForm   = "form"   // of a correlation, or of what is no envelope
	AboutEnding = "ending" // the stimulus whose outcome the invocation has, where it is not a success
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
	StepRest    = "rest" // a replay since the last event: nothing lies behind it

	StepUnlisted  = "unlisted" // of ListedAgain: a pair that is not listed any more
	StepDuplicate = "twin"     // of ListedAgain: a pair that says the same as one that is not listed any more
)

// The forms of a missing correlation id.
const (
	FormAbsent = "absent"
	FormEmpty  = "empty"
	FormHalf   = "trace-id-alone"
	FormFull   = "full"
	FormUsed   = "used" // an id under which something was done before
)

// EmptyCapability is the form of what is no envelope that a host may take for an unknown
// capability.
const EmptyCapability = "an empty capability_id"

// kinds name an invocation by its stimulus, for messages.
var kinds = map[string]string{
	Unknown: "an invocation of an unknown capability", Unlisted: "an invocation in an unsupported mode",
	Invalid:   "an invocation whose payload breaks the input schema",
	Unusual:   "an invocation with an unusual correlation id",
	UsedAgain: "an invocation under a correlation id that was used before", AtOnce: "an invocation beside others",
	Shared: "an invocation under a shared correlation", Alike: "an invocation under an id like another",
	LongPayload: "an invocation with a long payload",
	EmptyID:     "an invocation with an empty text or null as correlation id",
}

// forms name an invocation by the form of its correlation.
var forms = map[string]string{
	FormAbsent: "an invocation without correlation", FormEmpty: "an invocation with an empty correlation",
	FormHalf: "an invocation with a trace id alone", FormFull: "an invocation with a full correlation",
	FormUsed: "a later invocation of the same correlation",
}

// kindOf names an invocation for messages.
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
