package acpmutant

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// occasions returns routers and runtimes whose defect shows on few occasions.
func occasions() []mutant.Mutant {
	return slices.Concat(missedTriggers(), stackOccasions(), doneOccasions(), changedBindings(), objectOccasions())
}

// missedTriggers returns routers that do not find every matching trigger.
func missedTriggers() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("trigger-first-line", "ACP-FIELD-06", "Tests triggers only against the first line of a message.",
			changesTriggerText(func(text string) string {
				first, _, _ := strings.Cut(text, "\n")
				return first
			})),
		newMutant("trigger-letters-dropped", "ACP-FIELD-06", "Drops non-ASCII letters before it tests triggers.",
			changesTriggerText(func(text string) string {
				return strings.Map(func(r rune) rune {
					if r > 127 {
						return -1
					}
					return r
				}, text)
			})),
		newMutant("triggers-of-eight", "ACP-FIELD-06", "Tests only the triggers of the first eight packages.",
			func(h *acphost.Host) {
				original := h.Classify
				h.Classify = func(ctx context.Context, text string) *acphost.Package {
					p := original(ctx, text)
					if slices.Index(h.Installed(), p) >= 8 {
						return nil
					}
					return p
				}
			}).AlsoBreaks("ACP-ABS-04", "the packages that are upgraded were installed later"),
	}
}

// stackOccasions returns routers that obey commands, or test the top first, on most occasions.
func stackOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("back-once", "ACP-ROUTE-01", "Obeys only the first /back of a conversation.", func(h *acphost.Host) {
			var obeyed sync.Map
			original := h.Commands["/back"]
			delete(h.Commands, "/back")
			route, fallback := h.Route, h.Fallback
			h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
				if _, again := obeyed.Load(c); text == "/back" && !again {
					return nil
				}
				return route(ctx, c, text)
			}
			h.Fallback = func(ctx context.Context, c *acphost.Conversation, text string) (string, error) {
				if _, again := obeyed.LoadOrStore(c, true); text == "/back" && !again {
					return original(c, ""), nil
				}
				return fallback(ctx, c, text)
			}
		}),
		newMutant("back-everywhere", "ACP-ROUTE-01", "Goes back in all conversations if one goes back.", goesBackEverywhere),
		newMutant("top-first-twice", "ACP-ROUTE-02", "Tests the top first only for the first two messages of a conversation.",
			testsTopFirstTwice).
			AlsoBreaks("ACP-DONE-01", "a capability that is not done loses the third message of a conversation"),
		newMutant("switch-in-open-conversations", "ACP-ROUTE-04", "Obeys /switch only if a capability is active.",
			func(h *acphost.Host) {
				original := h.Commands["/switch"]
				h.Commands["/switch"] = func(c *acphost.Conversation, argument string) string {
					if c.Top() == "" {
						return "No capability is active."
					}
					return original(c, argument)
				}
			}),
		newMutant("switch-to-new", "ACP-ROUTE-04", "Ignores /switch to a capability that is already on the stack.",
			func(h *acphost.Host) {
				original := h.Commands["/switch"]
				h.Commands["/switch"] = func(c *acphost.Conversation, argument string) string {
					if slices.Contains(c.Stack(), argument) {
						return "It is already active."
					}
					return original(c, argument)
				}
			}),
	}
}

// goesBackEverywhere also goes back in every other conversation that has the same capability on top.
func goesBackEverywhere(h *acphost.Host) {
	var seen sync.Map
	turn, original := h.ReplaceActive, h.Commands["/back"]
	h.ReplaceActive = func(c *acphost.Conversation, from, to *acphost.Package) {
		seen.Store(c, true)
		turn(c, from, to)
	}
	h.Commands["/back"] = func(c *acphost.Conversation, argument string) string {
		top := c.Top()
		answer := original(c, argument)
		seen.Range(func(other, _ any) bool {
			if conversation, isOne := other.(*acphost.Conversation); isOne && conversation.Top() == top {
				conversation.Drop(top)
			}
			return true
		})
		return answer
	}
}

// doneOccasions returns routers that end more than the capability that is done.
func doneOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("done-ends-all", "ACP-DONE-01", "Empties the stack if one capability is done.", func(h *acphost.Host) {
			h.Leave = func(c *acphost.Conversation, _ *acphost.Package) {
				for c.Pop() != "" {
				}
			}
		}),
		newMutant("done-uninstalls", "ACP-DONE-01", "Uninstalls a capability that is done.", func(h *acphost.Host) {
			original, gone := h.Leave, sync.Map{}
			h.Leave = func(c *acphost.Conversation, p *acphost.Package) {
				gone.Store(p.Name, true)
				original(c, p)
			}
			find, classify := h.Find, h.Classify
			there := func(p *acphost.Package) *acphost.Package {
				if p != nil {
					if _, is := gone.Load(p.Name); is {
						return nil
					}
				}
				return p
			}
			h.Find = func(name string) *acphost.Package { return there(find(name)) }
			h.Classify = func(ctx context.Context, text string) *acphost.Package { return there(classify(ctx, text)) }
		}),
	}
}

// changedBindings returns routers that change a prompt, or runtimes that change a binding.
func changedBindings() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("prompt-braces-dropped", "ACP-EXEC-10", "Drops text in braces from a prompt.",
			func(h *acphost.Host) {
				braces := regexp.MustCompile(`\{[^{}]*\}`)
				h.System = func(p *acphost.Package) string { return braces.ReplaceAllString(p.Prompt, "") }
			}),
		newMutant("prompt-headings-dropped", "ACP-EXEC-10", "Drops the lines of a prompt that begin with #.",
			func(h *acphost.Host) {
				comment := regexp.MustCompile(`(?m)^#.*\n`)
				h.System = func(p *acphost.Package) string { return comment.ReplaceAllString(p.Prompt, "") }
			}),
		newMutant("method-short", "ACP-BIND-08", "Calls the method of an agent without the part before its dot.",
			changesBindingMember("nuwa_a2a", "service_method", func(method string) string {
				return method[strings.LastIndex(method, ".")+1:]
			})),
		newMutant("address-with-slash", "ACP-BIND-07", "Adds a slash to the path of an http_post.",
			changesBindingMember("http_post", "url", func(url string) string {
				path, query, _ := strings.Cut(url, "?")
				return path + "/?" + query
			})),
		newMutant("action-lower-case", "ACP-BIND-09", "Calls the action of a service in lower case.",
			changesBindingMember("mcp_service", "mcp_action", strings.ToLower)),
	}
}

// objectOccasions returns runtimes that handle most objects correctly.
func objectOccasions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("patch-tests-of-members", "ACP-STATE-02", "Evaluates a test of a patch only at the top level of an object.",
			patches(func(_ object, patch []any) []any {
				return slices.DeleteFunc(patch, func(one any) bool {
					members, _ := one.(object)
					path, _ := members["path"].(string)
					return members["op"] == "test" && strings.Count(path, "/") > 1
				})
			})),
		newMutant("letters-composed", "ACP-STATE-01", "Stores a letter and its accent as one character.",
			onVerb(acphost.Create, func(original acphost.Verb, ctx context.Context, p *acphost.Package,
				arguments object) (any, error) {
				changed := clone(arguments)
				value, _ := changed["object"].(object)
				for name, member := range value {
					if text, is := member.(string); is {
						value[name] = strings.ReplaceAll(text, "e\u0301", "\u00e9")
					}
				}
				return original(ctx, p, changed)
			})),
		newMutant("uri-version-ignored", "ACP-FIELD-15", "Treats a schema URI of another version as its own.",
			func(h *acphost.Host) {
				original := h.CheckSchemaURI
				h.CheckSchemaURI = func(p *acphost.Package, verb, uri string) error {
					if name, _, _ := strings.Cut(p.SchemaURI, "#"); strings.HasPrefix(uri, name+"#") {
						return nil
					}
					return original(p, verb, uri)
				}
				h.Partition = func(p *acphost.Package, uri string) string {
					name, _, _ := strings.Cut(uri, "#")
					return p.Scope + " " + name
				}
			}),
		newMutant("deleted-listed", "ACP-STATE-06", "Lists deleted objects if a filter names no member.",
			deletedListed(func(arguments object) bool {
				filter, _ := arguments["query"].(object)
				return len(filter) == 0
			})),
		newMutant("deleted-in-pages", "ACP-STATE-06", "Lists deleted objects on the later pages of a query.",
			deletedListed(func(arguments object) bool { return arguments["cursor"] != nil })),
		newMutant("changed-not-deleted", "ACP-STATE-06", "Reports the deletion of a changed object, and keeps it.",
			changedNotDeleted),
	}
}

// changesTriggerText changes the text against which triggers are tested.
func changesTriggerText(change func(string) string) defect {
	return func(h *acphost.Host) {
		for kind, original := range h.Triggers {
			h.Triggers[kind] = func(value, text string) bool { return original(value, change(text)) }
		}
	}
}

func testsTopFirstTwice(h *acphost.Host) {
	var mutex sync.Mutex
	messages := map[*acphost.Conversation]int{}
	original := h.Route
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		mutex.Lock()
		messages[c]++
		late := messages[c] > 2
		mutex.Unlock()
		top := h.Find(c.Top())
		if p := h.Classify(ctx, text); late && p != nil && p != top {
			h.ReplaceActive(c, top, p)
			return p
		}
		return original(ctx, c, text)
	}
}

// changesBindingMember changes a member of the bindings of a type.
func changesBindingMember(kind, member string, change func(string) string) defect {
	return onBinder(kind, func(original acphost.Binder, ctx context.Context, binding acphost.Binding,
		arguments object) (acphost.Result, error) {
		changed := object{}
		for name, value := range binding.Members {
			changed[name] = value
		}
		text, _ := changed[member].(string)
		changed[member] = change(text)
		binding.Members = changed
		return original(ctx, binding, arguments)
	})
}

// deletedListed adds deleted objects to the results of some queries.
func deletedListed(where func(arguments object) bool) defect {
	return func(h *acphost.Host) {
		var mutex sync.Mutex
		gone := map[*acphost.Package][]any{}
		query, remove := h.Verbs[acphost.Query], h.Verbs[acphost.Delete]
		objects := func(result any) []any {
			page, _ := result.(object)
			found, _ := page["objects"].([]any)
			return found
		}
		h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			found, _ := query(ctx, p, object{"query": object{"id": arguments["id"]}}) // only existing objects are kept
			result, err := remove(ctx, p, arguments)
			if err == nil {
				mutex.Lock()
				defer mutex.Unlock()
				gone[p] = append(gone[p], objects(found)...)
			}
			return result, err
		}
		h.Verbs[acphost.Query] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
			result, err := query(ctx, p, arguments)
			if page, is := result.(object); is && err == nil && where(arguments) {
				mutex.Lock()
				defer mutex.Unlock()
				listed := objects(result)
				for _, one := range gone[p] {
					if meets, err := h.Matches(arguments["query"], one); err == nil && meets {
						listed = append(listed, one)
					}
				}
				page["objects"] = listed
			}
			return result, err
		}
	}
}

func changedNotDeleted(h *acphost.Host) {
	var changed sync.Map
	update, remove := h.Verbs[acphost.Update], h.Verbs[acphost.Delete]
	h.Verbs[acphost.Update] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		changed.Store(arguments["id"], true)
		return update(ctx, p, arguments)
	}
	h.Verbs[acphost.Delete] = func(ctx context.Context, p *acphost.Package, arguments object) (any, error) {
		if _, is := changed.Load(arguments["id"]); is {
			return object{"deleted": arguments["id"]}, nil
		}
		return remove(ctx, p, arguments)
	}
}
