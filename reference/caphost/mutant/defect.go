// Package capmutant lists capability sources of CAP with one defect each, and broken documents.
package capmutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

type object = map[string]any

// defect breaks a capability source.
type defect func(h *caphost.Host)

// newMutant makes a CAP mutant.
func newMutant(name, requirement, summary string, breaks defect) mutant.Mutant {
	return mutant.Mutant{Name: "cap-" + name, Suite: "cap", Requirement: requirement, Summary: summary,
		Apply: reference.OfCAP(breaks)}
}

// isFixture reports whether scenarios depend on a capability.
func isFixture(c *caphost.Capability) bool { return strings.HasPrefix(c.ID, "conformance.") }

// victim returns the capability for a defect of one manifest or one result: the last ordinary one that
// exists in only one version and declares its output. Scenarios depend on the fixtures and on the
// first capabilities of the list.
func victim(h *caphost.Host) *caphost.Capability {
	all := h.Capabilities()
	for _, c := range slices.Backward(all) {
		versions := 0
		for _, other := range all {
			if other.ID == c.ID {
				versions++
			}
		}
		if !isFixture(c) && c.Output != nil && c.Sample != nil && versions == 1 {
			return c
		}
	}
	return all[len(all)-1]
}

// selector reports whether a defect applies to a capability. It gets nil for an unknown pair.
type selector func(c *caphost.Capability) bool

func only(target *caphost.Capability) selector {
	return func(c *caphost.Capability) bool { return c != nil && c.Ref == target.Ref }
}

func everything(*caphost.Capability) bool { return true }

// changesResult changes the InvokeResult of the chosen capabilities.
func changesResult(h *caphost.Host, which selector, change func(outcome caphost.Outcome, result map[string]any) any) {
	original := h.Result
	h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any {
		result := original(c, outcome)
		members, isObject := result.(map[string]any)
		if !isObject || !which(c) {
			return result
		}
		return change(outcome, members)
	}
}
