package acpmutant

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// conversationDefects returns routers that are correct at first, or in most cases.
func conversationDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("uninstall-takes-another", "ACP-ABS-02",
			"Uninstalls the first installed package together with the named one.", uninstallsAnother),
		newMutant("uninstall-ends-conversations", "ACP-ABS-02",
			"Routes no more messages in conversations in which a capability was uninstalled.", endsConversations),
		newMutant("upgrade-old-triggers", "ACP-ABS-04", "Keeps the triggers of the previous version.",
			changesUpgrade(func(before, p *acphost.Package) { p.Triggers = before.Triggers })),
		newMutant("upgrade-old-bindings", "ACP-ABS-04", "Keeps the bindings of the previous version.",
			changesUpgrade(func(before, p *acphost.Package) {
				for name, binding := range before.Bindings {
					p.Bindings[name] = binding
				}
			})),
		newMutant("trigger-first-keyword", "ACP-FIELD-06", "Tests only the first keyword of a package.",
			firstTrigger("keyword")),
		newMutant("descriptions-withheld", "ACP-EXEC-11", "Shows tools without descriptions.",
			changesRequest(func(turn *acphost.Turn, request object) {
				tools, _ := request["tools"].([]any)
				for _, tool := range tools {
					members, _ := tool.(object)
					function, _ := members["function"].(object)
					delete(function, "description")
				}
			})),
		newMutant("prompt-once", "ACP-EXEC-10",
			"Sends the prompt only with the first message of a capability in a conversation.", promptOnce),
		newMutant("done-everywhere", "ACP-DONE-01",
			"Ends a capability that is done in one conversation in all conversations.",
			endsEverywhere),
		newMutant("done-of-get-ignored", "ACP-DONE-01", "Ignores done in the response to http_get.",
			onBinderResult("http_get", func(result acphost.Result) acphost.Result {
				result.Done = false
				return result
			})),
	}
}

func promptOnce(h *acphost.Host) {
	type place struct {
		conversation *acphost.Conversation
		name         string
	}
	var result sync.Map
	changesRequest(func(turn *acphost.Turn, request object) {
		messages, _ := request["messages"].([]any)
		if _, before := result.LoadOrStore(place{turn.Conversation, turn.Package.Name}, true); before && len(messages) > 1 {
			request["messages"] = messages[1:]
		}
	})(h)
}

func uninstallsAnother(h *acphost.Host) {
	var once sync.Once
	original := h.Dismount
	h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		installed = original(installed, p)
		once.Do(func() {
			if len(installed) > 0 {
				installed = installed[1:]
			}
		})
		return installed
	}
}

// endsEverywhere removes a capability that is done from the stack of every conversation.
func endsEverywhere(h *acphost.Host) {
	var seen sync.Map
	turn, leave := h.ReplaceActive, h.Leave
	h.ReplaceActive = func(c *acphost.Conversation, from, to *acphost.Package) {
		seen.Store(c, true)
		turn(c, from, to)
	}
	h.Leave = func(c *acphost.Conversation, p *acphost.Package) {
		leave(c, p)
		seen.Range(func(other, _ any) bool {
			if conversation, isOne := other.(*acphost.Conversation); isOne {
				conversation.Drop(p.Name)
			}
			return true
		})
	}
}

// firstTrigger keeps only the first trigger of one type of each package.
func firstTrigger(kind string) defect {
	return func(h *acphost.Host) {
		mount := h.Mount
		h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
			seen := false
			p.Triggers = slices.DeleteFunc(p.Triggers, func(t acphost.Trigger) bool {
				exempt := t.Type == kind && seen
				seen = seen || t.Type == kind
				return exempt
			})
			return mount(installed, p)
		}
	}
}

// laterTurns returns hosts that are correct in the first turn and wrong in a later one.
func laterTurns() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("prompt-before-results", "ACP-EXEC-10",
			"Omits the prompt after a tool returned a result.", func(h *acphost.Host) {
				original := h.Complete
				h.Complete = func(ctx context.Context, request object) (acphost.Reply, error) {
					messages, _ := request["messages"].([]any)
					is := func(role string) func(any) bool {
						return func(message any) bool { m, _ := message.(object); return m["role"] == role }
					}
					if !slices.ContainsFunc(messages, is("tool")) {
						return original(ctx, request)
					}
					later := clone(request)
					later["messages"] = slices.DeleteFunc(slices.Clone(messages), is("system"))
					return original(ctx, later)
				}
			}),
		newMutant("parameters-lost-by-restart", "ACP-EXEC-11", "Shows tools without their parameters after a restart.",
			func(h *acphost.Host) {
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
	}
}

// bindingsInRareCases returns hosts that execute some bindings, or upgrade some packages, incorrectly.
func bindingsInRareCases() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("done-by-get", "ACP-BIND-07", "Executes http_post as a GET if the address contains done.",
			func(h *acphost.Host) {
				get, post := h.Binders["http_get"], h.Binders["http_post"]
				h.Binders["http_post"] = func(ctx context.Context, binding acphost.Binding,
					arguments object) (acphost.Result, error) {
					if url, _ := binding.Members["url"].(string); strings.Contains(url, "/done/") {
						return get(ctx, binding, arguments)
					}
					return post(ctx, binding, arguments)
				}
			}),
		newMutant("done-without-payload", "ACP-EXEC-06",
			"Sends no arguments to an agent that answers done.", onBinder("nuwa_a2a",
				func(original acphost.Binder, ctx context.Context, binding acphost.Binding, arguments object) (acphost.Result, error) {
					if did, _ := binding.Members["target_did"].(string); strings.HasSuffix(did, "-done") {
						arguments = object{}
					}
					return original(ctx, binding, arguments)
				})),
		newMutant("upgrade-old-prompt-of-verbs", "ACP-ABS-04",
			"Keeps the prompt of the previous version if the new one declares a further verb.", changesUpgrade(
				func(before, p *acphost.Package) {
					if len(p.Permissions) > len(before.Permissions) {
						p.Prompt = before.Prompt
					}
				})),
	}
}
