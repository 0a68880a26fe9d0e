package capmutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// descriptions returns hosts that break the answer of describe to a known pair (CAP-DIS-02,
// CAP-DIS-07).
func descriptions() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("describe-another", "CAP-DIS-02", "Describes one pair with the manifest of another.",
			func(h *caphost.Host) {
				target, other, original := victim(h).Ref, h.Capabilities()[0], h.Resolve
				h.Resolve = func(operation string, ref caphost.Ref) *caphost.Capability {
					if operation == caphost.OpDescribe && ref == target {
						return other
					}
					return original(operation, ref)
				}
			}),
		newMutant("describe-changes", "CAP-DIS-07", "Describes a pair differently from the second time on.",
			func(h *caphost.Host) {
				var asked atomic.Int64
				describesAs(func(manifest map[string]any) any {
					if asked.Add(1) > 1 {
						manifest["description"] = "Mixes two colours better."
					}
					return manifest
				})(h)
			}),
	}
	for _, m := range []struct {
		name, requirement, summary string
		turn                       func(manifest map[string]any) any
	}{
		{"array", "CAP-DIS-02", "Describes a pair with an array of one manifest.",
			func(m map[string]any) any { return []any{m} }},
		{"list", "CAP-DIS-02", "Describes a pair with a list object of one manifest.",
			func(m map[string]any) any { return map[string]any{"capabilities": []any{m}} }},
		{"wrapper", "CAP-DIS-02", "Describes a pair with a Capability that contains the manifest.", wrap},
		{"envelope", "CAP-DIS-02", "Describes a pair with an object that contains only the manifest.",
			func(m map[string]any) any { return map[string]any{"manifest": m} }},
		{"null-for-known", "CAP-DIS-02", "Describes a listed pair as null.", func(map[string]any) any { return nil }},
		{"without-pair", "CAP-DIS-02", "Describes a pair without its id and version.", func(m map[string]any) any {
			delete(m, "capability_id")
			delete(m, "version")
			return m
		}},
		{"newer-schema", "CAP-DIS-07", "Describes a pair with a newer input schema than it lists.",
			func(m map[string]any) any {
				schema, _ := m["input_schema"].(map[string]any)
				schema["minProperties"] = 1
				return m
			}},
		{"other-description", "CAP-DIS-07", "Describes a pair with another description than it lists.",
			withMember("description", "Mixes two colours better.")},
		{"fewer-members", "CAP-DIS-07", "Describes a pair without its output schema.", func(m map[string]any) any {
			delete(m, "output_schema")
			return m
		}},
		{"other-permissions", "CAP-DIS-07", "Describes a pair with a permission that it does not list.",
			withMember("required_permissions", []any{"colours.read"})},
	} {
		broken = append(broken, newMutant("describe-"+m.name, m.requirement, m.summary, describesAs(m.turn)))
	}
	return broken
}

func withMember(member string, value any) func(map[string]any) any {
	return func(manifest map[string]any) any {
		manifest[member] = value
		return manifest
	}
}

// describesAs changes what describe returns for the victim.
func describesAs(change func(manifest map[string]any) any) defect {
	return func(h *caphost.Host) {
		target, original := victim(h).Ref, h.Publish
		h.Publish = func(operation string, c *caphost.Capability) any {
			if operation != caphost.OpDescribe || c.Ref != target {
				return original(operation, c)
			}
			return change(c.Manifest())
		}
	}
}
