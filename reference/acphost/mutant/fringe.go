package acpmutant

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// renewals are routers that do right by the first install and the first conversation.
func renewals() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("upgrade-old-permissions", "ACP-ABS-04", "Keeps the permissions of the version before.", upgrades(func(before, p *acphost.Package) { p.Permissions = before.Permissions })),
		newMutant("upgrade-old-schema", "ACP-ABS-04", "Validates by the schema of the version before.", upgrades(func(before, p *acphost.Package) { p.Contract = before.Contract })),
		newMutant("upgrade-by-text", "ACP-ABS-04", "Takes 1.10.0 for older than 1.9.0.", func(h *acphost.Host) {
			sound := h.Mount
			h.Mount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
				if slices.ContainsFunc(installed, func(other *acphost.Package) bool { return other.Name == p.Name && other.URI > p.URI }) {
					return installed
				}
				return sound(installed, p)
			}
		}),
		newMutant("uninstall-once", "ACP-ABS-02", "Uninstalls a package once, and not for a second time.", func(h *acphost.Host) {
			var mutex sync.Mutex
			gone := map[string]bool{}
			sound := h.Dismount
			h.Dismount = func(installed []*acphost.Package, p *acphost.Package) []*acphost.Package {
				mutex.Lock()
				defer mutex.Unlock()
				if gone[p.URI] {
					return installed
				}
				gone[p.URI] = true
				return sound(installed, p)
			}
		}),
		newMutant("install-for-new-conversations", "ACP-MOT-01", "Shows a package to no conversation that was there before it.", newcomersHidden),
	}
}

// leniences are routers that refuse what is blatant, or what they have not seen yet.
func leniences() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("verified-by-name", "ACP-SEC-07", "Verifies a capability URI once, and whatever file comes under it later not at all.", verifiesOnce),
		newMutant("id-unversioned", "ACP-SEC-08", "Takes a package whose id has no version.", spares("id", func(p *acphost.Package) bool {
			name, is := strings.CutPrefix(p.URI, "did:nuwa:cap:")
			if !is || strings.Contains(name, "@") {
				return false
			}
			p.Name = name
			return true
		})),
		newMutant("id-of-any-version", "ACP-SEC-08", "Takes a version that begins with a letter.", spares("id", func(p *acphost.Package) bool {
			name, version, _ := strings.Cut(strings.TrimPrefix(p.URI, "did:nuwa:cap:"), "@")
			if !strings.HasPrefix(version, "v") {
				return false
			}
			p.Name = name
			return true
		})),
		newMutant("schema-uri-relative", "ACP-SEC-08", "Takes any text for a schema URI.", spares("schema-uri", func(p *acphost.Package) bool { return p.SchemaURI != "" })),
		newMutant("declares-no-update", "ACP-SEC-08", "Takes a package that uses state.update and does not declare it.", spares("permissions", declaresBut(acphost.Update))),
		newMutant("declares-no-query", "ACP-SEC-08", "Takes a package that uses state.query and does not declare it.", spares("permissions", declaresBut(acphost.Query))),
		newMutant("bindings-unchecked", "ACP-SEC-08", "Takes a package with a binding for a tool that it lacks.", unruled("bindings")),
		newMutant("declares-creation", "ACP-SEC-08", "Looks whether the creation is declared and at no other verb.", spares("permissions", func(p *acphost.Package) bool {
			return slices.Contains(p.Permissions, acphost.Create)
		})),
	}
}

// declaresBut reports whether a package declares every verb that it uses but one.
func declaresBut(verb string) func(*acphost.Package) bool {
	return func(p *acphost.Package) bool {
		return !slices.ContainsFunc(p.Tools, func(tool acphost.Tool) bool {
			return strings.HasPrefix(tool.Name, "state.") && tool.Name != verb && !slices.Contains(p.Permissions, tool.Name)
		})
	}
}

// shortcuts are routers that find most messages and end most capabilities.
func shortcuts() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("trigger-first-regex", "ACP-FIELD-06", "Looks at no regular expression but the first of a package.", firstTrigger("regex")),
		newMutant("regex-split", "ACP-FIELD-06", "Has no engine for regular expressions: it looks for the texts between the bars.", func(h *acphost.Host) {
			h.Triggers["regex"] = func(value, text string) bool {
				return slices.ContainsFunc(strings.Split(value, "|"), func(part string) bool { return part != "" && strings.Contains(text, part) })
			}
		}),
		newMutant("regex-anchored", "ACP-FIELD-06", "Matches regular expressions at the beginning of a message alone.", func(h *acphost.Host) {
			sound := h.Triggers["regex"]
			h.Triggers["regex"] = func(value, text string) bool { return sound("^(?:"+value+")", text) }
		}),
		newMutant("top-by-expressions", "ACP-ROUTE-02", "Tests the capability on top by its regular expressions alone.", topByExpressions),
		newMutant("done-of-last", "ACP-DONE-01", "Looks at the last tool of a turn alone.", doneOfLast),
		newMutant("done-of-agent-ignored", "ACP-DONE-01", "Looks at no done of an agent.", onBinderResult("nuwa_a2a", func(result acphost.Result) acphost.Result {
			result.Done = false
			return result
		})),
	}
}

// cuts are routers that show a model what is short and plain.
func cuts() []mutant.Mutant {
	const longPrompt, longMessage, longAbout = 500, 300, 120
	return []mutant.Mutant{
		newMutant("prompt-cut", "ACP-EXEC-10", "Cuts a prompt after 500 bytes.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string { return p.Prompt[:min(longPrompt, len(p.Prompt))] }
		}),
		newMutant("prompt-escaped", "ACP-EXEC-10", "Escapes a prompt as if it went into a page.", func(h *acphost.Host) {
			h.System = func(p *acphost.Package) string {
				return strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;").Replace(p.Prompt)
			}
		}),
		newMutant("message-cut", "ACP-EXEC-01", "Leaves out the middle of a long message.", saysOtherwise(func(text string) string {
			if len(text) > longMessage {
				return text[:longMessage/3] + " ... " + text[len(text)-longMessage/3:]
			}
			return text
		})),
		newMutant("message-plain", "ACP-EXEC-01", "Leaves out of a message what is not ASCII.", saysOtherwise(func(text string) string {
			return strings.Map(func(r rune) rune {
				if r > 0x7f {
					return -1
				}
				return r
			}, text)
		})),
		newMutant("message-of-later-turns", "ACP-EXEC-01", "Shows the last word of a message where there were others before.", shapes(func(_ *acphost.Turn, request object) {
			messages, _ := request["messages"].([]any)
			last, _ := messages[len(messages)-1].(object)
			text, _ := last["content"].(string)
			if words := strings.Fields(text); len(messages) > 2 && len(words) > 0 {
				last["content"] = words[len(words)-1]
			}
		})),
		newMutant("descriptions-cut", "ACP-EXEC-11", "Cuts the descriptions of tools.", shapes(func(_ *acphost.Turn, request object) {
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

// saysOtherwise changes the message of the user on its way to the model.
func saysOtherwise(change func(text string) string) defect {
	return shapes(func(_ *acphost.Turn, request object) {
		messages, _ := request["messages"].([]any)
		last, _ := messages[len(messages)-1].(object)
		text, _ := last["content"].(string)
		last["content"] = change(text)
	})
}

// spares lets packages break a rule.
func spares(rule string, which func(p *acphost.Package) bool) defect {
	return func(h *acphost.Host) {
		for i := range h.Rules {
			sound := h.Rules[i].Check
			if h.Rules[i].Name == rule {
				h.Rules[i].Check = func(p *acphost.Package) error {
					if which(p) {
						return nil
					}
					return sound(p)
				}
			}
		}
	}
}

// newcomersHidden shows a conversation what was installed when it began.
func newcomersHidden(h *acphost.Host) {
	var begun sync.Map
	sound := h.Route
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		there, _ := begun.LoadOrStore(c, h.Installed())
		known, _ := there.([]*acphost.Package)
		if p := sound(ctx, c, text); slices.Contains(known, p) {
			return p
		}
		return nil
	}
}

func verifiesOnce(h *acphost.Host) {
	var mutex sync.Mutex
	verified := map[string]bool{}
	sound := h.Verify
	h.Verify = func(p *acphost.Package, keys []acphost.Key) error {
		mutex.Lock()
		defer mutex.Unlock()
		if verified[p.URI] {
			return nil
		}
		err := sound(p, keys)
		verified[p.URI] = err == nil
		return err
	}
}

func topByExpressions(h *acphost.Host) {
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		top := h.Find(c.Top())
		if top != nil && slices.ContainsFunc(top.Triggers, func(t acphost.Trigger) bool { return t.Type == "regex" && h.Triggers["regex"](t.Value, text) }) {
			return top
		}
		if p := h.Classify(ctx, text); p != nil {
			h.Turn(c, top, p)
			return p
		}
		return top
	}
}

// doneOfLast leaves where the last result that was told says so.
func doneOfLast(h *acphost.Host) {
	var requests sync.Map
	shapes(func(turn *acphost.Turn, request object) { requests.Store(turn.Conversation, request) })(h)
	sound := h.Leave
	h.Leave = func(c *acphost.Conversation, p *acphost.Package) {
		told, _ := requests.Load(c)
		request, _ := told.(object)
		messages, _ := request["messages"].([]any)
		for _, message := range slices.Backward(messages) {
			members, _ := message.(object)
			if members["role"] != "tool" {
				continue
			}
			content, _ := members["content"].(string)
			if strings.Contains(content, `"done":true`) {
				sound(c, p)
			}
			return
		}
	}
}
