package acpmutant

import (
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// requestDefects returns routers that send a wrong message or prompt to the model.
func requestDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("message-shortened", "ACP-EXEC-01", "Omits the first word of a message.",
			inUserMessage(func(text string) string {
				_, rest, _ := strings.Cut(text, " ")
				return rest
			})),
		newMutant("message-sorted", "ACP-EXEC-01", "Sends the words of a message in another order.",
			inUserMessage(func(text string) string {
				words := strings.Fields(text)
				for i := range (len(words) - 1) / 2 {
					words[i], words[len(words)-2-i] = words[len(words)-2-i], words[i]
				}
				return strings.Join(words, " ")
			})),
		newMutant("prompt-first-line", "ACP-EXEC-10", "Sends only the first line of a prompt.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string {
				first, _, _ := strings.Cut(p.Prompt, "\n")
				return first
			}
		}),
		newMutant("prompt-as-user", "ACP-EXEC-10", "Sends the second half of a prompt as a message of the user.",
			func(h *acphost.Host) {
				h.System = func(p *acphost.Package) string { return p.Prompt[:len(p.Prompt)/2] }
				shape := h.ChangeRequest
				h.ChangeRequest = func(turn *acphost.Turn, request object) object {
					messages, _ := request["messages"].([]any)
					rest := object{"role": "user", "content": turn.Package.Prompt[len(turn.Package.Prompt)/2:]}
					request["messages"] = append(append([]any{}, rest), messages...)
					return shape(turn, request)
				}
			}),
	}
}

// offers returns routers that send wrong tools, or those of other packages.
func offers() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("tool-withheld", "ACP-EXEC-11", "Shows all tools of a package except one.",
			offersTools(func(_ *acphost.Host, p *acphost.Package) []acphost.Tool {
				at := slices.IndexFunc(p.Tools, func(tool acphost.Tool) bool { return strings.HasPrefix(tool.Name, "finish") })
				if at < 0 {
					return p.Tools
				}
				return slices.Delete(slices.Clone(p.Tools), at, at+1)
			})),
		newMutant("parameters-withheld", "ACP-EXEC-11", "Shows tools without their parameters.",
			showsParameters(func(*acphost.Package, acphost.Tool) any {
				return object{"type": "object",
					"properties": object{}}
			})),
		newMutant("required-withheld", "ACP-EXEC-11", "Does not show which parameters are required.",
			showsParameters(func(_ *acphost.Package, tool acphost.Tool) any {
				shown := clone(tool.Parameters)
				delete(shown, "required")
				return shown
			})),
		newMutant("reference-lost", "ACP-EXEC-11",
			"Shows an unrestricted object in place of a reference to the schema.",
			showsParameters(func(_ *acphost.Package, tool acphost.Tool) any {
				return emptied(clone(tool.Parameters))
			})),
		newMutant("tools-of-all", "ACP-EXEC-12", "Shows the tools of every installed package.",
			offersTools(func(h *acphost.Host, p *acphost.Package) []acphost.Tool {
				tools := append([]acphost.Tool{}, p.Tools...)
				for _, other := range h.Installed() {
					for _, tool := range other.Tools {
						if other != p && !strings.HasPrefix(tool.Name, "state.") {
							tools = append(tools, tool)
						}
					}
				}
				return tools
			})),
		newMutant("prompts-of-all", "ACP-EXEC-12", "Sends the prompts of every installed package.",
			func(h *acphost.Host) {
				h.System = func(p *acphost.Package) string {
					prompts := []string{p.Prompt}
					for _, other := range h.Installed() {
						if other != p {
							prompts = append(prompts, other.Prompt)
						}
					}
					return strings.Join(prompts, "\n")
				}
			}),
		newMutant("prompts-kept", "ACP-EXEC-12", "Continues to send the prompt of the previously active capability.",
			promptsKept).AlsoBreaks("ACP-ABS-02", "the prompt of an uninstalled capability is shown with the next one"),
	}
}

// inUserMessage changes the message of the user before it is sent to the model.
func inUserMessage(turn func(string) string) defect {
	return func(h *acphost.Host) {
		shape := h.ChangeRequest
		h.ChangeRequest = func(t *acphost.Turn, request object) object {
			messages, _ := request["messages"].([]any)
			last, _ := messages[len(messages)-1].(object)
			text, _ := last["content"].(string)
			last["content"] = turn(text)
			return shape(t, request)
		}
	}
}

// offersTools replaces the tools that the model receives.
func offersTools(which func(h *acphost.Host, p *acphost.Package) []acphost.Tool) defect {
	return func(h *acphost.Host) {
		h.ToolsOf = func(p *acphost.Package) []acphost.Tool { return which(h, p) }
	}
}

// showsParameters replaces the parameters of tools that the model receives.
func showsParameters(parameters func(p *acphost.Package, tool acphost.Tool) any) defect {
	return func(h *acphost.Host) { h.Parameters = parameters }
}

// emptied replaces each reference to #/schema by an unrestricted object.
func emptied(members object) object {
	for name, member := range members {
		if inner, isObject := member.(object); isObject {
			members[name] = emptied(inner)
		}
	}
	if members["$ref"] == "#/schema" {
		return object{"type": "object"}
	}
	return members
}

func promptsKept(h *acphost.Host) {
	var mutex sync.Mutex
	prompts := map[*acphost.Conversation]string{}
	shape := h.ChangeRequest
	h.ChangeRequest = func(turn *acphost.Turn, request object) object {
		mutex.Lock()
		result := prompts[turn.Conversation]
		prompts[turn.Conversation] = turn.Package.Prompt
		mutex.Unlock()
		if result != "" && !strings.Contains(result, turn.Package.Prompt) {
			messages, _ := rpc.Clone(request["messages"]).([]any)
			request["messages"] = append([]any{object{"role": "system", "content": result}}, messages...)
		}
		return shape(turn, request)
	}
}

// modelDefects returns routers that choose the wrong model.
func modelDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("model-first", "ACP-FIELD-12", "Requests the first model for everything.", func(h *acphost.Host) {
			h.ChooseModel = func(models []acphost.Model, _ *acphost.Package) string {
				if len(models) == 0 {
					return "default"
				}
				return models[0].ID
			}
		}),
		newMutant("model-outside", "ACP-FIELD-12", "Requests a model outside the family that a package names.",
			func(h *acphost.Host) {
				original := h.ChooseModel
				h.ChooseModel = func(models []acphost.Model, p *acphost.Package) string {
					chosen := original(models, p)
					family, _, _ := strings.Cut(chosen, "-")
					for _, model := range models {
						if p.Metadata["llm_requirements"] != nil && !strings.HasPrefix(model.ID, family) {
							return model.ID
						}
					}
					return chosen
				}
			}),
	}
}

// modelTexts returns routers that shorten or change texts for the model.
func modelTexts() []mutant.Mutant {
	const longPrompt, longMessage, longAbout, longName = 500, 300, 120, 32
	return []mutant.Mutant{
		newMutant("prompt-cut", "ACP-EXEC-10", "Truncates a prompt after 500 bytes.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string { return p.Prompt[:min(longPrompt, len(p.Prompt))] }
		}),
		newMutant("prompt-escaped", "ACP-EXEC-10", "Escapes a prompt as HTML.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string {
				return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace(p.Prompt)
			}
		}),
		newMutant("message-cut", "ACP-EXEC-01", "Omits the middle of a long message.",
			changesUserMessage(func(text string) string {
				if len(text) > longMessage {
					return text[:longMessage/3] + " ... " + text[len(text)-longMessage/3:]
				}
				return text
			})),
		newMutant("message-first-line", "ACP-EXEC-01", "Sends only the first line of a message to the model.",
			changesUserMessage(func(text string) string {
				first, _, _ := strings.Cut(text, "\n")
				return first
			})),
		newMutant("message-without-headings", "ACP-EXEC-01", "Removes the lines of a message that begin with a hash sign.",
			changesUserMessage(func(text string) string {
				return strings.Join(slices.DeleteFunc(strings.Split(text, "\n"),
					func(line string) bool { return strings.HasPrefix(line, "#") }), "\n")
			})),
		newMutant("message-plain", "ACP-EXEC-01", "Removes non-ASCII characters from a message.",
			changesUserMessage(func(text string) string {
				return strings.Map(func(r rune) rune {
					if r > 0x7f {
						return -1
					}
					return r
				}, text)
			})),
		newMutant("message-of-later-turns", "ACP-EXEC-01", "Sends only the last word of each later message.",
			changesRequest(func(_ *acphost.Turn, request object) {
				messages, _ := request["messages"].([]any)
				last, _ := messages[len(messages)-1].(object)
				text, _ := last["content"].(string)
				if words := strings.Fields(text); len(messages) > 2 && len(words) > 0 {
					last["content"] = words[len(words)-1]
				}
			})),
		newMutant("tool-names-cut", "ACP-EXEC-11", "Truncates the names of tools after 32 characters.",
			func(h *acphost.Host) { h.Rename = func(name string) string { return name[:min(longName, len(name))] } }),
		newMutant("descriptions-cut", "ACP-EXEC-11", "Truncates the descriptions of tools.",
			changesRequest(func(_ *acphost.Turn, request object) {
				tools, _ := request["tools"].([]any)
				for _, tool := range tools {
					members, _ := tool.(object)
					function, _ := members["function"].(object)
					about, _ := function["description"].(string)
					function["description"] = about[:min(longAbout, len(about))]
				}
			})),
	}
}

// changesUserMessage changes the message of the user that the model receives.
func changesUserMessage(change func(text string) string) defect {
	return changesRequest(func(_ *acphost.Turn, request object) {
		messages, _ := request["messages"].([]any)
		last, _ := messages[len(messages)-1].(object)
		text, _ := last["content"].(string)
		last["content"] = change(text)
	})
}
