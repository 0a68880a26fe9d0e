package chpmutant

import (
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// contradictoryDescriptors let the host descriptor and discovery describe a capability differently.
func contradictoryDescriptors() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("host-other-modes", "CHP-4-08",
			"Lists a mode of a capability in the host descriptor that discovery does not list.",
			describesAsHost(mutant.With("modes", []any{"sync", "async"}))),
		newMutant("host-other-risk", "CHP-4-08", "Shows another risk of a capability in the host descriptor than in discovery.",
			describesAsHost(mutant.With("risk", "critical"))),
		newMutant("host-other-emits", "CHP-4-08",
			"Lists another type of event in the host descriptor than in discovery.",
			describesAsHost(mutant.With("emits", []any{"execution_started", "shade_mixed"}))),
		newMutant("host-other-schema", "CHP-4-08",
			"Requires another type of a member of the payload in the host descriptor than in discovery.",
			describesAsHost(mutant.With("input_schema", object{"type": "object", "properties": object{
				"first": object{"type": "string"}}}))),
	}
}

// describesAsHost changes the descriptor of the victim in the host descriptor alone.
func describesAsHost(change func(object) any) defect {
	return func(h *chphost.Host) {
		original := h.Publish
		h.Publish = func(operation string, c *chphost.Capability) any {
			if operation != chphost.OpHost || c.ID != victim {
				return original(operation, c)
			}
			return c.Edit(func(published object) { change(published) }).Rendered()
		}
	}
}
