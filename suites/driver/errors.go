package driver

import (
	"errors"
	"fmt"
)

// The ways in which a target gives no answer. Every error of a Driver or a
// Session wraps exactly one of them.
var (
	// ErrUnreachable: the address is refused or not resolved, the command can't
	// be started, or the child ended, flooded or stayed silent before its first answer.
	ErrUnreachable = errors.New("target unreachable")
	// ErrClosed: the connection was closed, or the child ended, where an answer was owed.
	ErrClosed = errors.New("connection closed where an answer is owed")
	// ErrTimeout: nothing complete arrived before the deadline.
	ErrTimeout = errors.New("no answer before the deadline")
	// ErrCancelled: the run was interrupted while the call was under way.
	ErrCancelled = errors.New("call cancelled")
	// ErrTooLarge: the answer is beyond our own limits.
	ErrTooLarge = errors.New("answer beyond our limit")
	// ErrThrottled: 429 or 503 with Retry-After, honoured three times.
	ErrThrottled = errors.New("target is throttling")
	// ErrConfiguration: the driver was given something that can't work, such as a bad URL or mapping.
	ErrConfiguration = errors.New("wrong configuration")
)

// CallError is a call that brought no answer.
type CallError struct {
	Kind     error    // one of the sentinel errors
	Detail   string   // what happened, one line, without secrets
	Exchange Exchange // what was sent, and what had arrived until then
}

// Error gives kind and detail.
func (e *CallError) Error() string {
	if e.Detail == "" {
		return e.Kind.Error()
	}
	return fmt.Sprintf("%v: %s", e.Kind, e.Detail)
}

// Unwrap gives the sentinel.
func (e *CallError) Unwrap() error { return e.Kind }
