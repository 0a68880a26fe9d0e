package chpmutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// identities returns hosts in which a pair of id and version identifies more than one
// capability (CHP 3), or in which the behaviour of a capability contradicts its descriptor.
func identities() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("pair-twice", "CHP-3-15", "Lists one pair of id and version twice, with different descriptions.",
			func(h *chphost.Host) {
				original := h.Catalogue
				h.Catalogue = func(operation string) []*chphost.Capability {
					all := original(operation)
					for _, c := range all {
						if c.ID == victim {
							all = append(all, c.Edit(func(published object) { published["description"] = "Mixes two shades better." }))
						}
					}
					return all
				}
			}),
		newMutant("pair-comes-and-goes", "CHP-3-15", "Omits a capability from every second discovery, from the third on.",
			shows(chphost.OpCapabilities, func(c *chphost.Capability,
				n int64) bool {
				return c.ID != victim || n < 3 || n%2 == 0
			})),
		newMutant("input-unchecked", "CHP-3-17", "Accepts payloads that break the input schema.",
			withoutGate(chphost.InputSchemaFailed, anyInvocation)),
	}
}

// shows lists only the capabilities that keep returns for the n-th answer of an operation.
func shows(operation string, keeps func(c *chphost.Capability, n int64) bool) defect {
	return func(h *chphost.Host) {
		original, calls := h.Catalogue, new(atomic.Int64)
		h.Catalogue = func(asked string) []*chphost.Capability {
			if asked != operation {
				return original(asked)
			}
			n := calls.Add(1)
			var kept []*chphost.Capability
			for _, c := range original(asked) {
				if keeps(c, n) {
					kept = append(kept, c)
				}
			}
			return kept
		}
	}
}

// discoveries returns hosts whose descriptor and discovery differ, or whose id changes.
func discoveries() []mutant.Mutant {
	hides := func(operation string) defect {
		return shows(operation, func(c *chphost.Capability, _ int64) bool { return c.ID != victim })
	}
	return []mutant.Mutant{
		newMutant("host-hides-one", "CHP-4-08", "Omits a capability that discovery shows from the host descriptor.",
			hides(chphost.OpHost)),
		newMutant("discovery-hides-one", "CHP-4-08", "Omits a capability of the host descriptor from discovery.",
			hides(chphost.OpCapabilities)),
		newMutant("discovery-other-version", "CHP-4-08",
			"Shows another version of a capability in discovery than in the host descriptor.", func(h *chphost.Host) {
				original := h.Publish
				h.Publish = func(operation string, c *chphost.Capability) any {
					if operation != chphost.OpCapabilities || c.ID != victim {
						return original(operation, c)
					}
					return c.Edit(func(published object) {
						published["version"], published["capability_uri"] = "1.0.1", victim+":1.0.1"
					}).Rendered()
				}
			}),
		newMutant("discovery-empty", "CHP-4-08", "Shows no capability in discovery.", func(h *chphost.Host) {
			h.Listing = func([]any) any { return object{"capabilities": []any{}} }
		}),
		newMutant("discovery-bare-list", "CHP-4-08", "Returns a bare list from discovery.", func(h *chphost.Host) {
			h.Listing = func(capabilities []any) any { return capabilities }
		}),
		newMutant("no-discovery", "CHP-4-08", "Does not provide discovery.", func(h *chphost.Host) { h.Discover = nil }),
		newMutant("host-id-changes", "CHP-4-09",
			"Returns a new host id each time, from the third time on.", func(h *chphost.Host) {
				calls := new(atomic.Int64)
				editsHost(func(descriptor object) any {
					if n := calls.Add(1); n > 2 {
						descriptor["id"] = chphost.HostID + "-" + string(rune('a'+n%26))
					}
					return descriptor
				})(h)
			}),
	}
}
