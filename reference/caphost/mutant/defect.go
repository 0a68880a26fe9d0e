// Package capmutant lists capability sources of CAP with one defect each, and broken documents.
package capmutant

import (
	"context"
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

// skill returns the first capability of kind skill, nil if there is none.
func skill(h *caphost.Host) *caphost.Capability {
	for _, c := range h.Capabilities() {
		if c.Manifest()["kind"] == "skill" {
			return c
		}
	}
	return nil
}

// edits changes the manifest of the victim.
func edits(change func(manifest map[string]any)) defect {
	return func(h *caphost.Host) {
		c := victim(h)
		h.Replace(c.Ref, c.Edit(change))
	}
}

// sets sets a member of the victim's manifest.
func sets(member string, value any) defect {
	return edits(func(manifest map[string]any) { manifest[member] = value })
}

// drops removes a member from the victim's manifest.
func drops(member string) defect {
	return edits(func(manifest map[string]any) { delete(manifest, member) })
}

// duplicateOf registers a new capability made from the victim, with another id, the same contract and
// another handler. A defect of an outcome uses it if no role may be lost.
func duplicateOf(h *caphost.Host, run caphost.Handler) *caphost.Capability {
	c := victim(h)
	t := c.Edit(func(manifest map[string]any) {
		manifest["capability_id"] = c.ID + "_exactly"
		manifest["name"] = "Mix exactly"
	})
	t.Run, t.Sample = run, nil
	h.Add(t)
	return t
}

// failingDuplicate adds a capability that fails on every valid input.
func failingDuplicate(h *caphost.Host, failure *caphost.Failure) *caphost.Capability {
	return duplicateOf(h, func(context.Context, *caphost.Host, map[string]any) (any, error) { return nil, failure })
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

// changesVictimSuccess changes the victim's InvokeResult if it is ok.
func changesVictimSuccess(change func(result map[string]any) any) defect {
	return func(h *caphost.Host) {
		changesResult(h, only(victim(h)), func(outcome caphost.Outcome, result map[string]any) any {
			if outcome.Failure != nil {
				return result
			}
			return change(result)
		})
	}
}

// recodes changes the code of a failure and keeps the rest of the outcome.
func recodes(from, to string, which selector) defect {
	return func(h *caphost.Host) {
		changesOutcome(h, func(c *caphost.Capability, outcome caphost.Outcome) caphost.Outcome {
			if outcome.Failure != nil && outcome.Failure.Code == from && which(c) {
				outcome.Failure = &caphost.Failure{Code: to, Message: outcome.Failure.Message}
			}
			return outcome
		})
	}
}

// reportsAsSuccess replaces a failure with one code by a success.
func reportsAsSuccess(from string, output any) defect {
	return func(h *caphost.Host) {
		changesOutcome(h, func(_ *caphost.Capability, outcome caphost.Outcome) caphost.Outcome {
			if outcome.Failure != nil && outcome.Failure.Code == from {
				return caphost.Outcome{Output: output, Duration: outcome.Duration}
			}
			return outcome
		})
	}
}

// changesOutcome changes outcomes before they become results. The capability is nil for an unknown pair.
func changesOutcome(h *caphost.Host, change func(c *caphost.Capability, outcome caphost.Outcome) caphost.Outcome) {
	original := h.Result
	h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any { return original(c, change(c, outcome)) }
}

// refOf returns the reference of an invoke, the zero Ref if there is none.
func refOf(params map[string]any) caphost.Ref {
	members, _ := params["ref"].(map[string]any)
	ref, _ := caphost.ReadRef(members)
	return ref
}
