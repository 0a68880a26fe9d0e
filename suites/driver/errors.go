package driver

import (
	"errors"
	"fmt"
)

// The reasons why a target gives no answer. Every error of a Driver or a Session wraps exactly one
// of them.
var (
	// ErrUnreachable: the connection was refused, the address could not be resolved, the command
	// could not be started, or the child ended, flooded its output, or did not send its first
	// answer in time.
	ErrUnreachable = errors.New("target unreachable")
	// ErrClosed: the connection was closed, or the child ended, before it had answered.
	ErrClosed = errors.New("connection closed before the answer")
	// ErrTimeout: no complete reply arrived before the deadline.
	ErrTimeout = errors.New("no answer before the deadline")
	// ErrCancelled: the run was interrupted during the call.
	ErrCancelled = errors.New("call cancelled")
	// ErrTooLarge: the answer exceeds a limit of the harness.
	ErrTooLarge = errors.New("answer exceeds a limit of capconform")
	// ErrThrottled: the target answered with 429 or 503 and Retry-After, also to three
	// repetitions.
	ErrThrottled = errors.New("target is throttling")
	// ErrConfiguration: the driver was given something that cannot work, such as an invalid URL or
	// mapping.
	ErrConfiguration = errors.New("wrong configuration")
)

// CallError is the error of a call without an answer.
type CallError struct {
	Kind     error    // one of the sentinel errors
	Detail   string   // what happened, without secrets: one line, which the lines of a child's stderr may follow
	Exchange Exchange // what was sent, and what had arrived
}

// Error returns kind and detail.
func (e *CallError) Error() string {
	if e.Detail == "" {
		return e.Kind.Error()
	}
	return fmt.Sprintf("%v: %s", e.Kind, e.Detail)
}

// Unwrap returns the sentinel error.
func (e *CallError) Unwrap() error { return e.Kind }
