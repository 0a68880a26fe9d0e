package suites

import (
	"encoding/csv"
	"strings"
	"unicode"

	"github.com/capconform/capconform/suites/driver"
)

// InvokePolicy says which capabilities may be invoked (DESIGN section 10).
type InvokePolicy string

// The policies.
const (
	InvokeNone InvokePolicy = "none"
	InvokeSafe InvokePolicy = "safe"
	InvokeAll  InvokePolicy = "all"
)

// Candidate is a listed capability that may be invoked or not.
type Candidate struct {
	ID, Version string
	Name        string
	Description string
	Named       bool           // the target file names it
	Members     map[string]any // its whole manifest or descriptor
	Barred      string         // why it is not invoked whatever the policy, "" for no such reason
}

// InvokeFlag is the flag that admits a capability, "" where its id can't be written on
// one line that shows what it is.
func InvokeFlag(id string) string {
	hidden := func(r rune) bool { return !unicode.IsPrint(r) }
	if strings.ContainsFunc(id, hidden) || strings.TrimSpace(id) == "" {
		return ""
	}
	value := id
	if isPolicy(id) || strings.ContainsAny(id, `,"`) || id != strings.TrimSpace(id) {
		value = `"` + strings.ReplaceAll(id, `"`, `""`) + `"`
	}
	return "--invoke " + driver.ShellQuote(value)
}

// ReadInvoke reads the values of --invoke: one policy, or names that safe admits beside
// others, as lines of CSV.
func ReadInvoke(values []string) (policy InvokePolicy, names []string, err error) {
	for _, value := range values {
		if isPolicy(value) {
			if policy != "" && policy != InvokePolicy(value) {
				return "", nil, &UsageError{Message: "--invoke: " + string(policy) + " and " + value + " exclude each other"}
			}
			policy = InvokePolicy(value)
			continue
		}
		line, err := csv.NewReader(strings.NewReader(value)).Read()
		if err != nil {
			return "", nil, &UsageError{Message: "--invoke: want none, safe, all or NAME,..., not " + value}
		}
		names = append(names, line...)
	}
	if policy == "" {
		policy = InvokeSafe
	}
	if len(names) > 0 && policy != InvokeSafe {
		return "", nil, &UsageError{Message: "--invoke: names add to what safe admits, and not to " + string(policy)}
	}
	return policy, names, nil
}

func isPolicy(word string) bool {
	return word == string(InvokeNone) || word == string(InvokeSafe) || word == string(InvokeAll)
}
