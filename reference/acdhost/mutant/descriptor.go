package acdmutant

import (
	"strings"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// descriptors returns agents with invalid descriptors (ACD 1.1 and 1.2).
func descriptors() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("channel-declares-ghost", "ACD-SDK5-01", "Declares on a channel a capability that is not in the registry.",
			changesResult(acdhost.OpDeclare, func(_, result object) {
				result["capabilities"] = append(itemsOf(result), "cap.ghost")
			})),
		newMutant("hook-of-ghost", "ACD-DEF-01", "Names a hook that is not in the registry.",
			changesDescriptor(victim, setAt("lifecycle.hooks.on_error", []any{"cap.ghost"}))),
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
	for _, w := range []struct {
		id, path string
		value    any
	}{
		{"ACD-DESC-02", "skill_type", "procedural"}, {"ACD-DESC-02", "type", "command"}, {"ACD-DESC-04", "name", 7},
		{"ACD-DESC-05", "version", 1}, {"ACD-DESC-06", "description", 7},
		{"ACD-DESC-07", "kind", "skill"}, {"ACD-DESC-07", "kind", nil}, {"ACD-DESC-08", "execution.substrate", "python"},
		{"ACD-DESC-08", "execution", "service"}, {"ACD-DESC-09", "execution.runtime", 7},
		{"ACD-DESC-09", "execution.entrypoint", []any{"go"}},
		{"ACD-DESC-10", "invocation.modes", []any{"direct", "cron"}},
		{"ACD-DESC-10", "invocation", nil}, {"ACD-DESC-11", "invocation.command_aliases", "tides"},
		{"ACD-DESC-12", "exposure.scope", "private"}, {"ACD-DESC-12", "exposure.scope", nil},
		{"ACD-DESC-13", "exposure.channels", "cli"}, {"ACD-DESC-14", "permissions", nil},
		{"ACD-DESC-14", "permissions", []any{}},
		{"ACD-DESC-15", "permissions.required", "tides"}, {"ACD-DESC-16", "permissions.granted_by_default", "no"},
		{"ACD-DESC-17", "permissions.danger_level", "severe"},
		{"ACD-DESC-18", "inputs.schema", object{"type": "objekt"}}, {"ACD-DESC-18", "inputs.schema", 7},
		{"ACD-DESC-19", "inputs.required", "text"}, {"ACD-DESC-20", "outputs.schema", object{"type": 7}},
		{"ACD-DESC-21", "dependencies.capabilities", "cap.identify"}, {"ACD-DESC-22", "dependencies.resources", object{}},
		{"ACD-DESC-23", "lifecycle.hooks.pre_invoke", "cap.identify"},
		{"ACD-DESC-24", "delegation.allowed", "yes"}, {"ACD-DESC-25", "audit.log_inputs", "no"},
		{"ACD-DESC-26", "status.signed", 0}, {"ACD-DESC-26", "status.enabled", "yes"},
	} {
		name := mutant.Dashed(strings.ReplaceAll(w.path, ".", "-")) + "-wrong"
		for n := 2; hasName(broken, "acd-"+name); n++ {
			name = strings.TrimRight(name, "0123456789-") + "-" + string(rune('0'+n))
		}
		broken = append(broken, newMutant(name, w.id, "Gives a descriptor a "+w.path+" that the text does not permit.",
			changesDescriptor(victim, setAt(w.path, w.value))))
	}
	return append(broken, newMutant("capability-id-missing", "ACD-DESC-03", "Registers a descriptor without an id.",
		func(h *acdhost.Host) {
			nameless := victim(h)
			delete(nameless, "capability_id")
			acdhost.Set(nameless, "exposure.scope", "internal")
			h.Put(nameless)
		}))
}

func hasName(all []mutant.Mutant, name string) bool {
	for _, m := range all {
		if m.Name == name {
			return true
		}
	}
	return false
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
		newMutant("enabled-query-unless-said", "ACD-DESC-27",
			"Does not return a capability without status.enabled in a query for enabled ones.",
			changesResult(acdhost.OpQuery, func(params, result object) {
				if params["enabled"] != true {
					return
				}
				kept := []any{}
				for _, item := range itemsOf(result) {
					if acdhost.Flag(item, "status.enabled", false) {
						kept = append(kept, item)
					}
				}
				result["capabilities"] = kept
			})),
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
