package acpmutant

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// routerExtents returns routers that fail for what is long, large or many.
func routerExtents() []mutant.Mutant {
	const longMessage, largeFile, manyTools, shortMessage = 4000, 32 << 10, 20, 200
	return []mutant.Mutant{
		newMutant("message-of-4000", "ACP-EXEC-01", "Sends only the first 4000 characters of a message.",
			changesUserMessage(func(text string) string { return beginning(text, longMessage) })),
		newMutant("trigger-of-4000", "ACP-FIELD-06", "Tests triggers only against the first 4000 characters of a message.",
			func(h *acphost.Host) {
				for kind, matches := range h.Triggers {
					h.Triggers[kind] = func(value, text string) bool { return matches(value, beginning(text, longMessage)) }
				}
			}),
		newMutant("triggers-of-five", "ACP-FIELD-06", "Tests only the first five triggers of a package.",
			func(h *acphost.Host) {
				original := h.Mount
				h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
					p.Triggers = p.Triggers[:min(5, len(p.Triggers))]
					return original(installed, p)
				}
			}),
		newMutant("regex-of-words", "ACP-FIELD-06", "Matches regular expressions only with whole words.",
			func(h *acphost.Host) {
				original := h.Triggers["regex"]
				h.Triggers["regex"] = func(value, text string) bool { return original(`\b(?:`+value+`)\b`, text) }
			}),
		newMutant("top-of-short-messages", "ACP-ROUTE-02", "Tests the top first only for short messages.",
			func(h *acphost.Host) {
				original := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					if p := h.Classify(ctx, text); len(text) > shortMessage && p != nil {
						h.ReplaceActive(c, h.Find(c.Top()), p)
						return p
					}
					return original(ctx, c, text)
				}
			}),
		newMutant("large-file-unverified", "ACP-SEC-07", "Does not verify the signature of a large file.",
			acceptsSignatures(func(p *acphost.Package) bool { return len(p.Text) > largeFile })),
		newMutant("tools-of-twenty", "ACP-EXEC-11", "Shows only the first twenty tools of a package.",
			offersTools(func(_ *acphost.Host, p *acphost.Package) []acphost.Tool {
				return p.Tools[:min(manyTools, len(p.Tools))]
			})),
	}
}

// beginning truncates a text to a number of characters.
func beginning(text string, most int) string {
	runes := []rune(text)
	return string(runes[:min(most, len(runes))])
}

// routerForms returns routers that lose something of the form of prompts, messages and tools.
func routerForms() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("message-on-one-line", "ACP-EXEC-01", "Joins the lines of a message.",
			changesUserMessage(func(text string) string { return strings.Join(strings.Fields(text), " ") })),
		newMutant("prompt-on-one-line", "ACP-EXEC-10", "Joins the lines of a prompt.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string { return strings.Join(strings.Fields(p.Prompt), " ") }
		}),
		newMutant("parameters-without-title", "ACP-EXEC-11",
			"Removes each member named title from the parameters of tools, also a parameter of this name.",
			parametersWithout("title")),
		newMutant("parameters-undescribed", "ACP-EXEC-11", "Shows parameters of tools without their descriptions.",
			parametersWithout("description")),
		newMutant("reinstalled-from-cache", "ACP-ABS-02",
			"Uses the first file of a capability URI whenever a package of this URI is installed.", reinstallsFromCache),
		newMutant("done-as-number", "ACP-DONE-01", "Treats the number 1 as the value true.",
			func(h *acphost.Host) {
				original := h.Finished
				h.Finished = func(r acphost.Result) bool {
					members, _ := r.Value.(object)
					return original(r) || members["done"] == json.Number("1")
				}
			}),
	}
}

// parametersWithout removes each member of a name from the parameters of tools.
func parametersWithout(name string) defect {
	return func(h *acphost.Host) {
		original := h.Parameters
		h.Parameters = func(p *acphost.Package, tool acphost.Tool) any {
			shown := rpc.Clone(original(p, tool))
			dropKeyword(shown, name)
			return shown
		}
	}
}

func reinstallsFromCache(h *acphost.Host) {
	var first sync.Map
	original := h.Mount
	h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		known, _ := first.LoadOrStore(p.URI, p)
		p, _ = known.(*acphost.Package)
		return original(installed, p)
	}
}

// callsOfOneMessage returns runtimes that fail for calls of one message, or of messages that overlap.
func callsOfOneMessage() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("first-call-alone", "ACP-EXEC-05", "Executes only the first of several tool calls of one message.",
			completes(func(reply *acphost.Reply) { reply.Calls = reply.Calls[:min(1, len(reply.Calls))] })),
		newMutant("bindings-of-latest-message", "ACP-EXEC-05",
			"Looks up bindings in the package of the latest message of any conversation.", func(h *acphost.Host) {
				var latest atomic.Pointer[acphost.Package]
				route, bound := h.Route, h.BindingOf
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					p := route(ctx, c, text)
					latest.Store(p)
					return p
				}
				h.BindingOf = func(_ *acphost.Package, name string) (acphost.Binding, bool) { return bound(latest.Load(), name) }
			}),
	}
}

// completes changes the answers of the model.
func completes(change func(reply *acphost.Reply)) defect {
	return func(h *acphost.Host) {
		original := h.Complete
		h.Complete = func(ctx context.Context, request map[string]any) (acphost.Reply, error) {
			reply, err := original(ctx, request)
			change(&reply)
			return reply, err
		}
	}
}
