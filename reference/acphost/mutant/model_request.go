package acpmutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

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
