package acpmutant

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// selections returns routers that miss some triggers or do not end some capabilities.
func selections() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("trigger-first-regex", "ACP-FIELD-06", "Tests only the first regular expression of a package.",
			firstTrigger("regex")),
		newMutant("regex-split", "ACP-FIELD-06",
			"Has no engine for regular expressions: it searches for the texts between the bars.", func(h *acphost.Host) {
				h.Triggers["regex"] = func(value, text string) bool {
					return slices.ContainsFunc(strings.Split(value, "|"),
						func(part string) bool { return part != "" && strings.Contains(text, part) })
				}
			}),
		newMutant("regex-anchored", "ACP-FIELD-06", "Matches regular expressions only at the beginning of a message.",
			func(h *acphost.Host) {
				original := h.Triggers["regex"]
				h.Triggers["regex"] = func(value, text string) bool { return original("^(?:"+value+")", text) }
			}),
		newMutant("top-by-expressions", "ACP-ROUTE-02", "Tests only the regular expressions of the capability on top.",
			topByExpressions),
		newMutant("done-of-last", "ACP-DONE-01", "Looks for done only in the last tool result of a turn.", doneOfLast),
		newMutant("done-of-agent-ignored", "ACP-DONE-01", "Ignores done in the response of an agent.",
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
			h.ReplaceActive(c, top, p)
			return p
		}
		return top
	}
}

// doneOfLast ends a capability only if the last tool result of a turn reports done.
func doneOfLast(h *acphost.Host) {
	var requests sync.Map
	changesRequest(func(turn *acphost.Turn, request object) { requests.Store(turn.Conversation, request) })(h)
	original := h.Leave
	h.Leave = func(c *acphost.Conversation, p *acphost.Package) {
		result, _ := requests.Load(c)
		request, _ := result.(object)
		messages, _ := request["messages"].([]any)
		for _, message := range slices.Backward(messages) {
			members, _ := message.(object)
			if members["role"] != "tool" {
				continue
			}
			content, _ := members["content"].(string)
			if strings.Contains(content, `"done":true`) {
				original(c, p)
			}
			return
		}
	}
}
