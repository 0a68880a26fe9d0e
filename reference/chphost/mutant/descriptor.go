package chpmutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// descriptors returns hosts that break capability descriptors (CHP 3).
func descriptors() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct{ member, requirement, shape string }{
		{"id", "CHP-3-01", "text"},
		{"version", "CHP-3-02", "text"},
		{"description", "CHP-3-03", "note"},
		{"modes", "CHP-3-04", "texts"},
		{"emits", "CHP-3-06", "texts"},
	} {
		for _, fault := range faultsOf(m.member, m.shape) {
			broken = append(broken, newMutant("descriptor-"+m.member+"-"+fault.name, m.requirement,
				fault.says+"a capability descriptor.", editsDescriptor(victim, fault.edit)))
		}
	}
	for _, m := range []struct {
		name, requirement, summary, member string
		value                              any
	}{
		{"modes-empty", "CHP-3-05", "Lists no mode.", "modes", []any{}},
		{"modes-without-sync", "CHP-3-05", "Lists only async as mode.", "modes", []any{"async"}},
		{"input-schema-broken", "CHP-3-08", "Uses a type that does not exist in an input_schema.", "input_schema",
			object{"type": "colour"}},
		{"input-schema-text", "CHP-3-08", "Writes input_schema as a string.", "input_schema", "object"},
		{"input-schema-required", "CHP-3-08", "Uses a boolean as required in an input_schema.", "input_schema",
			object{"required": true}},
		{"output-schema-broken", "CHP-3-09", "Uses a list as properties in an output_schema.", "output_schema",
			object{"properties": []any{}}},
		{"output-schema-list", "CHP-3-09", "Writes output_schema as a list.", "output_schema", []any{}},
		{"invariants-object", "CHP-3-10", "Writes invariants as an object.", "invariants", object{"id": "x"}},
		{"invariants-texts", "CHP-3-10", "Writes invariants as strings.", "invariants", []any{"first is not second"}},
		{"risk-word", "CHP-3-11", "Uses a risk that is not one of the four words.", "risk", "moderate"},
		{"risk-upper", "CHP-3-11", "Writes a risk in upper case.", "risk", "LOW"},
		{"risk-number", "CHP-3-11", "Writes a risk as a number.", "risk", 1},
		{"owner-object", "CHP-3-13", "Writes owner as an object.", "owner", object{"name": "atelier"}},
		{"tags-text", "CHP-3-13", "Writes tags as a string.", "tags", "colour,grey"},
		{"metadata-list", "CHP-3-13", "Writes metadata as a list.", "metadata", []any{}},
		{"uri-at", "CHP-3-14", "Joins id and version with an at sign.", "capability_uri", victim + "@1.0.0"},
		{"uri-old", "CHP-3-14", "Uses another version in the URI than in the descriptor.", "capability_uri",
			victim + ":0.9.0"},
		{"uri-id", "CHP-3-14", "Omits the version from the URI.", "capability_uri", victim},
	} {
		broken = append(broken, newMutant("descriptor-"+m.name, m.requirement, m.summary,
			editsDescriptor(victim, mutant.With(m.member, m.value))))
	}
	for _, fault := range typeFaults("assurance", "object") {
		broken = append(broken, newMutant("descriptor-assurance-"+fault.name, "CHP-3-12",
			fault.says+"a capability descriptor.", editsDescriptor(victim, fault.edit)))
	}
	return append(broken, identities()...)
}

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
		newMutant("recommended-missing", "CHP-3-07", "Omits owner and tags from a capability descriptor.",
			editsDescriptor(victim, func(published object) any {
				delete(published, "owner")
				return mutant.Without("tags")(published)
			})).WithFixtures().OnlyStrict(),
		newMutant("emits-unlisted", "CHP-3-16", "Omits the event that a capability emits from emits.",
			editsDescriptor(observe, mutant.With("emits", []any{chphost.EventStarted,
				chphost.EventCompleted}))).WithRole("observe"),
		newMutant("input-unchecked", "CHP-3-17", "Accepts payloads that break the input schema.",
			withoutGate(chphost.InputSchemaFailed, anyInvocation)),
		newMutant("output-unlike-schema", "CHP-3-18", "Returns data that breaks the output schema.",
			inResult(ofVictim, func(result object) any {
				if result["outcome"] == chphost.Success {
					result["data"] = object{"shade": "grey"}
				}
				return result
			})),
		newMutant("descriptor-unknown-mode", "CHP-3-19", "Lists a mode that the schema does not define.",
			editsDescriptor(victim, mutant.With("modes", []any{"sync", "whenever"}))).OnlyStrict(),
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

// hosts returns hosts that break the host descriptor (CHP 4).
func hosts() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct{ member, requirement, shape string }{
		{"id", "CHP-4-01", "text"}, {"version", "CHP-4-02", "text"}, {"kind", "CHP-4-04", "text"},
		{"evidence", "CHP-4-06", "object"},
	} {
		for _, fault := range faultsOf(m.member, m.shape) {
			broken = append(broken, newMutant("host-"+m.member+"-"+fault.name, m.requirement, fault.says+"the host descriptor.",
				editsHost(fault.edit)))
		}
	}
	for _, fault := range faultsOf("append_only", "flag") {
		made := newMutant("host-append-only-"+fault.name, "CHP-4-11", fault.says+"the evidence metadata.",
			editsHost(func(descriptor object) any {
				descriptor["evidence"] = fault.edit(object{"store": "memory", "append_only": true})
				return descriptor
			})).OnlyStrict()
		if fault.name == "missing" {
			made.Requirement, made.Strict = "CHP-4-07", false
		}
		broken = append(broken, made)
	}
	broken = append(broken, newMutant("host-append-only-null", "CHP-4-07",
		"Uses null as append_only of the evidence metadata.", editsHost(func(descriptor object) any {
			descriptor["evidence"] = object{"store": "memory", "append_only": nil}
			return descriptor
		})))
	for _, m := range []struct {
		name, requirement, summary string
		edit                       func(object) any
	}{
		{"protocol-missing", "CHP-4-03", "Omits protocol_version from the host descriptor.",
			mutant.Without("protocol_version")},
		{"protocol-1", "CHP-4-03", "Declares protocol version 1.0.", mutant.With("protocol_version", "1.0")},
		{"protocol-named", "CHP-4-03",
			"Writes the protocol version as chp/0.1.", mutant.With("protocol_version", "chp/0.1")},
		{"protocol-newer-alone", "CHP-4-10", "Declares protocol version 0.2 and does not declare 0.1.",
			mutant.With("protocol_version", "0.2")},
		{"capabilities-missing", "CHP-4-05", "Omits capabilities from the host descriptor.",
			mutant.Without("capabilities")},
		{"capabilities-count", "CHP-4-05", "Writes the number of capabilities instead of their descriptors.",
			mutant.With("capabilities", 12)},
		{"capabilities-ids", "CHP-4-05", "Lists ids instead of capability descriptors.",
			mutant.With("capabilities", []any{"text.measure", victim})},
		{"descriptor-strict", "CHP-4-11", "Lists a protocol version that the schema does not define.",
			mutant.With("supported_versions", []any{"0.1", "7.0"})},
	} {
		made := newMutant("host-"+m.name, m.requirement, m.summary, editsHost(m.edit))
		if m.requirement == "CHP-4-11" {
			made = made.OnlyStrict()
		}
		broken = append(broken, made)
	}
	return append(broken, discoveries()...)
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
