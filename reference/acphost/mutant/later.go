package acpmutant

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// laters break at a later place what they keep at the first.
func laters() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("prompt-before-results", "ACP-EXEC-10", "Tells the prompt until a tool gave a result, and leaves it out then.", func(h *acphost.Host) {
			sound := h.Complete
			h.Complete = func(ctx context.Context, request object) (acphost.Reply, error) {
				messages, _ := request["messages"].([]any)
				is := func(role string) func(any) bool {
					return func(message any) bool { m, _ := message.(object); return m["role"] == role }
				}
				if !slices.ContainsFunc(messages, is("tool")) {
					return sound(ctx, request)
				}
				later := clone(request)
				later["messages"] = slices.DeleteFunc(slices.Clone(messages), is("system"))
				return sound(ctx, later)
			}
		}),
		newMutant("parameters-lost-by-restart", "ACP-EXEC-11", "Shows tools without their parameters once it was restarted.", func(h *acphost.Host) {
			var restarted atomic.Bool
			reopen, parameters := h.Reopen, h.Parameters
			h.Reopen = func() error {
				restarted.Store(true)
				return reopen()
			}
			h.Parameters = func(p *acphost.Package, tool acphost.Tool) any {
				if restarted.Load() {
					return object{"type": "object"}
				}
				return parameters(p, tool)
			}
		}),
		newMutant("done-by-get", "ACP-BIND-07", "Executes http_post as a GET where the address says done.", func(h *acphost.Host) {
			get, post := h.Binders["http_get"], h.Binders["http_post"]
			h.Binders["http_post"] = func(ctx context.Context, binding acphost.Binding, arguments object) (acphost.Result, error) {
				if url, _ := binding.Members["url"].(string); strings.Contains(url, "/done/") {
					return get(ctx, binding, arguments)
				}
				return post(ctx, binding, arguments)
			}
		}),
		newMutant("done-without-payload", "ACP-EXEC-06", "Gives no arguments to an agent that says done.", onBinder("nuwa_a2a",
			func(sound acphost.Binder, ctx context.Context, binding acphost.Binding, arguments object) (acphost.Result, error) {
				if did, _ := binding.Members["target_did"].(string); strings.HasSuffix(did, "-done") {
					arguments = object{}
				}
				return sound(ctx, binding, arguments)
			})),
		newMutant("upgrade-old-prompt-of-verbs", "ACP-ABS-04", "Keeps the prompt of the version before where the new one declares a further verb.", upgrades(
			func(before, p *acphost.Package) {
				if len(p.Permissions) > len(before.Permissions) {
					p.Prompt = before.Prompt
				}
			})),
	}
}
