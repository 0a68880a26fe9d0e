package suites

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/capconform/capconform/suites/live"
)

// UsageError reports an invalid selection, flag or file. The exit status is 2.
type UsageError struct{ Message string }

// Error returns the message.
func (u *UsageError) Error() string { return u.Message }

func usage(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}

// ReadInvoke parses the values of --invoke: one policy, or lines of CSV with names that are
// admitted in addition to those that the policy "safe" admits. The error is a *UsageError.
func ReadInvoke(values []string) (policy live.InvokePolicy, names []string, err error) {
	for _, value := range values {
		if live.IsPolicy(value) {
			if policy != "" && policy != live.InvokePolicy(value) {
				return "", nil, &UsageError{Message: "--invoke: " + string(policy) + " and " + value + " exclude each other"}
			}
			policy = live.InvokePolicy(value)
			continue
		}
		line, err := csv.NewReader(strings.NewReader(value)).Read()
		if err != nil {
			return "", nil, &UsageError{Message: "--invoke: want none, safe, all or NAME,..., not " + value}
		}
		names = append(names, line...)
	}
	if policy == "" {
		policy = live.InvokeSafe
	}
	if len(names) > 0 && policy != live.InvokeSafe {
		return "", nil, &UsageError{Message: "--invoke: names add to what safe admits, and not to " + string(policy)}
	}
	return policy, names, nil
}
