package suites

import "fmt"

// UsageError is a wrong selection, flag or file: exit status 2.
type UsageError struct{ Message string }

// Error gives the message.
func (u *UsageError) Error() string { return u.Message }

func usage(format string, args ...any) *UsageError {
	return &UsageError{Message: fmt.Sprintf(format, args...)}
}
