package capmutant

import (
	"slices"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// listChanges are sound at first and break something in the lists that come later.
func listChanges() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		turn                       func(manifest map[string]any)
	}{
		{"kind-lost", "CAP-CAP-04", "Gives null as kind of a capability in later lists.", setsMember("kind", nil)},
		{"name-lost", "CAP-MAN-01", "Leaves a name out in later lists.", func(m map[string]any) { delete(m, "name") }},
		{"input-schema-lost", "CAP-MAN-02", "Leaves an input schema out in later lists.",
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
		newMutant("late-references", "CAP-DIS-01", "Lists a reference in the place of a manifest in later lists.",
			func(h *caphost.Host) {
				laterLists(h, func(target caphost.Ref, listed []any) []any { return append(listed, target.JSON()) })
			}),
		newMutant("late-hides-one", "CAP-DIS-01", "Leaves one capability that it describes and invokes out of later lists.",
			func(h *caphost.Host) { laterLists(h, without) }),
		newMutant("late-undescribed", "CAP-DIS-02", "Lists a version in later lists that it does not describe.",
			func(h *caphost.Host) {
				laterLists(h, func(_ caphost.Ref, listed []any) []any {
					manifest := decoded(listed[len(listed)-1])
					manifest["version"] = "1.0.99"
					return append(listed, manifest)
				})
			}),
	)
}

// without leaves the capability with the given id out of a list.
func without(target caphost.Ref, listed []any) []any {
	return slices.DeleteFunc(slices.Clone(listed), func(element any) bool {
		return decoded(element)["capability_id"] == target.ID
	})
}

// laterLists changes every list but the first few, which a caller begins with.
func laterLists(h *caphost.Host, turn func(target caphost.Ref, listed []any) []any) {
	listsAfter(3, h, turn)
}

func listsAfter(first int64, h *caphost.Host, turn func(target caphost.Ref, listed []any) []any) {
	target, sound, lists := victim(h).Ref, h.Listing, new(atomic.Int64)
	h.Listing = func(manifests []any) any {
		if lists.Add(1) > first {
			manifests = turn(target, manifests)
		}
		return sound(manifests)
	}
}
