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
