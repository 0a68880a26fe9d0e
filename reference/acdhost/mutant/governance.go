package acdmutant

import (
	"context"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// changesRecord changes the records of invocations.
func changesRecord(change func(record, entry object, call *acdhost.Call) object) defect {
	return func(h *acdhost.Host) {
		original := h.Record
		h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
			record := original(entry, call, output)
			if record == nil {
				return nil
			}
			return change(record, entry, call)
		}
	}
}

// isFalse reports whether a member of a descriptor is false.
func isFalse(entry object, path string) bool { return !acdhost.Flag(entry, path, true) }

// audits returns agents that log too little or too much (FR-SDK-6).
func audits() []mutant.Mutant {
	outputs := func(change func(record, entry object, output any)) defect {
		return func(h *acdhost.Host) {
			original := h.Record
			h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
				record := original(entry, call, output)
				if record != nil {
					change(record, entry, output)
				}
				return record
			}
		}
	}
	return []mutant.Mutant{
		newMutant("logged-once", "ACD-SDK6-01", "Logs only the first invocation of each capability.", func(h *acdhost.Host) {
			known := newSet()
			changesRecord(func(record, _ object, call *acdhost.Call) object {
				if known.has(call.ID) {
					return nil
				}
				known.add(call.ID)
				return record
			})(h)
		}),
		newMutant("inputs-always", "ACD-SDK6-04", "Logs inputs although the descriptor says false.",
			changesRecord(func(record, entry object, call *acdhost.Call) object {
				if isFalse(entry, "audit.log_inputs") {
					record["input"] = call.Input
				}
				return record
			})),
		newMutant("outputs-always", "ACD-SDK6-05", "Logs outputs although the descriptor says false.",
			outputs(func(record, entry object, output any) {
				if isFalse(entry, "audit.log_outputs") {
					record["output"] = output
				}
			})),
	}
}

// hookDefects returns agents that run hooks at wrong times (FR-SDK-6).
func hookDefects() []mutant.Mutant {
	type run = func(context.Context) (any, error)
	order := func(change func(h *acdhost.Host, ctx context.Context, call *acdhost.Call, run run) (any, error)) defect {
		return func(h *acdhost.Host) {
			h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
				return change(h, ctx, call, run)
			}
		}
	}
	// steps runs the named hooks in order; the empty name stands for the capability.
	steps := func(success, failure []string) defect {
		return order(func(h *acdhost.Host, ctx context.Context, call *acdhost.Call, run run) (any, error) {
			for i, kind := range success {
				if kind != "" {
					h.Hooks(ctx, call, kind)
					continue
				}
				output, err := run(ctx)
				rest := success[i+1:]
				if err != nil {
					rest = failure
				}
				for _, kind := range rest {
					h.Hooks(ctx, call, kind)
				}
				return output, err
			}
			return nil, nil
		})
	}
	onError := []string{"on_error"}
	return []mutant.Mutant{
		newMutant("pre-behind", "ACD-SDK6-02", "Runs the hooks of pre_invoke after the capability.",
			steps([]string{"", "pre_invoke", "post_invoke"}, onError)),
		newMutant("pre-never", "ACD-SDK6-02", "Never runs the hooks of pre_invoke.",
			steps([]string{"", "post_invoke"}, onError)),
		newMutant("post-before", "ACD-SDK6-06", "Runs the hooks of post_invoke before the capability.",
			steps([]string{"pre_invoke", "post_invoke", ""}, onError)),
		newMutant("post-never", "ACD-SDK6-06", "Never runs the hooks of post_invoke.",
			steps([]string{"pre_invoke", ""}, onError)),
		newMutant("on-error-always", "ACD-SDK6-07", "Runs the hooks of on_error also after a success.",
			steps([]string{"pre_invoke", "", "post_invoke", "on_error"}, onError)).WithRole("fails"),
		newMutant("on-error-never", "ACD-SDK6-07", "Never runs the hooks of on_error.",
			steps([]string{"pre_invoke", "", "post_invoke"}, nil)).WithRole("fails"),
	}
}

// immutables returns agents that let immutable capabilities be changed in one way (FR-SDK-6).
func immutables() []mutant.Mutant {
	// allows permits the changes for which the function returns true.
	allows := func(which func(change object) bool) defect {
		return func(h *acdhost.Host) {
			original := h.Guard
			h.Guard = func(entry, change map[string]any) error {
				if which(change) {
					return nil
				}
				return original(entry, change)
			}
		}
	}
	past := func(operation string) defect {
		return func(h *acdhost.Host) {
			changesOperation(operation, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					result, err := original(ctx, params)
					if descriptor, is := params["descriptor"].(object); is && err != nil &&
						immutable(h.Find(acdhost.Text(descriptor, "capability_id"))) {
						h.Put(descriptor)
						return descriptor, nil
					}
					return result, err
				}
			})(h)
		}
	}
	return []mutant.Mutant{
		newMutant("immutable-updated", "ACD-SDK6-03", "Updates immutable capabilities.", past(acdhost.OpUpdate)),
		newMutant("immutable-registered-again", "ACD-SDK6-03", "Replaces an immutable capability that is registered again.",
			past(acdhost.OpCreate)),
		newMutant("immutable-freed", "ACD-SDK6-03", "Changes an immutable capability if the new descriptor says that it is mutable.",
			allows(func(change object) bool {
				return change != nil && acdhost.Flag(change, "status.mutable", false)
			})),
		newMutant("immutable-unsaid", "ACD-SDK6-03", "Changes an immutable capability if the new descriptor lacks status.mutable.",
			allows(func(change object) bool {
				return change != nil && acdhost.Flag(change, "status.mutable", true) &&
					!acdhost.Flag(change, "status.mutable", false)
			})),
		newMutant("immutable-disabled", "ACD-SDK6-03", "Disables immutable capabilities.",
			allows(func(change object) bool { return change != nil && !acdhost.Flag(change, "status.enabled", true) })),
		newMutant("immutable-deleted", "ACD-SDK6-03", "Deletes immutable capabilities.",
			allows(func(change object) bool { return change == nil })),
		newMutant("immutable-bound", "ACD-SDK6-03", "Binds immutable capabilities by capability.bind.", bindsAnything()),
		refusedLate(),
	}
}

func refusedLate() mutant.Mutant {
	return newMutant("immutable-refused-late", "ACD-SDK6-03",
		"Refuses an update of an immutable capability after performing it.",
		func(h *acdhost.Host) {
			var once sync.Mutex
			changesOperation(acdhost.OpUpdate, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					once.Lock()
					defer once.Unlock()
					result, err := original(ctx, params)
					if descriptor, is := params["descriptor"].(object); is && err != nil &&
						immutable(h.Find(acdhost.Text(descriptor, "capability_id"))) {
						h.Put(descriptor)
					}
					return result, err
				}
			})(h)
		})
}

func bindsAnything() defect {
	return func(h *acdhost.Host) {
		h.Handlers["bind"] = func(_ context.Context, call *acdhost.Call) (any, error) {
			entry := h.Find(acdhost.Text(call.Input, "capability_id"))
			if entry == nil {
				return nil, rpcRefusal()
			}
			acdhost.Set(entry, "invocation.command_aliases", []any{acdhost.Text(call.Input, "command_alias")})
			h.Put(entry)
			return entry, nil
		}
	}
}

func immutable(entry object) bool {
	return entry != nil && !acdhost.Flag(entry, "status.mutable", true)
}
