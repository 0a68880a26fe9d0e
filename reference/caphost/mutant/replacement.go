package capmutant

import (
	"context"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// replacements returns hosts that continue to use the earlier contract or code of a pair after
// it was replaced (CAP-DIS-06).
func replacements() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("stale-schema", "CAP-DIS-06",
			"Validates against the first schema of an id even after the pair was replaced.", staleSchema),
		newMutant("stale-invoke", "CAP-DIS-06", "Continues to invoke a pair that was replaced.",
			// describing it would be lawful: a manifest may be cached
			func(h *caphost.Host) { h.Remember(caphost.OpInvoke) }),
		newMutant("unvalidated-after-exchange", "CAP-DIS-06",
			"Does not validate the input of a pair that replaced another.",
			unvalidatedNewcomers),
	}
	for i := range broken {
		broken[i] = broken[i].WithRole("replace")
	}
	return broken
}

// staleSchema validates against the contract that was first registered under an id.
func staleSchema(h *caphost.Host) {
	first := map[string]*caphost.Capability{}
	for _, c := range h.Capabilities() {
		if c.ID == caphost.Replaceable {
			first[c.ID] = c
		}
	}
	original := h.Validate
	h.Validate = func(c *caphost.Capability, input any) error {
		if old := first[c.ID]; old != nil {
			return original(old, input)
		}
		return original(c, input)
	}
}

func unvalidatedNewcomers(h *caphost.Host) {
	original, perform := map[caphost.Ref]bool{}, h.Perform
	for _, c := range h.Capabilities() {
		original[c.Ref] = true
	}
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		if !original[c.Ref] && c.Sample != nil {
			input = c.Sample
		}
		return perform(ctx, c, input)
	}
}
