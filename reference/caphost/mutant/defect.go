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

// isFixture tells the capabilities that scenarios lean on.
func isFixture(c *caphost.Capability) bool { return strings.HasPrefix(c.ID, "conformance.") }

// victim is the capability that a defect of one manifest or one result strikes:
// the last ordinary one that is there in one version and declares its output.
// Scenarios lean on the fixtures, or on what comes first.
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

// skill is the first capability of kind skill, nil if there is none.
func skill(h *caphost.Host) *caphost.Capability {
	for _, c := range h.Capabilities() {
		if c.Manifest()["kind"] == "skill" {
			return c
		}
	}
	return nil
}

// edits changes the victim's manifest.
func edits(change func(manifest map[string]any)) defect {
	return func(h *caphost.Host) {
		c := victim(h)
		h.Replace(c.Ref, c.Edit(change))
	}
}

// sets puts a member into the victim's manifest.
func sets(member string, value any) defect {
	return edits(func(manifest map[string]any) { manifest[member] = value })
}

// drops takes a member out of the victim's manifest.
func drops(member string) defect {
	return edits(func(manifest map[string]any) { delete(manifest, member) })
}

// twin is a new capability made from the victim: another id, the same contract,
// another handler. A defect of an outcome strikes it where no role may be lost.
func twin(h *caphost.Host, run caphost.Handler) *caphost.Capability {
	c := victim(h)
	t := c.Edit(func(manifest map[string]any) {
		manifest["capability_id"] = c.ID + "_exactly"
		manifest["name"] = "Mix exactly"
	})
	t.Run, t.Sample = run, nil
	h.Add(t)
	return t
}

// failingTwin adds a capability that fails on every sound input.
func failingTwin(h *caphost.Host, failure *caphost.Failure) *caphost.Capability {
	return twin(h, func(context.Context, *caphost.Host, map[string]any) (any, error) { return nil, failure })
}

// chosen tells the capabilities that a defect strikes. It gets nil for an unknown pair.
type chosen func(c *caphost.Capability) bool

func only(target *caphost.Capability) chosen {
	return func(c *caphost.Capability) bool { return c != nil && c.Ref == target.Ref }
}

func everything(*caphost.Capability) bool { return true }

// turnsResult changes the InvokeResult of the chosen capabilities.
func turnsResult(h *caphost.Host, which chosen, turn func(outcome caphost.Outcome, result map[string]any) any) {
	sound := h.Result
	h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any {
		result := sound(c, outcome)
		members, isObject := result.(map[string]any)
		if !isObject || !which(c) {
			return result
		}
		return turn(outcome, members)
	}
}

// victimOK changes the victim's InvokeResult where it is ok.
func victimOK(turn func(result map[string]any) any) defect {
	return func(h *caphost.Host) {
		turnsResult(h, only(victim(h)), func(outcome caphost.Outcome, result map[string]any) any {
			if outcome.Failure != nil {
				return result
			}
			return turn(result)
		})
	}
}

// recodes gives a failure of one code another one, with the rest of the outcome sound.
func recodes(from, to string, which chosen) defect {
	return func(h *caphost.Host) {
		turnsOutcome(h, func(c *caphost.Capability, outcome caphost.Outcome) caphost.Outcome {
			if outcome.Failure != nil && outcome.Failure.Code == from && which(c) {
				outcome.Failure = &caphost.Failure{Code: to, Message: outcome.Failure.Message}
			}
			return outcome
		})
	}
}

// forgives gives a failure of one code as a success.
func forgives(from string, output any) defect {
	return func(h *caphost.Host) {
		turnsOutcome(h, func(_ *caphost.Capability, outcome caphost.Outcome) caphost.Outcome {
			if outcome.Failure != nil && outcome.Failure.Code == from {
				return caphost.Outcome{Output: output, Took: outcome.Took}
			}
			return outcome
		})
	}
}

// turnsOutcome changes outcomes before they become results. The capability is nil for an unknown pair.
func turnsOutcome(h *caphost.Host, turn func(c *caphost.Capability, outcome caphost.Outcome) caphost.Outcome) {
	sound := h.Result
	h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any { return sound(c, turn(c, outcome)) }
}

// refOf reads the reference of an invoke, the zero Ref if there is none.
func refOf(params map[string]any) caphost.Ref {
	members, _ := params["ref"].(map[string]any)
	ref, _ := caphost.ReadRef(members)
	return ref
}
