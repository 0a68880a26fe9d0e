package capmutant

import (
	"slices"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// listChanges returns hosts that are correct at first and break a requirement in later lists.
func listChanges() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		turn                       func(manifest map[string]any)
	}{
		{"kind-lost", "CAP-CAP-04", "Returns null as the kind of a capability in later lists.", setsMember("kind", nil)},
		{"name-lost", "CAP-MAN-01", "Omits a name in later lists.", func(m map[string]any) { delete(m, "name") }},
		{"input-schema-lost", "CAP-MAN-02", "Omits an input schema in later lists.",
			func(m map[string]any) { delete(m, "input_schema") }},
	} {
		broken = append(broken, newMutant("late-"+m.name, m.requirement, m.summary, func(h *caphost.Host) {
			laterLists(h, func(target caphost.Ref, listed []any) []any {
				for i, element := range listed {
					manifest := decoded(element)
					if manifest["capability_id"] == target.ID && manifest["version"] == target.Version {
						m.turn(manifest)
						listed[i] = manifest
					}
				}
				return listed
			})
		}))
	}
	return append(broken,
		newMutant("late-pair-twice", "CAP-CAP-02", "Lists one pair twice in later lists.", func(h *caphost.Host) {
			laterLists(h, func(_ caphost.Ref, listed []any) []any { return append(listed, listed[len(listed)-1]) })
		}),
		newMutant("late-references", "CAP-DIS-01", "Lists a reference in place of a manifest in later lists.",
			func(h *caphost.Host) {
				laterLists(h, func(target caphost.Ref, listed []any) []any { return append(listed, target.JSON()) })
			}),
		newMutant("late-hides-one", "CAP-DIS-01", "Omits from later lists one capability that it describes and invokes.",
			func(h *caphost.Host) { laterLists(h, without) }),
		newMutant("late-undescribed", "CAP-DIS-02", "Lists in later lists a version that it does not describe.",
			func(h *caphost.Host) {
				laterLists(h, func(_ caphost.Ref, listed []any) []any {
					manifest := decoded(listed[len(listed)-1])
					manifest["version"] = "1.0.99"
					return append(listed, manifest)
				})
			}),
	)
}

// without removes the capability with the given id from a list.
func without(target caphost.Ref, listed []any) []any {
	return slices.DeleteFunc(slices.Clone(listed), func(element any) bool {
		return decoded(element)["capability_id"] == target.ID
	})
}

// laterLists changes every list except the first ones, which discovery and the first stimuli
// read.
func laterLists(h *caphost.Host, change func(target caphost.Ref, listed []any) []any) {
	listsAfter(3, h, change)
}

func listsAfter(first int64, h *caphost.Host, change func(target caphost.Ref, listed []any) []any) {
	target, original, lists := victim(h).Ref, h.Listing, new(atomic.Int64)
	h.Listing = func(manifests []any) any {
		if lists.Add(1) > first {
			manifests = change(target, manifests)
		}
		return original(manifests)
	}
}
