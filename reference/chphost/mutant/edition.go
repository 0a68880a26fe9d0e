package chpmutant

import (
	_ "embed"
	"slices"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

//go:embed edition-defects.yaml
var editionFile []byte

// OfStable returns the mutants of the requirements that the edition 0.1 has beyond the draft. They keep the draft.
func OfStable() []mutant.Mutant {
	return append(mutant.MustRows("chp", editionFile), newMutant("version-chosen", "CHP-3-23",
		"Takes the last of several versions if the caller names none.", choosesVersion))
}

// choosesVersion executes the last version of a capability if the caller names none.
func choosesVersion(h *chphost.Host) {
	original := h.Resolve
	h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
		found := original(inv)
		if found != nil || inv.Version != "" {
			return found
		}
		for _, c := range slices.Backward(h.Capabilities()) {
			if c.ID == inv.CapabilityID {
				return c
			}
		}
		return nil
	}
}
