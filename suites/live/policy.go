package live

import (
	"strings"
	"unicode"

	"github.com/capconform/capconform/suites/driver"
)

// InvokePolicy states which capabilities may be invoked (DESIGN section 10).
type InvokePolicy string

// The policies.
const (
	InvokeNone InvokePolicy = "none"
	InvokeSafe InvokePolicy = "safe"
	InvokeAll  InvokePolicy = "all"
)

// Candidate is a listed capability, on which the policy decides whether it may be invoked.
type Candidate struct {
	ID, Version string
	Name        string
	Description string
	Named       bool           // the target file names it
	Members     map[string]any // its whole manifest or descriptor
	Forbidden   string         // why it must not be invoked under any policy; "" if there is no such reason
}

// InvokeFlag returns the flag that admits a capability, or "" if the id is blank or contains
// characters that are not printable.
func InvokeFlag(id string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.ContainsFunc(id, hidden) || strings.TrimSpace(id) == "" {
		return ""
	}
	value := id
	if IsPolicy(id) || strings.ContainsAny(id, `,"`) || id != strings.TrimSpace(id) {
		value = `"` + strings.ReplaceAll(id, `"`, `""`) + `"`
	}
	return "--invoke " + driver.ShellQuote(value)
}

// IsPolicy reports whether a word is the name of a policy.
func IsPolicy(word string) bool {
	return word == string(InvokeNone) || word == string(InvokeSafe) || word == string(InvokeAll)
}
