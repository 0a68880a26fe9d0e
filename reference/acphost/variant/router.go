package acpvariant

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// profiles returns hosts with other signature profiles.
func profiles() []variant.Variant {
	profile := func(name string) style {
		return func(h *acphost.Host) {
			h.Profile = name
			verifiesSignatures(h)
		}
	}
	return []variant.Variant{
		newVariant("profile-remove-line", "Signs and verifies a file without the line of the signature.",
			profile(acphost.RemoveLine), "ACP-FIELD-13"),
		newVariant("profile-canonical", "Signs and verifies the content of a file, not its bytes.",
			profile(acphost.Canonical), "ACP-FIELD-13", "ACP-SEC-08", "ACP-SEC-09").Ignoring("ACP-SEC-09"),
	}
}

// installations returns routers that install in other ways.
func installations() []variant.Variant {
	return []variant.Variant{
		newVariant("author-of-file", "Takes the author from the file and asks no registry.", func(h *acphost.Host) {
			h.AuthorOf = func(_ context.Context, p *acphost.Package) (string, error) { return p.Author, nil }
		}, "ACP-SEC-06"),
		newVariant("downloads-again", "Downloads a file again for a second installation.", func(h *acphost.Host) {
			h.Cached = func(string) []byte { return nil }
		}, "ACP-INST-03"),
		newVariant("keeps-files-for-ever", "Keeps the file of an uninstalled package in its cache.", cachesFiles,
			"ACP-INST-03", "ACP-ABS-02"),
		newVariant("refusal-without-error", "Does not install an invalid package, and answers as if it did.",
			func(h *acphost.Host) {
				original := h.Provided[acphost.OpInstall]
				h.Provided[acphost.OpInstall] = func(ctx context.Context, params object) (any, error) {
					result, err := original(ctx, params)
					if err != nil {
						return object{"cap_uri": "", "state": "quarantined"}, nil // this is the style
					}
					return result, nil
				}
			}, "ACP-SEC-01", "ACP-INST-04"),
		newVariant("upgrade-by-hand",
			"Requires the old version to be uninstalled before the new one is installed; its adapter does so.",
			requiresUninstallation,
			"ACP-ABS-04"),
		newVariant("versions-beside", "Keeps every installed version, and uses the newest.", keepsAllVersions,
			"ACP-ABS-04"),
		newVariant("prompt-warned", "Warns about a prompt with a forbidden pattern, and mounts it.", warnsAboutPrompt,
			"ACP-SEC-04"),
		newVariant("install-tells-more", "Returns more about an installation than the URI.",
			changesResult(acphost.OpInstall, func(result any) any {
				members, _ := result.(object)
				members["installed_at"], members["warnings"], members["tools"] = "2026-05-04T10:00:00Z", []any{}, 3
				return members
			}), "ACP-INST-01"),
	}
}

func cachesFiles(h *acphost.Host) {
	kept := newFileCache()
	original := h.Fetch
	h.Fetch = func(ctx context.Context, cid string) ([]byte, error) {
		content, err := original(ctx, cid)
		if err == nil && h.CheckCID(cid, content) == nil {
			kept.put(cid, content)
		}
		return content, err
	}
	h.Cached = kept.get
}

func requiresUninstallation(h *acphost.Host) {
	h.Rules = append(slices.Clone(h.Rules), acphost.Rule{Name: "upgrade", Check: func(p *acphost.Package) error {
		for _, other := range h.Installed() {
			if other.Name == p.Name && other.URI != p.URI {
				_, err := h.Provided[acphost.OpUninstall](context.Background(), object{"cap_uri": other.URI})
				return err
			}
		}
		return nil
	}})
}

func keepsAllVersions(h *acphost.Host) {
	h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
		return append(slices.DeleteFunc(installed, func(other *acphost.Package) bool { return other.URI == p.URI }), p)
	}
	classify := h.Classify
	h.Classify = func(ctx context.Context, text string) *acphost.Package {
		if p := classify(ctx, text); p != nil {
			return h.Find(p.Name)
		}
		return nil
	}
}

func warnsAboutPrompt(h *acphost.Host) {
	lint := h.CheckPrompt
	h.CheckPrompt = func(string) error { return nil }
	install := h.Provided[acphost.OpInstall]
	h.Provided[acphost.OpInstall] = func(ctx context.Context, params object) (any, error) {
		result, err := install(ctx, params)
		members, isObject := result.(object)
		if err != nil || !isObject {
			return result, err
		}
		for _, p := range h.Installed() {
			if fault := lint(p.Prompt); p.URI == members["cap_uri"] && fault != nil {
				members["warnings"] = []any{fault.Error()}
			}
		}
		return members, nil
	}
}

// routings returns routers that find the capability of a message in other ways.
func routings() []variant.Variant {
	asking := func(h *acphost.Host, system string, text string) (acphost.Reply, error) {
		return h.Complete(context.Background(), object{"model": "gpt-4o-mini", "messages": []any{
			object{"role": "system", "content": system}, object{"role": "user", "content": text},
		}})
	}
	return []variant.Variant{
		newVariant("classified-by-model",
			"Asks a model which of the named capabilities a message is for, and uses the triggers if the model has no answer.",
			func(h *acphost.Host) {
				original := h.Classify
				h.Classify = func(ctx context.Context, text string) *acphost.Package {
					var names []string
					for _, p := range h.Installed() {
						names = append(names, p.Name)
					}
					if _, err := asking(h, "Which of these is meant? "+strings.Join(names, ", "), text); err != nil {
						return nil
					}
					return original(ctx, text)
				}
			}, "ACP-ROUTE-03", "ACP-EXEC-12"),
		newVariant("top-asked-of-model",
			"Asks a model whether a message belongs to the active capability, and treats every answer except yes as no.",
			func(h *acphost.Host) {
				original := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					top := h.Find(c.Top())
					if top == nil {
						return original(ctx, c, text)
					}
					reply, err := asking(h, "Does the message belong to "+top.Name+"? Say yes or no.", text)
					if p := h.Classify(ctx, text); err == nil && p != nil && p != top &&
						!strings.HasPrefix(strings.ToLower(reply.Text), "yes") {
						h.ReplaceActive(c, top, p)
						return p
					}
					return original(ctx, c, text)
				}
			}, "ACP-ROUTE-02"),
		newVariant("summarised-by-model", "Asks a model for a summary of each message before it answers.",
			func(h *acphost.Host) {
				route := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					if _, err := asking(h, "Sum this up in three words.", text); err != nil {
						return nil
					}
					return route(ctx, c, text)
				}
			}, "ACP-EXEC-01"),
	}
}

// stacks returns routers that push and pop capabilities in other ways.
func stacks() []variant.Variant {
	return []variant.Variant{
		newVariant("newest-first", "Tests the triggers of the newest package first.", func(h *acphost.Host) {
			h.Classify = func(_ context.Context, text string) *acphost.Package {
				for _, p := range slices.Backward(h.Installed()) {
					if h.MatchesTrigger(p, text) {
						return p
					}
				}
				return nil
			}
		}, "ACP-ROUTE-02", "ACP-ROUTE-03"),
		newVariant("neutral-leaves", "Answers a message that no trigger matches without a capability, even if one is active.",
			func(h *acphost.Host) {
				route := h.Route
				h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
					p := route(ctx, c, text)
					if p != nil && !h.MatchesTrigger(p, text) {
						return nil
					}
					return p
				}
			}, "ACP-ROUTE-02"),
		newVariant("stack-deeper", "Pushes a newly classified capability on top of the previous one.", func(h *acphost.Host) {
			h.ReplaceActive = func(c *acphost.Conversation, _, to *acphost.Package) { c.Push(to.Name) }
		}, "ACP-DONE-03").Ignoring("ACP-DONE-03"),
		newVariant("fallback-alone", "Answers a message itself if no capability fits.", func(h *acphost.Host) {
			h.Fallback = func(context.Context, *acphost.Conversation, string) (string, error) { return "I have no idea.", nil }
		}, "ACP-COMP-01"),
		newVariant("commands-in-other-words", "Answers commands with a single symbol.", func(h *acphost.Host) {
			for name, original := range h.Commands {
				h.Commands[name] = func(c *acphost.Conversation, argument string) string {
					original(c, argument)
					return "✓"
				}
			}
		}, "ACP-ROUTE-01", "ACP-ROUTE-04"),
	}
}

// separator matches a separator in the name of a tool, with the character after it.
var separator = regexp.MustCompile(`[._][a-z0-9]`)

// toolNames returns routers that rename tools on the way to the model.
func toolNames() []variant.Variant {
	rename := func(by string) style {
		return func(h *acphost.Host) {
			h.Rename = func(name string) string { return strings.ReplaceAll(name, ".", by) }
		}
	}
	return []variant.Variant{
		newVariant("names-underscore", "Shows state.create as state_create.", rename("_"), "ACP-EXEC-11"),
		newVariant("names-double-underscore", "Shows state.create as state__create.", rename("__"), "ACP-EXEC-11"),
		newVariant("names-hyphen", "Shows state.create as state-create.", rename("-"), "ACP-EXEC-11"),
		newVariant("names-capitals", "Shows state.create as stateCreate.", func(h *acphost.Host) {
			h.Rename = func(name string) string {
				family, verb, dotted := strings.Cut(name, ".")
				if !dotted {
					return name
				}
				return family + strings.ToUpper(verb[:1]) + verb[1:]
			}
		}, "ACP-EXEC-11"),
		newVariant("names-camel", "Shows every name in camel case, without separators.", func(h *acphost.Host) {
			h.Rename = func(name string) string {
				return separator.ReplaceAllStringFunc(name, func(s string) string { return strings.ToUpper(s[1:]) })
			}
		}, "ACP-EXEC-11"),
		newVariant("names-prefixed", "Adds a prefix to the name of each tool.", func(h *acphost.Host) {
			h.Rename = func(name string) string { return "cap__" + strings.ReplaceAll(name, ".", "_") }
		}, "ACP-EXEC-11"),
	}
}

// requestForms returns routers whose requests to the model have another form.
func requestForms() []variant.Variant {
	return []variant.Variant{
		newVariant("tools-beside", "Shows the tools of every installed package with those of the capability on top.",
			func(h *acphost.Host) {
				own := h.ToolsOf
				h.ToolsOf = func(p *acphost.Package) []acphost.Tool {
					all := slices.Clone(own(p))
					for _, other := range h.Installed() {
						for _, tool := range own(other) {
							if !slices.ContainsFunc(all, func(one acphost.Tool) bool { return one.Name == tool.Name }) {
								all = append(all, tool)
							}
						}
					}
					return all
				}
			}, "ACP-EXEC-12").Ignoring("ACP-EXEC-12"),
		newVariant("schema-verbatim", "Leaves #/schema in the parameters of tools.", func(h *acphost.Host) {
			h.Parameters = func(_ *acphost.Package, tool acphost.Tool) any { return tool.Parameters }
		}, "ACP-EXEC-11"),
		newVariant("schema-moved", "Moves the schema to the definitions of the parameters.", func(h *acphost.Host) {
			h.Parameters = func(p *acphost.Package, tool acphost.Tool) any {
				moved, _ := referToDefinitions(tool.Parameters).(object)
				moved["$defs"] = object{"schema": rpc.Clone(p.Schema)}
				return moved
			}
		}, "ACP-EXEC-11"),
		newVariant("parameters-strict", "Adds what model services require to tools, and omits what they refuse.",
			func(h *acphost.Host) {
				original := h.Parameters
				h.Parameters = func(p *acphost.Package, tool acphost.Tool) any {
					strict, _ := closeObjects(original(p, tool)).(object)
					return strict
				}
			}, "ACP-EXEC-11"),
	}
}

// messageForms returns routers that send the prompt and the message to the model in another form.
func messageForms() []variant.Variant {
	return []variant.Variant{
		newVariant("role-developer", "Sends the prompt in a developer message.",
			func(h *acphost.Host) { h.Role = "developer" }, "ACP-EXEC-10"),
		newVariant("role-assistant", "Sends the prompt in an assistant message.",
			func(h *acphost.Host) { h.Role = "assistant" }, "ACP-EXEC-10"),
		newVariant("prompt-framed", "Adds text around the prompt.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string {
				return "You act inside a router.\n\n" + strings.ReplaceAll(p.Prompt, "\n", "\r\n") + "\n\nToday is Monday."
			}
		}, "ACP-EXEC-10"),
		newVariant("message-framed", "Adds text around the message.", changesRequest(func(_ *acphost.Turn, request object) {
			messages, _ := request["messages"].([]any)
			last, _ := messages[len(messages)-1].(object)
			text, _ := last["content"].(string)
			last["content"] = []any{object{"type": "text", "text": "<user at=\"10:00\">"}, object{"type": "text", "text": text},
				object{"type": "text", "text": "</user>"}}
		}), "ACP-EXEC-01"),
		newVariant("no-history", "Sends no earlier messages to the model.", func(h *acphost.Host) { h.History = false },
			"ACP-EXEC-01"),
		newVariant("tools-of-its-own", "Shows a tool of the router with those of the package.",
			changesRequest(func(_ *acphost.Turn, request object) {
				tools, _ := request["tools"].([]any)
				own := object{"type": "function", "function": object{"name": "router_handoff",
					"description": "Gives the user to somebody else.", "parameters": object{"type": "object"}}}
				request["tools"] = append([]any{own}, tools...)
			}), "ACP-EXEC-11", "ACP-EXEC-12"),
		newVariant("streamed", "Requests a stream from the model.", func(h *acphost.Host) {
			original := h.Complete
			h.Complete = func(ctx context.Context, request object) (acphost.Reply, error) {
				streamed := clone(request)
				streamed["stream"] = true
				return original(ctx, streamed)
			}
		}, "ACP-EXEC-01"),
		newVariant("sampled", "Sends additional parameters to the model.",
			changesRequest(func(_ *acphost.Turn, request object) {
				request["temperature"], request["tool_choice"], request["user"] = 0, "auto", "somebody"
			}), "ACP-EXEC-01"),
	}
}

// changesRequest changes the first request of a turn.
func changesRequest(change func(turn *acphost.Turn, request object)) style {
	return func(h *acphost.Host) {
		original := h.ChangeRequest
		h.ChangeRequest = func(turn *acphost.Turn, request object) object {
			change(turn, request)
			return original(turn, request)
		}
	}
}

func clone(members object) object {
	copied, _ := rpc.Clone(members).(object)
	return copied
}

// referToDefinitions replaces each reference #/schema by a reference to the definitions.
func referToDefinitions(parameters any) any {
	return rpc.Transform(parameters, func(value any) any {
		if v, isObject := value.(object); isObject && v["$ref"] == "#/schema" {
			return object{"$ref": "#/$defs/schema"}
		}
		return value
	})
}

// closeObjects returns a schema with closed objects and without annotations.
func closeObjects(value any) any {
	schema, isObject := value.(object)
	if !isObject {
		return value
	}
	strict := object{}
	for name, member := range schema {
		if name != "$schema" && name != "$id" && !strings.HasPrefix(name, "x-") {
			strict[name] = rpc.Clone(member)
		}
	}
	if properties, isObject := strict["properties"].(object); isObject {
		strict["additionalProperties"] = false
		for name, member := range properties {
			properties[name] = closeObjects(member)
		}
	}
	return strict
}
