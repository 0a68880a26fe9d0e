package acpmutant

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// selections are routers that miss some triggers and do not end some capabilities.
func selections() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("trigger-first-regex", "ACP-FIELD-06", "Looks at no regular expression but the first of a package.",
			firstTrigger("regex")),
		newMutant("regex-split", "ACP-FIELD-06",
			"Has no engine for regular expressions: it looks for the texts between the bars.", func(h *acphost.Host) {
				h.Triggers["regex"] = func(value, text string) bool {
					return slices.ContainsFunc(strings.Split(value, "|"),
						func(part string) bool { return part != "" && strings.Contains(text, part) })
				}
			}),
		newMutant("regex-anchored", "ACP-FIELD-06", "Matches regular expressions at the beginning of a message alone.",
			func(h *acphost.Host) {
				sound := h.Triggers["regex"]
				h.Triggers["regex"] = func(value, text string) bool { return sound("^(?:"+value+")", text) }
			}),
		newMutant("top-by-expressions", "ACP-ROUTE-02", "Tests the capability on top by its regular expressions alone.",
			topByExpressions),
		newMutant("done-of-last", "ACP-DONE-01", "Looks at the last tool of a turn alone.", doneOfLast),
		newMutant("done-of-agent-ignored", "ACP-DONE-01", "Looks at no done of an agent.",
			onBinderResult("nuwa_a2a", func(result acphost.Result) acphost.Result {
				result.Done = false
				return result
			})),
	}
}

func topByExpressions(h *acphost.Host) {
	h.Route = func(ctx context.Context, c *acphost.Conversation, text string) *acphost.Package {
		top := h.Find(c.Top())
		if top != nil && slices.ContainsFunc(top.Triggers, func(t acphost.Trigger) bool {
			return t.Type == "regex" &&
				h.Triggers["regex"](t.Value, text)
		}) {
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
