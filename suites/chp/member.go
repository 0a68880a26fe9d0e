package chpsuite

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/capconform/capconform/suites"
)

// member is what the text asks of one member of an object. Null is the same as
// absent, and members that the text doesn't know are free.
type member struct {
	want string
	fits func(any) bool
}

// The kinds of value that the resolutions of the catalogue name.
var (
	aText    = member{"a string that is not empty", func(v any) bool { s, ok := v.(string); return ok && s != "" }}
	anyText  = member{"a string", func(v any) bool { _, ok := v.(string); return ok }}
	aBoolean = member{"a boolean", func(v any) bool { _, ok := v.(bool); return ok }}
	anObject = member{"an object", func(v any) bool { _, ok := v.(object); return ok }}
	aNumber  = member{"a whole number, 0 or more", func(v any) bool { n, ok := wholeNumber(v); return ok && n.Sign() >= 0 }}
	aTime    = member{"a time: a string that is not empty, or a number", func(v any) bool { _, number := v.(json.Number); return number || aText.fits(v) }}
	anyTexts = member{"a list of strings", listOfTexts}
	objects  = member{"a list of objects", listOfObjects}
	aContext = member{"an object with a correlation_id that is a string and not empty", func(v any) bool {
		c, _ := v.(object)
		return aText.fits(c["correlation_id"])
	}}
	aVersion = member{"0.1, or a newer version with 0.1 in supported_versions", func(v any) bool { return v != nil }} // see protocolVersion
	aRisk    = member{"low, medium, high or critical", func(v any) bool {
		s, ok := v.(string)
		return ok && slices.Contains([]string{"low", "medium", "high", "critical"}, s)
	}}
)

// descriptorMembers are those of CapabilityDescriptor (CHP 3): required ones, and
// those that have a type where they are given.
var descriptorMembers = map[string]member{
	"id": aText, "version": aText, "description": anyText, "modes": anyTexts, "emits": anyTexts,
	"invariants": objects, "risk": aRisk, "assurance": anObject, "owner": anyText, "tags": anyTexts, "metadata": anObject,
}

// hostMembers are those of HostDescriptor (CHP 4).
var hostMembers = map[string]member{
	"id": aText, "version": aText, "protocol_version": aVersion, "kind": aText, "capabilities": objects, "evidence": anObject,
}

// eventMembers are those of ExecutionEvidence (CHP 6).
var eventMembers = map[string]member{
	"event_id": aText, "event_type": aText, "invocation_id": aText, "capability_id": aText, "host_id": aText, "correlation": aContext,
	"timestamp": aTime, "sequence": aNumber, "payload": anObject, "redacted": aBoolean, "assurance": anObject,
}

// replayMembers are those of ReplayResult (CHP 10).
var replayMembers = map[string]member{"correlation_id": aText, "events": objects, "event_count": aNumber, "replayed_at": aTime}

// denialMembers are those of a denial record (CHP 9).
var denialMembers = map[string]member{"code": aText, "message": aText, "invariant_id": aText, "retryable": aBoolean, "details": anObject}

// flaw is a member that is not what the text asks for.
func (m member) flaw(of object, name string) (what, got string, wrong bool) {
	value := of[name]
	switch {
	case value == nil:
		return name + " is missing", "no such member", true
	case !m.fits(value):
		return name + " is not " + m.want, suites.Print(value), true
	}
	return "", "", false
}

func listOfTexts(v any) bool {
	list, ok := v.([]any)
	return ok && len(texts(v)) == len(list)
}

func listOfObjects(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { _, is := item.(object); return !is })
}

// plainly writes a whole number as an integer: a host that says 7.0 need not take it.
func plainly(n json.Number) json.Number {
	if whole, ok := wholeNumber(n); ok {
		return json.Number(whole.String())
	}
	return n
}

// wholeNumber takes 7 and 7.0, as JSON Schema's integer does.
func wholeNumber(v any) (*big.Int, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return nil, false
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() {
		return nil, false
	}
	return r.Num(), true
}
