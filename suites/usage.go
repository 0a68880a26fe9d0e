package suites

import "fmt"

// UsageError reports an invalid selection, flag or file. The exit status is 2.
type UsageError struct{ Message string }

// Error returns the message.
func (u *UsageError) Error() string { return u.Message }

func usage(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}
