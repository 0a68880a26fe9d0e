package suites

import (
	"regexp"
	"slices"
	"strings"
)

// InvokePolicy says which capabilities may be invoked (DESIGN section 10).
type InvokePolicy string

// The policies.
const (
	InvokeNone InvokePolicy = "none"
	InvokeSafe InvokePolicy = "safe"
	InvokeAll  InvokePolicy = "all"
)

// FixturePrefix begins the ids of the fixture profiles, which are invoked under
// every policy but none.
const FixturePrefix = "conformance."

// Candidate is a capability that may be invoked or not.
type Candidate struct {
	ID      string
	Named   bool              // the target file names it
	Members map[string]any    // its manifest or descriptor: annotations, risk, side_effects and the like
	Texts   map[string]string // what it says of itself, by the name of the member in words
}

// Against says why a capability is not invoked, "" if it may be.
func (p InvokePolicy) Against(c Candidate) string {
	switch {
	case p == InvokeNone:
		return "--invoke none"
	case p == InvokeAll, c.Named, strings.HasPrefix(c.ID, FixturePrefix):
		return ""
	}
	return c.risk()
}

func (c Candidate) risk() string {
	hints, _ := c.Members["annotations"].(map[string]any)
	if hints["readOnlyHint"] == true || c.Members["read_only"] == true {
		return ""
	}
	if hints["destructiveHint"] == true {
		return "it is annotated as destructive"
	}
	if hints["openWorldHint"] == true {
		return "it is annotated as reaching into the open world"
	}
	if risk, ok := c.Members["risk"].(string); ok && risk != "" && risk != "low" && risk != "none" {
		return "its risk is above low"
	}
	if c.sideEffects() {
		return "it declares side effects"
	}
	for _, member := range []string{"id", "name", "description"} {
		words := riskyWords
		if member != "description" {
			words = slices.Concat(riskyWords, riskyNames)
		}
		if word := riskyWord(c.Texts[member], words); word != "" {
			return `its ` + member + ` says "` + word + `"`
		}
	}
	return ""
}

func (c Candidate) sideEffects() bool {
	switch v := c.Members["side_effects"].(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != "" && v != "none"
	case []any:
		return len(v) > 0
	default:
		return true
	}
}

// riskyWords is the published list of DESIGN section 10: a capability whose
// name or description bears one of them is not invoked under the policy safe.
var riskyWords = []string{
	"append", "approve", "archive", "buy", "cancel", "clear", "commit", "create", "delete", "deploy", "destroy", "disable", "drop", "edit", "email",
	"enable", "erase", "exec", "execute", "grant", "import", "insert", "install", "invite", "kill", "merge", "modify", "move",
	"overwrite", "patch", "pay", "publish", "purchase", "purge", "push", "reboot", "refund", "remove", "rename", "replace",
	"reset", "restart", "revoke", "run", "save", "sell", "send", "set", "shutdown", "spawn", "stop", "submit",
	"terminate", "toggle", "transfer", "truncate", "uninstall", "unlink", "update", "upload", "upsert", "wipe", "withdraw", "write",
}

// riskyNames are risky in an id or a name, and too common in a description.
var riskyNames = []string{"add", "put", "register"}

// wordPattern splits names such as deleteFile, delete_file and delete-file.
var wordPattern = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+`)

func riskyWord(text string, words []string) string {
	for _, word := range wordPattern.FindAllString(text, -1) {
		word = strings.ToLower(word)
		for _, risky := range words {
			if word == risky || word == risky+"s" || word == risky+"es" {
				return risky
			}
		}
	}
	return ""
}
