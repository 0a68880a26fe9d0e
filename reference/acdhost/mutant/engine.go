package acdmutant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

func rpcRefusal() error { return rpc.Refuse("", "no") }

// engines returns agents that run what they must refuse, refuse what they must run, or run
// it on a wrong substrate (FR-SDK-2).
func engines() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("mode-dead", "ACD-SDK2-01", "Refuses the mode event although descriptors list it.",
			addsGate(func(call *acdhost.Call) bool {
				return call.Mode == "event" && len(acdhost.Texts(call.Entry, "invocation.modes")) > 2
			})),
		newMutant("unknown-runs", "ACD-SDK2-06", "Runs its first capability for an unknown id.", func(h *acdhost.Host) {
			first := h.Entries()[0]
			for i, gate := range h.Gates {
				if gate.Name == acdhost.GateKnown {
					h.Gates[i].Check = func(_ *acdhost.Host, call *acdhost.Call) error {
						if call.Entry == nil {
							call.Entry = first
						}
						return nil
					}
				}
			}
		}),
		newMutant("permission-unchecked", "ACD-SDK2-02", "Never checks permissions.",
			removesGate(acdhost.GatePermission, anyCall)).
			AlsoBreaks("ACD-DESC-29", "without a check, the default of granted_by_default has no effect").
			AlsoBreaks("ACD-SDK4-02", "this includes the permission of the shell"),
		newMutant("permission-any", "ACD-SDK2-02", "Accepts one of several required permissions.",
			removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool {
				return slices.ContainsFunc(acdhost.Texts(call.Entry, "permissions.required"),
					func(p string) bool { return slices.Contains(call.Permissions, p) })
			})),
		newMutant("permission-first", "ACD-SDK2-02", "Checks only the first required permission.",
			removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool {
				required := acdhost.Texts(call.Entry, "permissions.required")
				return len(required) > 0 && slices.Contains(call.Permissions, required[0])
			})),
		newMutant("permission-of-anything", "ACD-SDK2-02", "Accepts any permission in place of the required ones.",
			removesGate(acdhost.GatePermission, func(call *acdhost.Call) bool { return len(call.Permissions) > 0 })).
			AlsoBreaks("ACD-SDK4-02", "this includes the permission of the shell"),
		newMutant("granted-ignored", "ACD-SDK2-07", "Demands permissions that are granted by default.",
			addsGate(func(call *acdhost.Call) bool {
				return slices.ContainsFunc(acdhost.Texts(call.Entry, "permissions.required"),
					func(p string) bool { return !slices.Contains(call.Permissions, p) })
			})),
		newMutant("mode-unchecked", "ACD-SDK2-04", "Never checks modes.", removesGate(acdhost.GateMode, anyCall)),
		newMutant("mode-event-unchecked", "ACD-SDK2-04", "Accepts the mode event for every capability.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool { return call.Mode == "event" })),
		newMutant("mode-ui-unchecked", "ACD-SDK2-04", "Accepts the mode ui_action for every capability.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool { return call.Mode == "ui_action" })),
		newMutant("disabled-runs", "ACD-SDK2-05", "Runs disabled capabilities.", removesGate(acdhost.GateEnabled, anyCall)),
		newMutant("disabled-late", "ACD-SDK2-05", "Still runs capabilities that an update disabled.", staysEnabled()),
	}
}

// staysEnabled runs a disabled capability that was enabled before.
func staysEnabled() defect {
	return func(h *acdhost.Host) {
		known := newSet()
		for i, gate := range h.Gates {
			if gate.Name == acdhost.GateEnabled {
				h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
					err := gate.Check(h, call)
					if err == nil {
						known.add(call.ID)
					}
					if known.has(call.ID) {
						return nil
					}
					return err
				}
			}
		}
	}
}

// creations returns agents that create without the model, or create wrongly (FR-SDK-3).
func creations() []mutant.Mutant {
	ofKind := func(kind string, change func(h *acdhost.Host, descriptor object) error) defect {
		return func(h *acdhost.Host) {
			original := h.Consent
			h.Consent = func(ctx context.Context, descriptor map[string]any) error {
				if descriptor["kind"] == kind {
					return change(h, descriptor)
				}
				return original(ctx, descriptor)
			}
		}
	}
	unasked := func(*acdhost.Host, object) error { return nil }
	unheard := func(h *acdhost.Host, descriptor object) error {
		_ = h.Ask(context.Background(), descriptor) // the answer is ignored
		return nil
	}
	idle := func(entry string) defect {
		return func(h *acdhost.Host) {
			h.Handlers[entry] = func(context.Context, *acdhost.Call) (any, error) { return map[string]any{"done": true}, nil }
		}
	}
	drops := func(ids ...string) defect {
		return func(h *acdhost.Host) {
			for _, id := range ids {
				h.Delete(id)
			}
		}
	}
	return []mutant.Mutant{
		newMutant("created-after-restart", "ACD-SDK3-01",
			"Runs capabilities that were created at runtime only after a restart.",
			atStart()).WithRole("echo"),
		newMutant("no-create", "ACD-SDK3-02", "Has no capability.create.",
			drops("capability.create", "cap.capability.create")).AlsoBreaks("ACD-EX1-05", "it is one of the minimum set"),
		newMutant("create-idle", "ACD-SDK3-02", "Has a capability.create that creates nothing.", idle("create")),
		newMutant("no-enable", "ACD-SDK3-04", "Has no capability.enable.",
			drops("capability.enable", "cap.capability.enable")),
		newMutant("enable-idle", "ACD-SDK3-04", "Has a capability.enable that enables nothing.", idle("enable")),
		newMutant("no-bind", "ACD-SDK3-05", "Has no capability.bind.", drops("capability.bind", "cap.capability.bind")),
		newMutant("bind-idle", "ACD-SDK3-05", "Has a capability.bind that binds nothing.", idle("bind")),
		newMutant("composite-unasked", "ACD-SDK3-03", "Creates composites without a language model.",
			ofKind("composite", unasked)),
		newMutant("composite-unheard", "ACD-SDK3-03", "Creates composites whatever the language model says, and without one.",
			ofKind("composite", unheard)),
		newMutant("proxy-unasked", "ACD-SDK3-06", "Creates sub-agents without a language model.", ofKind("proxy", unasked)),
		newMutant("proxy-unheard", "ACD-SDK3-06", "Creates sub-agents whatever the language model says, and without one.",
			ofKind("proxy", unheard)),
		newMutant("proxy-unasked-by-create", "ACD-SDK3-06",
			"Creates sub-agents by capability.create without a language model.", createsProxies),
	}
}

// createsProxies registers proxies without the model.
func createsProxies(h *acdhost.Host) {
	original := h.Handlers["create"]
	h.Handlers["create"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
		if descriptor, is := call.Input["descriptor"].(object); is && descriptor["kind"] == "proxy" {
			h.Put(descriptor)
			return descriptor, nil
		}
		return original(ctx, call)
	}
}

// atStart runs only capabilities that existed at the start.
func atStart() defect {
	return func(h *acdhost.Host) {
		known := newSet()
		for _, entry := range h.Entries() {
			known.add(acdhost.Text(entry, "capability_id"))
		}
		addsGate(func(call *acdhost.Call) bool { return !known.has(call.ID) })(h)
	}
}
