// Package chpvariant lists capability hosts of CHP in other styles that the text permits.
package chpvariant

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/variant"
)

type object = map[string]any

// style changes a capability host.
type style func(h *chphost.Host)

func newVariant(name, summary string, apply style, allows ...string) variant.Variant {
	return variant.Variant{Name: "chp-" + name, Suite: "chp", Summary: summary, Allows: allows,
		Apply: reference.OfCHP(apply)}
}

// published changes the HostDescriptor.
func published(change func(descriptor object)) style {
	return func(h *chphost.Host) {
		original := h.Descriptor
		h.Descriptor = func(capabilities []any) any {
			descriptor, _ := original(capabilities).(object)
			change(descriptor)
			return descriptor
		}
	}
}

// described changes the descriptor of every capability.
func described(change func(descriptor object)) style {
	return func(h *chphost.Host) {
		for _, c := range h.Capabilities() {
			h.Replace(c, c.Edit(change))
		}
	}
}

// answered changes every InvocationResult.
func answered(change func(result object)) style {
	return func(h *chphost.Host) {
		original := h.Result
		h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
			result, _ := original(inv, outcome).(object)
			change(result)
			return result
		}
	}
}

// recorded changes every event before it is recorded.
func recorded(change func(event object)) style {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			change(event)
			return original(inv, event)
		}
	}
}

// replayed changes every ReplayResult.
func replayed(change func(query chphost.Query, result object, total int)) style {
	return func(h *chphost.Host) {
		original := h.ReplayResult
		h.ReplayResult = func(query chphost.Query, events []any, total int) any {
			result, _ := original(query, events, total).(object)
			change(query, result, total)
			return result
		}
	}
}

// combined applies several styles.
func combined(styles ...style) style {
	return func(h *chphost.Host) {
		for _, apply := range styles {
			apply(h)
		}
	}
}

// dropNulls removes the members that are null.
func dropNulls(members object) {
	maps.DeleteFunc(members, func(_ string, value any) bool { return value == nil })
}

// writeNulls writes optional members as null.
func writeNulls(names ...string) func(members object) {
	return func(members object) {
		for _, name := range names {
			if _, given := members[name]; !given {
				members[name] = nil
			}
		}
	}
}

// descriptions returns hosts that describe themselves and their capabilities in other ways.
func descriptions() []variant.Variant {
	newer := func(descriptor object) {
		descriptor["protocol_version"], descriptor["supported_versions"] = "0.2", []any{"0.1", "0.2"}
		descriptor["host_version"], descriptor["assurance"] = chphost.HostVersion, "none"
	}
	return []variant.Variant{
		newVariant("descriptors-more-members",
			"Adds members that no text defines to the host descriptor and every capability.",
			combined(published(variant.AddUndefinedMembers), described(variant.AddUndefinedMembers)), "CHP-3-19", "CHP-4-11"),
		newVariant("descriptors-nulls", "Writes optional members of descriptors as null.", combined(
			published(writeNulls("supported_versions", "host_identity", "host_version")),
			described(writeNulls("name", "category", "provider", "owner", "timeout_s", "capability_uri", "status"))), "CHP-3-07",
			"CHP-3-14"),
		newVariant("newer-version", "Prefers protocol version 0.2 and declares that it also speaks 0.1.",
			combined(published(newer), func(h *chphost.Host) {
				h.Binding.Versions = []string{"0.1", "0.2"}
			}), "CHP-4-03"),
		newVariant("version-number", "Writes the protocol version as a number.",
			published(func(descriptor object) { descriptor["protocol_version"] = 0.1 }), "CHP-4-03"),
		newVariant("not-append-only", "States that its store is not append-only.", published(func(descriptor object) {
			descriptor["evidence"] = object{"append_only": false, "store": "ring", "retention_days": 30}
		}), "CHP-4-07"),
		newVariant("kind-own-word", "Uses a kind of host that no text defines.",
			published(func(descriptor object) { descriptor["kind"] = "ship" }), "CHP-4-04"),
		newVariant("emits-nothing", "Lists no event types for capabilities that emit no additional ones.",
			func(h *chphost.Host) {
				for _, c := range h.Capabilities() {
					if c.ID != "conformance.observe" {
						h.Replace(c, c.Edit(func(descriptor object) { descriptor["emits"] = []any{} }))
					}
				}
			}, "CHP-3-06"),
		newVariant("boolean-schemas", "Uses true as output schema of every capability.",
			described(func(descriptor object) { descriptor["output_schema"] = true }), "CHP-3-09"),
		newVariant("every-mode", "Supports every mode in every capability.", func(h *chphost.Host) {
			for _, c := range h.Capabilities() {
				open := c.Edit(func(descriptor object) {
					descriptor["modes"] = []any{"sync", "async", "stream", "fire_and_forget"}
				})
				open.Modes = []string{"sync", "async", "stream", "fire_and_forget"}
				h.Replace(c, open)
			}
		}, "CHP-9-03", "CHP-11-07"),
		newVariant("host-summaries",
			"Shows capabilities in the host descriptor with another description, fewer types of events and simpler schemas.",
			summarizes, "CHP-3-07", "CHP-4-08"),
		newVariant("discovery-other-order", "Lists capabilities in discovery in another order than in the host descriptor.",
			func(h *chphost.Host) {
				h.Listing = func(capabilities []any) any {
					slices.Reverse(capabilities)
					return object{"capabilities": capabilities}
				}
			}, "CHP-4-08"),
	}
}

// summarizes omits parts of capability descriptors from the host descriptor.
func summarizes(h *chphost.Host) {
	original := h.Publish
	h.Publish = func(operation string, c *chphost.Capability) any {
		if operation != chphost.OpHost {
			return original(operation, c)
		}
		return c.Edit(func(descriptor object) {
			descriptor["description"] = "In brief: " + c.ID
			if emits, _ := descriptor["emits"].([]any); len(emits) > 1 {
				descriptor["emits"] = emits[:1]
			}
			descriptor["input_schema"] = object{"type": "object", "title": "The input"}
			for _, name := range []string{"output_schema", "risk", "tags"} {
				delete(descriptor, name)
			}
		}).Rendered()
	}
}
