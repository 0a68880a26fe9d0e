package acdmutant

import (
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// descriptors returns agents that describe a capability differently in CAP and in ACD.
func descriptors() []mutant.Mutant {
	return []mutant.Mutant{
		besideCAP("cap-other-version", "Gives a capability another version in CAP than in ACD.",
			changesDescriptor(entryOf("conformance.echo"), setAt("version", "7.0.0"))),
		besideCAP("cap-other-schema", "Gives a capability another input schema in CAP than in ACD.",
			changesDescriptor(entryOf("conformance.echo"), setAt("inputs.schema.properties.message.maxLength", 100))),
		besideCAP("cap-other-permissions", "Gives a capability other required permissions in CAP than in ACD.",
			func(h *acdhost.Host) {
				restricted := h.Find("conformance.fail")
				restricted["capability_id"] = "conformance.restricted"
				delete(restricted, "inputs")
				delete(restricted, "outputs")
				acdhost.Set(restricted, "permissions.required", []any{"conformance.speak"})
				h.Put(restricted)
			}),
	}
}

// filteredMembers returns agents with an invalid member by which queries find a capability (ACD 1.1).
func filteredMembers() []mutant.Mutant {
	var all []mutant.Mutant
	for _, w := range []struct {
		id, name, path string
		value          any
	}{
		{"ACD-DESC-07", "kind-wrong", "kind", "skill"}, {"ACD-DESC-07", "kind-wrong-2", "kind", nil},
		{"ACD-DESC-08", "execution-substrate-wrong", "execution.substrate", "python"},
		{"ACD-DESC-08", "execution-wrong", "execution", "service"},
		{"ACD-DESC-10", "invocation-modes-wrong", "invocation.modes", []any{"direct", "cron"}},
		{"ACD-DESC-10", "invocation-wrong", "invocation", nil},
		{"ACD-DESC-12", "exposure-scope-wrong", "exposure.scope", "private"},
		{"ACD-DESC-12", "exposure-scope-wrong-2", "exposure.scope", nil},
		{"ACD-DESC-26", "status-enabled-wrong", "status.enabled", "yes"},
	} {
		all = append(all, newMutant(w.name, w.id, "Gives a descriptor a "+w.path+" that the text does not permit.",
			changesDescriptor(victim, setAt(w.path, w.value))))
	}
	return all
}

// besideCAP returns an agent that also speaks CAP and describes a capability differently there.
func besideCAP(name, summary string, breaks defect) mutant.Mutant {
	m := newMutant(name, "ACD-DEF-02", summary, breaks).WithFixtures()
	original := m.Apply
	m.Apply = func(parts *reference.Parts) {
		if source, err := caphost.Profile(); err == nil {
			parts.CAP = source
		}
		original(parts)
	}
	return m
}

// defaults returns agents with other defaults for absent members than the text prints.
func defaults() []mutant.Mutant {
	leftOut := func(call *acdhost.Call, path string) bool {
		return call.Entry != nil && acdhost.Flag(call.Entry, path, true) && !acdhost.Flag(call.Entry, path, false)
	}
	return []mutant.Mutant{
		newMutant("enabled-unless-said", "ACD-DESC-27",
			"Treats a capability without status.enabled as disabled in the engine.",
			addsGate(func(call *acdhost.Call) bool { return leftOut(call, "status.enabled") })),
		newMutant("immutable-unless-said", "ACD-DESC-28", "Treats a capability without status.mutable as immutable.",
			guardedIf(func(entry, change object) bool {
				return !acdhost.Flag(entry, "status.mutable", false) && change != nil
			})),
		newMutant("undeletable-unless-said", "ACD-DESC-28",
			"Updates a capability without status.mutable, but does not delete it.",
			guardedIf(func(entry, change object) bool {
				status, _ := entry["status"].(object)
				return status["mutable"] == nil && change == nil
			})),
		newMutant("granted-unless-said", "ACD-DESC-29", "Grants permissions if granted_by_default is absent.",
			removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool {
				return leftOut(call, "permissions.granted_by_default")
			})),
		newMutant("unlogged-unless-said", "ACD-DESC-30", "Does not log capabilities without audit.log_invocation.",
			changesRecord(func(record, entry object, call *acdhost.Call) object {
				if leftOut(&acdhost.Call{Entry: entry}, "audit.log_invocation") {
					return nil
				}
				return record
			})),
		newMutant("inputs-logged-unless-said", "ACD-DESC-31",
			"Logs the inputs of capabilities without audit.log_inputs.",
			changesRecord(func(record, entry object, call *acdhost.Call) object {
				if leftOut(&acdhost.Call{Entry: entry}, "audit.log_inputs") {
					record["input"] = call.Input
				}
				return record
			})),
	}
}

// guardedIf refuses further changes of entries; the change is nil for a deletion.
func guardedIf(which func(entry, change object) bool) defect {
	return func(h *acdhost.Host) {
		original := h.Guard
		h.Guard = func(entry, change map[string]any) error {
			if which(entry, change) {
				return rpcRefusal()
			}
			return original(entry, change)
		}
	}
}
