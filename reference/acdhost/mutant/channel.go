package acdmutant

import (
	"context"
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

const shellID = "conformance.shell"

func isShell(call *acdhost.Call) bool {
	return acdhost.Text(call.Entry, "execution.substrate") == "shell"
}

// shells returns agents that do not restrict the shell (FR-SDK-4).
func shells() []mutant.Mutant {
	preamble := func(text string) defect {
		return func(h *acdhost.Host) {
			h.Executors["shell"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
				return acdhost.RunScript(ctx, text, acdhost.Text(call.Input, "script"))
			}
		}
	}
	shown := func(which func(c acdhost.Channel, entry object) bool) defect {
		return func(h *acdhost.Host) {
			original := h.Realizes
			h.Realizes = func(c acdhost.Channel, entry map[string]any) bool { return which(c, entry) || original(c, entry) }
		}
	}
	return []mutant.Mutant{
		newMutant("shell-by-umf-alone", "ACD-SDK4-01", "Runs its shell only for UMF messages.",
			addsGate(isShell)).WithRole("shell"),
		newMutant("shell-permission-unchecked", "ACD-SDK4-02", "Runs its shell for callers without its permission.",
			removesGate(acdhost.GatePermission, isShell)).WithRole("shell"),
		newMutant("shell-without-permission", "ACD-SDK4-02", "Has a shell that requires no permission.",
			changesDescriptor(entryOf(shellID), setAt("permissions.required", []any{}))).WithRole("shell"),
		newMutant("shell-free", "ACD-SDK4-03", "Runs its shell without a sandbox.", preamble("")).WithRole("shell"),
		newMutant("shell-on-mcp", "ACD-SDK4-04", "Lists its shell on the channel mcp.",
			shown(func(c acdhost.Channel, entry object) bool {
				return c.ID == "mcp" && acdhost.Text(entry, "execution.substrate") == "shell"
			})).WithFixtures(),
		newMutant("shell-through-channel", "ACD-SDK4-04", "Runs its shell for calls that come through a channel.",
			removesGate(acdhost.GateChannel, isShell)).WithRole("shell"),
		newMutant("shell-scope-channel", "ACD-SDK4-04", "Gives its shell the scope channel.",
			changesDescriptor(entryOf(shellID), setAt("exposure.scope", "channel"))).WithFixtures(),
		newMutant("shell-for-people", "ACD-SDK4-05", "Gives its shell the scope human.",
			changesDescriptor(entryOf(shellID), setAt("exposure.scope", "human"))).WithFixtures(),
		newMutant("shell-public", "ACD-SDK4-05", "Gives its shell the scope public.",
			changesDescriptor(entryOf(shellID), setAt("exposure.scope", "public"))).WithFixtures(),
	}
}

// projects projects capabilities that a channel refuses.
func projects(which func(h *acdhost.Host, params object) bool) defect {
	return func(h *acdhost.Host) {
		changesOperation(acdhost.OpProject, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				result, err := original(ctx, params)
				if err != nil && which(h, params) {
					return map[string]any{"capability_id": params["capability_id"], "rendering": "text"}, nil
				}
				return result, err
			}
		})(h)
	}
}

// channelAnswers returns agents whose channels show another capability than the requested one, or omit one.
func channelAnswers() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("cli-without-new", "ACD-EX2-02",
			"Shows on the channel cli only capabilities that existed at the start or name the channel.",
			func(h *acdhost.Host) {
				original := h.Realizes
				h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
					fresh := strings.HasPrefix(acdhost.Text(entry, "capability_id"), probes) &&
						len(acdhost.Texts(entry, "exposure.channels")) == 0
					return original(c, entry) && (c.ID != "cli" || !fresh)
				}
			}).WithFixtures(),
	}
}
