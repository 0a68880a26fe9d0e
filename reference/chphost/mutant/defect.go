// Package chpmutant lists capability hosts of CHP with one defect each, and broken documents.
package chpmutant

import (
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

type object = map[string]any

// The capabilities that the defects affect, each of which has a role.
const (
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

func ofUnknown(inv *chphost.Invocation) bool { return inv.Capability == nil }

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
