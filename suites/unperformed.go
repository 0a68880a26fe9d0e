package suites

import (
	"errors"

	"github.com/capconform/capconform/suites/verdict"
)

// Unperformed is the reason why a stimulus was not completely performed. The record contains the
// calls that it made before. A stimulus returns nothing else, so it cannot report a breach.
type Unperformed struct {
	Cause error // an *Inconclusive, a *NotApplicable or the error of a call
}

// NewUnperformed returns an Unperformed with the cause, or nil if the cause is nil. A *verdict.Violation
// is not a valid cause: NewUnperformed replaces it with an error of the harness.
func NewUnperformed(cause error) *Unperformed {
	var breach *verdict.Violation
	switch {
	case cause == nil:
		return nil
	case errors.As(cause, &breach):
		return &Unperformed{Cause: errors.New("suites: a stimulus reports a breach: " + breach.Message)}
	}
	return &Unperformed{Cause: cause}
}
