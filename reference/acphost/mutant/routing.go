package acpmutant

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// routes returns routers that route messages wrongly.
func routes() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("keywords-ignored", "ACP-FIELD-06", "Does not support keywords.",
			func(h *acphost.Host) { delete(h.Triggers, "keyword") }),
		newMutant("keywords-whole", "ACP-FIELD-06", "Matches a keyword only with the whole message.", func(h *acphost.Host) {
			h.Triggers["keyword"] = func(value, text string) bool { return strings.TrimSpace(text) == value }
		}),
		newMutant("regex-of-another", "ACP-FIELD-06",
			"Routes a message to the first package whose regular expression shares an alternative with the matching one.",
			sharesExpression).
			AlsoBreaks("ACP-MOT-02",
				"the message goes to the other package on the way back as well").AlsoBreaks("ACP-ROUTE-03",
			"it goes there, whatever is active"),
		newMutant("no-return", "ACP-MOT-02", "Never goes back to a capability that a conversation has left.", noReturn),
		newMutant("back-routed", "ACP-ROUTE-01", "Tests the triggers before it looks for /back.", routesCommand("/back")),
		newMutant("back-unknown", "ACP-ROUTE-01", "Does not support /back.",
			func(h *acphost.Host) { delete(h.Commands, "/back") }),
		newMutant("back-stays", "ACP-ROUTE-01", "Reports that it goes back, and stays.", func(h *acphost.Host) {
			h.Commands["/back"] = func(*acphost.Conversation, string) string { return "Left." }
		}),
	}
}

// switches returns routers that switch or keep capabilities wrongly.
func switches() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("switch-routed", "ACP-ROUTE-04", "Tests the triggers before it looks for /switch.",
			routesCommand("/switch")),
		newMutant("switch-unknown", "ACP-ROUTE-04", "Does not support /switch.",
			func(h *acphost.Host) { delete(h.Commands, "/switch") }),
		newMutant("switch-stays", "ACP-ROUTE-04", "Reports that it switches, and stays.", func(h *acphost.Host) {
			h.Commands["/switch"] = func(_ *acphost.Conversation, name string) string { return "Switched to " + name + "." }
		}),
		newMutant("triggers-before-top", "ACP-ROUTE-02", "Classifies every message again and never tests the top first.",
			func(h *acphost.Host) {
				original := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					top := h.Find(c.Top())
					if p := h.Classify(ctx, text); p != nil && p != top {
						h.ReplaceActive(c, top, p)
						return p
					}
					return original(ctx, c, text)
				}
			}),
		newMutant("top-keeps-all", "ACP-ROUTE-03", "Keeps a conversation with its first capability until a user switches.",
			func(h *acphost.Host) {
				original := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					if top := h.Find(c.Top()); top != nil {
						return top
					}
					return original(ctx, c, text)
				}
			}).AlsoBreaks("ACP-MOT-02", "no conversation goes to another capability"),
		newMutant("fallback-fails", "ACP-COMP-01", "Answers a message that no capability fits with an error.",
			func(h *acphost.Host) {
				h.Fallback = func(context.Context, *acphost.Conversation, string) (string, error) {
					return "", errors.New("no capability fits")
				}
			}),
		newMutant("fallback-silent", "ACP-COMP-01", "Returns no answer to a message that no capability fits.",
			func(h *acphost.Host) {
				h.Fallback = func(context.Context, *acphost.Conversation, string) (string, error) { return "", nil }
			}),
		newMutant("fallback-to-first", "ACP-COMP-01",
			"Routes a message that no capability fits to the one that was installed last.", func(h *acphost.Host) {
				original := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					p := original(ctx, c, text)
					if all := h.Installed(); p == nil && len(all) > 0 {
						return all[len(all)-1]
					}
					return p
				}
			}),
	}
}

// routesCommand routes a command to a capability whose trigger matches it.
func routesCommand(command string) defect {
	return func(h *acphost.Host) {
		original := h.Commands[command]
		delete(h.Commands, command)
		route, fallback := h.Route, h.Fallback
		h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
			if order, _, _ := strings.Cut(text, " "); order == command && h.Classify(ctx, text) == nil {
				return nil
			}
			return route(ctx, c, text)
		}
		h.Fallback = func(ctx context.Context, c *acphost.Conversation, text string) (string, error) {
			if order, argument, _ := strings.Cut(text, " "); order == command {
				return original(c, argument), nil
			}
			return fallback(ctx, c, text)
		}
	}
}

func sharesExpression(h *acphost.Host) {
	parts := func(p *acphost.Package) []string {
		var found []string
		for _, trigger := range p.Triggers {
			if trigger.Type == "regex" {
				found = append(found, strings.Split(trigger.Value, "|")...)
			}
		}
		return found
	}
	classify := h.Classify
	h.Classify = func(ctx context.Context, text string) *acphost.Package {
		meant := classify(ctx, text)
		if meant == nil {
			return nil
		}
		for _, p := range h.Installed() {
			for _, part := range parts(p) {
				if slices.Contains(parts(meant), part) {
					return p
				}
			}
		}
		return meant
	}
}

func noReturn(h *acphost.Host) {
	var mutex sync.Mutex
	type place struct {
		conversation *acphost.Conversation
		name         string
	}
	left := map[place]bool{}
	route, turn := h.Route, h.ReplaceActive
	h.ReplaceActive = func(c *acphost.Conversation, from, to *acphost.Package) {
		if from != nil {
			mutex.Lock()
			left[place{c, from.Name}] = true
			mutex.Unlock()
		}
		turn(c, from, to)
	}
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		if p := h.Classify(ctx, text); p != nil {
			mutex.Lock()
			gone := left[place{c, p.Name}]
			mutex.Unlock()
			if gone {
				return nil
			}
		}
		return route(ctx, c, text)
	}
}

// stacks returns routers that leave a capability wrongly.
func stacks() []mutant.Mutant {
	finished := func(done func(result acphost.Result) bool) defect {
		return func(h *acphost.Host) { h.Finished = done }
	}
	onlyOf := func(kind string) defect {
		return onBinderResult(kind, func(result acphost.Result) acphost.Result {
			result.Done = false
			return result
		})
	}
	return []mutant.Mutant{
		newMutant("done-ignored", "ACP-DONE-01", "Ignores done.", finished(func(acphost.Result) bool { return false })),
		newMutant("done-of-service-ignored", "ACP-DONE-01", "Ignores done in the result of a service.",
			onlyOf("mcp_service")),
		newMutant("done-of-body-ignored", "ACP-DONE-01", "Ignores done in the body of a response.", onlyOf("http_post")),
		newMutant("done-in-text-ignored", "ACP-DONE-01", "Ignores done in the text of a service.",
			finished(func(r acphost.Result) bool { return r.Done && !r.InText })),
		newMutant("done-always", "ACP-DONE-01", "Treats every result of a tool as done.",
			finished(func(acphost.Result) bool { return true })),
		newMutant("done-if-named", "ACP-DONE-01", "Treats any value of the member done as true.",
			finished(func(r acphost.Result) bool {
				members, _ := r.Value.(object)
				_, named := members["done"]
				return named
			})),
		newMutant("done-as-text", "ACP-DONE-01", "Treats the text true as the value true.",
			finished(func(r acphost.Result) bool {
				members, _ := r.Value.(object)
				return r.Done || members["done"] == "true"
			})),
		newMutant("done-stays", "ACP-DONE-01", "Recognises done, and keeps the capability on the stack.",
			func(h *acphost.Host) {
				h.Leave = func(*acphost.Conversation, *acphost.Package) {}
			}),
		newMutant("stack-deeper", "ACP-DONE-03", "Pushes a newly classified capability on top of the previous one.",
			func(h *acphost.Host) {
				h.ReplaceActive = func(c *acphost.Conversation, _, to *acphost.Package) { c.Push(to.Name) }
			}),
	}
}

// patience returns routers that do not stop as required what takes too long.
func patience() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("patience-stays", "ACP-DONE-02", "Stops what takes too long, and leaves it on top of the stack.",
			func(h *acphost.Host) {
				h.GiveUp = func(*acphost.Conversation, *acphost.Package) string { return "That took too long." }
			}),
		newMutant("patience-model-stays", "ACP-DONE-02",
			"Stops what waits too long for the model, and leaves it on top of the stack.", func(h *acphost.Host) {
				original := h.Complete
				h.Complete = func(ctx context.Context, request object) (acphost.Reply, error) {
					reply, err := original(ctx, request)
					if err != nil && ctx.Err() != nil {
						return acphost.Reply{Text: "That took too long."}, nil
					}
					return reply, err
				}
			}),
		newMutant("patience-other", "ACP-DONE-02", "Reports that it obeys timeouts, and waits much longer.",
			func(h *acphost.Host) {
				original := h.AnswerTimeout
				h.AnswerTimeout = func() time.Duration { return 100 * original() }
			}),
		newMutant("patience-uninstalls", "ACP-DONE-02", "Uninstalls what takes too long.",
			givesUp(func(p, other *acphost.Package) bool { return other == p })),
		newMutant("patience-drops-others", "ACP-DONE-02", "Uninstalls everything beside what takes too long.",
			givesUp(func(p, other *acphost.Package) bool { return other != p })),
	}
}

// givesUp uninstalls some packages if a capability took too long.
func givesUp(drops func(p, other *acphost.Package) bool) defect {
	return func(h *acphost.Host) {
		original := h.GiveUp
		h.GiveUp = func(c *acphost.Conversation, p *acphost.Package) string {
			answer := original(c, p)
			for _, other := range h.Installed() {
				if drops(p, other) {
					_, _ = h.Provided[acphost.OpUninstall](context.Background(), object{"cap_uri": other.URI}) // it is installed
				}
			}
			return answer
		}
	}
}

// onBinderResult changes the results of bindings of one type.
func onBinderResult(kind string, turn func(acphost.Result) acphost.Result) defect {
	return onBinder(kind, func(original acphost.Binder, ctx context.Context, binding acphost.Binding,
		arguments object) (acphost.Result, error) {
		result, err := original(ctx, binding, arguments)
		return turn(result), err
	})
}
