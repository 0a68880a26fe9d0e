package acdmutant

import (
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// updateDefects returns agents whose engine or registry does not follow an update or a deletion.
func updateDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("update-adds-no-mode", "ACD-SDK1-10", "Refuses modes that an update adds.", func(h *acdhost.Host) {
			first := newValueMap()
			addsGate(func(call *acdhost.Call) bool {
				if !isCopy(call.Entry) {
					return false
				}
				if _, has := first.get(call.ID); !has {
					first.put(call.ID, acdhost.Texts(call.Entry, "invocation.modes"))
				}
				kept, _ := first.get(call.ID)
				modes, _ := kept.([]string)
				return !slices.Contains(modes, call.Mode)
			})(h)
		}).WithFixtures(),
		newMutant("enabled-again-dead", "ACD-SDK1-10", "Refuses capabilities that an update enables again.",
			func(h *acdhost.Host) {
				off := newSet()
				changesParams(acdhost.OpUpdate, func(params object) {
					if !acdhost.Flag(params, "descriptor.status.enabled", true) {
						off.add(acdhost.Text(params, "descriptor.capability_id"))
					}
				})(h)
				addsGate(func(call *acdhost.Call) bool { return off.has(call.ID) })(h)
			}).WithFixtures(),
		newMutant("update-adds-permissions", "ACD-SDK1-10", "Adds the permissions of an update to the old ones.",
			func(h *acdhost.Host) {
				changesParams(acdhost.OpUpdate, func(params object) {
					before := h.Find(acdhost.Text(params, "descriptor.capability_id"))
					if before == nil || !strings.HasPrefix(acdhost.Text(params, "descriptor.name"), "Whole") {
						return
					}
					all := []any{}
					for _, one := range append(acdhost.Texts(before, "permissions.required"),
						acdhost.Texts(params, "descriptor.permissions.required")...) {
						all = append(all, one)
					}
					acdhost.Set(params, "descriptor.permissions.required", all)
				})(h)
			}).WithFixtures(),
	}
}

// deletionDefects returns agents that run deleted hooks or create composites without consent.
func deletionDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("deleted-hook-runs", "ACD-SDK1-11", "Still runs deleted capabilities as hooks.", func(h *acdhost.Host) {
			gone := newSet()
			changesParams(acdhost.OpDelete, func(params object) {
				id := acdhost.Text(params, "capability_id")
				if acdhost.Flag(h.Find(id), "status.mutable", true) {
					gone.add(id)
				}
			})(h)
			original := h.RunWithHooks
			h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
				for _, id := range acdhost.Texts(call.Entry, "lifecycle.hooks.pre_invoke") {
					if gone.has(id) && h.Find(id) == nil {
						h.LogExecution(id, "symbolic")
					}
				}
				return original(ctx, call, run)
			}
		}).WithRole("echo"),
		newMutant("composite-with-dependencies-unasked", "ACD-SDK3-03",
			"Creates composites with dependencies without a language model.", func(h *acdhost.Host) {
				original := h.Consent
				h.Consent = func(ctx context.Context, descriptor map[string]any) error {
					if descriptor["kind"] == "composite" && len(acdhost.Texts(descriptor, "dependencies.capabilities")) > 0 {
						return nil
					}
					return original(ctx, descriptor)
				}
			}),
	}
}

// memberDefects returns agents in which a member that must not matter decides whether an immutable capability
// changes, or what is logged or listed.
func memberDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("immutable-but-for-state", "ACD-SDK6-03",
			"Disables an immutable capability by an update that changes nothing else.", immutableBut("status")),
		newMutant("immutable-but-for-description", "ACD-SDK6-03",
			"Changes the description of an immutable capability.", immutableBut("description")),
		newMutant("immutable-deleted-twice", "ACD-SDK6-03", "Deletes an immutable capability at the second attempt.",
			func(h *acdhost.Host) {
				tried := newSet()
				original := h.Guard
				h.Guard = func(entry, change map[string]any) error {
					err := original(entry, change)
					id := acdhost.Text(entry, "capability_id")
					if change == nil && tried.has(id) {
						return nil
					}
					if change == nil && err != nil {
						tried.add(id)
					}
					return err
				}
			}).WithFixtures(),
		newMutant("unlogged-after-update", "ACD-SDK6-01", "Logs no invocation of capabilities that were updated.",
			func(h *acdhost.Host) {
				updated := newSet()
				changesParams(acdhost.OpUpdate, func(params object) {
					updated.add(acdhost.Text(params, "descriptor.capability_id"))
				})(h)
				recordedAs(func(_ object, call *acdhost.Call) bool { return updated.has(call.ID) },
					func(object, *acdhost.Call, any) object { return nil })(h)
			}),
	}
}

// immutableBut accepts an update of an immutable capability that changes one member and nothing else.
func immutableBut(member string) defect {
	return func(h *acdhost.Host) {
		original := h.Guard
		h.Guard = func(entry, change map[string]any) error {
			if change == nil {
				return original(entry, change)
			}
			for name, value := range entry {
				if name != member && !reflect.DeepEqual(change[name], value) {
					return original(entry, change)
				}
			}
			return nil
		}
	}
}
