package acdmutant

import (
	"context"
	"slices"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// copyHas reports whether a member of the called copy has a value.
func copyHas(path, value string) func(call *acdhost.Call) bool {
	return func(call *acdhost.Call) bool { return isCopy(call.Entry) && acdhost.Text(call.Entry, path) == value }
}

// has reports whether a list of the called copy has an item.
func has(path string) func(call *acdhost.Call) bool {
	return func(call *acdhost.Call) bool { return isCopy(call.Entry) && len(acdhost.Texts(call.Entry, path)) > 0 }
}

// runsRefused runs what a gate refuses, and refuses the call afterwards.
func runsRefused(name string) defect {
	return func(h *acdhost.Host) {
		for i, gate := range h.Gates {
			if gate.Name != name {
				continue
			}
			h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
				err := gate.Check(h, call)
				if err != nil && !isShell(call) {
					_, _ = h.Run(context.Background(), call)
				}
				return err
			}
		}
	}
}

// orthogonalDefects returns agents in which a member of a descriptor affects a behaviour that it must
// not affect.
func orthogonalDefects() []mutant.Mutant {
	unlogged := func(path, value string) defect {
		return recordedAs(func(_ object, call *acdhost.Call) bool { return copyHas(path, value)(call) },
			func(object, *acdhost.Call, any) object { return nil })
	}
	granted := func(_ object, call *acdhost.Call) bool { return grantsItself(call) && isCopy(call.Entry) }
	return []mutant.Mutant{
		newMutant("permission-of-medium-danger", "ACD-SDK2-02",
			"Checks no permissions of capabilities with the danger level medium.",
			removesGate(acdhost.GatePermission, copyHas("permissions.danger_level", "medium"))).WithFixtures(),
		newMutant("permission-of-llm", "ACD-SDK2-02", "Checks no permissions of capabilities with the substrate llm.",
			removesGate(acdhost.GatePermission, copyHas("execution.substrate", "llm"))).WithRole("echo"),
		newMutant("permission-of-aliased", "ACD-SDK2-02",
			"Checks no permissions of capabilities with command aliases.",
			removesGate(acdhost.GatePermission, has("invocation.command_aliases"))),
		newMutant("permission-of-exposed", "ACD-SDK2-02", "Checks no permissions of capabilities that name channels.",
			removesGate(acdhost.GatePermission, has("exposure.channels"))),
		newMutant("permission-of-networked", "ACD-SDK2-02",
			"Checks no permissions of capabilities that depend on resources.",
			removesGate(acdhost.GatePermission, has("dependencies.resources"))),
		newMutant("mode-of-logged", "ACD-SDK2-04", "Checks no mode of capabilities whose outputs are logged.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool {
				return isCopy(call.Entry) && acdhost.Flag(call.Entry, "audit.log_outputs", false)
			})),
		newMutant("mode-of-templates", "ACD-SDK2-04", "Checks no mode of templates.",
			removesGate(acdhost.GateMode, copyHas("kind", "template"))).WithFixtures(),
		newMutant("disabled-human", "ACD-SDK2-05", "Runs disabled capabilities with the scope human.",
			removesGate(acdhost.GateEnabled, copyHas("exposure.scope", "human"))).WithFixtures(),
		newMutant("human-unlogged", "ACD-SDK6-01", "Logs no invocation of capabilities with the scope human.",
			unlogged("exposure.scope", "human")).WithFixtures(),
		newMutant("granted-unlogged", "ACD-SDK6-01",
			"Logs no invocation of capabilities whose permissions are granted by default.",
			recordedAs(granted, func(object, *acdhost.Call, any) object { return nil })).WithFixtures(),
		newMutant("mode-refused-late", "ACD-SDK2-04",
			"Refuses a mode that the descriptor does not list after the call has run.",
			runsRefused(acdhost.GateMode)).WithRole("echo"),
	}
}

// hookOrthogonals returns agents in which a member of a descriptor affects its hooks.
func hookOrthogonals() []mutant.Mutant {
	hooks := func(kind string, which func(call *acdhost.Call) bool) defect {
		return hookedAs(kind, func(_ int64, call *acdhost.Call) int {
			if which(call) {
				return 0
			}
			return 1
		})
	}
	return []mutant.Mutant{
		newMutant("pre-not-for-agents", "ACD-SDK6-02",
			"Runs no hook of pre_invoke of capabilities with the scope agent.",
			hooks("pre_invoke", copyHas("exposure.scope", "agent"))).WithFixtures(),
		newMutant("post-not-where-granted", "ACD-SDK6-06",
			"Runs no hook of post_invoke of capabilities whose permissions are granted by default.",
			hooks("post_invoke", func(call *acdhost.Call) bool {
				return grantsItself(call) &&
					isCopy(call.Entry)
			})).WithFixtures(),
		newMutant("hooks-without-permissions", "ACD-SDK6-02",
			"Runs no hook of pre_invoke that requires a permission.",
			beforeBy(func(ctx context.Context, h *acdhost.Host, call *acdhost.Call, id string) {
				if len(acdhost.Texts(h.Find(id), "permissions.required")) == 0 {
					h.Hook(ctx, id, call)
				}
			})).WithFixtures(),
		newMutant("hooks-on-another-substrate", "ACD-SDK2-03", "Runs hooks on the substrate agent.",
			beforeBy(func(_ context.Context, h *acdhost.Host, call *acdhost.Call, id string) {
				if entry := h.Find(id); entry != nil && acdhost.Flag(entry, "status.enabled", true) &&
					(!isCopy(entry) || hasEach(call, acdhost.Texts(entry, "permissions.required"))) {
					h.LogExecution(id, "agent")
				}
			})).WithRole("echo"),
	}
}

// beforeBy runs the hooks of pre_invoke in another way.
func beforeBy(run func(ctx context.Context, h *acdhost.Host, call *acdhost.Call, id string)) defect {
	return func(h *acdhost.Host) {
		h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, do func(context.Context) (any, error)) (any, error) {
			for _, id := range acdhost.Texts(call.Entry, "lifecycle.hooks.pre_invoke") {
				run(ctx, h, call, id)
			}
			output, err := do(ctx)
			if err != nil {
				h.Hooks(ctx, call, "on_error")
				return nil, err
			}
			h.Hooks(ctx, call, "post_invoke")
			return output, nil
		}
	}
}

// hasEach reports whether a caller has all permissions.
func hasEach(call *acdhost.Call, permissions []string) bool {
	return !slices.ContainsFunc(permissions, func(one string) bool { return !hasPermission(call, one) })
}
