// Package chpmutant lists capability hosts of CHP with one defect each, and broken documents.
package chpmutant

import (
	"maps"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

type object = map[string]any

// The capabilities that the defects affect. The victim is an
// ordinary one, on which no scenario depends; the others have a role.
const (
	victim   = "colour.compute_mix"
	echo     = "conformance.echo"
	fails    = "conformance.fail"
	guarded  = "conformance.guarded"
	disabled = "conformance.disabled"
	observe  = "conformance.observe"

	restricted = "conformance.restricted"
)

// defect breaks a capability host.
type defect func(h *chphost.Host)

// newMutant returns a CHP mutant.
func newMutant(name, requirement, summary string, breaks defect) mutant.Mutant {
	return mutant.Mutant{
		Name: "chp-" + name, Suite: "chp", Requirement: requirement, Summary: summary,
		Apply: reference.OfCHP(breaks),
	}
}

// affects reports whether a defect affects an invocation.
type affects func(inv *chphost.Invocation) bool

func asked(id string) affects {
	return func(inv *chphost.Invocation) bool { return inv.CapabilityID == id }
}

func ofVictim(inv *chphost.Invocation) bool { return inv.CapabilityID == victim && served(inv) }

func ofUnknown(inv *chphost.Invocation) bool { return inv.Capability == nil }

func inForeignMode(inv *chphost.Invocation) bool {
	return inv.Capability != nil && !inv.Capability.Disabled && !inv.Capability.Supports(inv.Mode)
}

func anyInvocation(*chphost.Invocation) bool { return true }

// served reports whether the capability exists and supports the mode.
func served(inv *chphost.Invocation) bool {
	return inv.Capability != nil && inv.Capability.Supports(inv.Mode)
}

// inResult changes the InvocationResult of affected invocations.
func inResult(which affects, change func(result object) any) defect {
	return func(h *chphost.Host) {
		original := h.Result
		h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
			result := original(inv, outcome)
			members, isObject := result.(object)
			if !isObject || !which(inv) {
				return result
			}
			return change(members)
		}
	}
}

// inEvents changes what affected invocations record in place of events of
// one type. Events that a capability itself emits do not change.
func inEvents(which affects, kind string, change func(event object) []object) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if kind != "" && event["event_type"] != kind || !which(inv) {
				return original(inv, event)
			}
			return change(event)
		}
	}
}

// asEventChange turns a change of an object into a change of an event.
func asEventChange(change func(object) any) func(event object) []object {
	return func(event object) []object {
		changed, isObject := change(maps.Clone(event)).(object)
		if !isObject {
			return nil
		}
		return []object{changed}
	}
}

// further records one more event of the same kind before the valid one: a fault
// in it shows although no event that the outcome requires is missing.
func further(change func(object) any) defect {
	return func(h *chphost.Host) {
		inEvents(ofVictim, chphost.EventStarted, func(event object) []object {
			extra := maps.Clone(event)
			extra["event_id"] = h.NewID(chphost.EventID)
			return append(asEventChange(change)(extra), event)
		})(h)
	}
}

// inReplay changes the ReplayResult of correlations under which the victim was invoked first.
func inReplay(change func(query chphost.Query, result object) any) defect {
	return func(h *chphost.Host) {
		original := h.ReplayResult
		h.ReplayResult = func(query chphost.Query, events []any, total int) any {
			result := original(query, events, total)
			members, isObject := result.(object)
			if !isObject || !concernsVictim(h, query) {
				return result
			}
			return change(query, members)
		}
	}
}

func concernsVictim(h *chphost.Host, query chphost.Query) bool {
	records := h.Store.Events(query.CorrelationID)
	return len(records) > 0 && records[0].Unpack()["capability_id"] == victim
}

// editsDescriptor changes the victim's descriptor.
func editsDescriptor(of string, change func(object) any) defect {
	return func(h *chphost.Host) {
		for _, c := range h.Capabilities() {
			if c.ID == of {
				h.Replace(c, c.Edit(func(published object) { change(published) }))
			}
		}
	}
}

// editsHost changes the HostDescriptor.
func editsHost(change func(object) any) defect {
	return func(h *chphost.Host) {
		original := h.Descriptor
		h.Descriptor = func(capabilities []any) any {
			descriptor := original(capabilities)
			members, isObject := descriptor.(object)
			if !isObject {
				return descriptor
			}
			return change(members)
		}
	}
}

// withoutGate disables a gate for affected invocations.
func withoutGate(gate string, which affects) defect {
	return func(h *chphost.Host) {
		for i, original := range h.Gates {
			if original.Name != gate {
				continue
			}
			h.Gates[i].Check = func(inv *chphost.Invocation) *chphost.Outcome {
				if which(inv) {
					return nil
				}
				return original.Check(inv)
			}
		}
	}
}

// endsAtBoundary ends affected invocations at the boundary with another outcome,
// before any other check.
func endsAtBoundary(which affects, outcome func() chphost.Outcome) defect {
	return func(h *chphost.Host) {
		h.Gates = append([]chphost.Gate{{Name: "defect", Check: func(inv *chphost.Invocation) *chphost.Outcome {
			if !which(inv) {
				return nil
			}
			stopped := outcome()
			return &stopped
		}}}, h.Gates...)
	}
}

// runsInstead executes affected invocations with another handler and checks no gate.
func runsInstead(which affects, run chphost.Handler) defect {
	return func(h *chphost.Host) {
		resolve := h.Resolve
		h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
			inv.Capability = resolve(inv)
			if !which(inv) {
				return inv.Capability
			}
			return &chphost.Capability{ID: inv.CapabilityID, Version: "1.0.0", Modes: []string{inv.Mode}, Run: run}
		}
	}
}

// memberFault is one fault of a member.
type memberFault struct {
	name, says string
	edit       func(object) any
}

// faultsOf returns the faults of a member of a shape.
func faultsOf(member, shape string) []memberFault {
	faults := []memberFault{{"missing", "Omits " + member + " from ", mutant.Without(member)}}
	for _, wrong := range map[string][]struct {
		name, says string
		value      any
	}{
		"text":   {{"number", "the number 7", 7}, {"empty", "an empty string", ""}},
		"note":   {{"number", "the number 7", 7}},
		"flag":   {{"text", "the string true", "true"}, {"number", "the number 1", 1}},
		"object": {{"text", "a string", "S1"}, {"list", "a list", []any{}}},
		"texts":  {{"text", "a string", "sync"}, {"numbers", "a list of numbers", []any{1, 2}}},
		"count":  {{"text", "a string", "2"}, {"negative", "a negative number", -1}},
		"time":   {{"flag", "true", true}, {"empty", "an empty string", ""}},
		"events": {{"text", "a string", "[]"}, {"object", "an object", object{}}},
	}[shape] {
		faults = append(faults, memberFault{wrong.name, "Uses " + wrong.says + " as " + member + " of ",
			mutant.With(member, wrong.value)})
	}
	return faults
}
