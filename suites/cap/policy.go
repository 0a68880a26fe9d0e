package capsuite

import (
	"regexp"
	"strings"

	"github.com/capconform/capconform/suites"
)

// riskyWords is the published list of DESIGN section 10: a capability whose
// name or description bears one of them is not invoked under the policy safe.
var riskyWords = []string{
	"approve", "buy", "cancel", "commit", "create", "delete", "deploy", "destroy", "disable", "drop", "edit", "email",
	"enable", "erase", "exec", "execute", "grant", "insert", "install", "invite", "kill", "merge", "modify", "move",
	"overwrite", "patch", "pay", "publish", "purchase", "push", "reboot", "refund", "remove", "rename", "replace",
	"reset", "restart", "revoke", "run", "save", "sell", "send", "set", "shutdown", "spawn", "stop", "submit",
	"terminate", "transfer", "truncate", "uninstall", "unlink", "update", "upload", "wipe", "withdraw", "write",
}

// wordPattern splits names such as deleteFile, delete_file and delete-file.
var wordPattern = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

// reasonAgainst says why a capability must not be invoked, "" if it may be.
func (e *examination) reasonAgainst(c *capability) string {
	switch {
	case e.subject.Invoke == suites.InvokeNone:
		return "--invoke none"
	case wantsTask(c.manifest()):
		return "it can be called as a task alone"
	case e.isInstrument(c):
		return "" // invoked only as what it is
	case e.subject.Invoke == suites.InvokeAll, strings.HasPrefix(c.id, fixturePrefix), e.named[c.ref()]:
		return ""
	}
	return annotated(c.manifest())
}

// wantsTask tells an MCP tool that refuses a plain call.
func wantsTask(m manifest) bool {
	execution, _ := m["execution"].(map[string]any)
	return execution["taskSupport"] == "required"
}

func annotated(m manifest) string {
	hints, _ := m["annotations"].(map[string]any)
	if hints["readOnlyHint"] == true || m["read_only"] == true {
		return ""
	}
	if hints["destructiveHint"] == true {
		return "it is annotated as destructive"
	}
	if risk, ok := m["risk"].(string); ok && risk != "" && risk != "low" && risk != "none" {
		return "its risk is above low"
	}
	if effects := m["side_effects"]; effects != nil && effects != false && !emptyList(effects) && effects != "none" {
		return "it declares side effects"
	}
	for _, member := range []string{memberID, memberName, memberDescription} {
		text, _ := m.text(member)
		if word := riskyWord(text); word != "" {
			return `its ` + strings.ReplaceAll(member, "_", " ") + ` says "` + word + `"`
		}
	}
	return ""
}

func emptyList(v any) bool {
	list, ok := v.([]any)
	return ok && len(list) == 0
}

func riskyWord(text string) string {
	for _, word := range wordPattern.FindAllString(text, -1) {
		word = strings.ToLower(word)
		for _, risky := range riskyWords {
			if word == risky || word == risky+"s" || word == risky+"es" {
				return risky
			}
		}
	}
	return ""
}
