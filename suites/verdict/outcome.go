package verdict

import (
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
)

// ErrTargetDied reports that the target stopped answering, which ends a run early.
var ErrTargetDied = errors.New("the target stopped answering")

// A step returns one of the errors below, or nil. Only a Violation makes the subject fail. An error
// of any other type comes from the harness or the transport, and its status is error (DESIGN
// section 6).

// Violation reports that the harness observed a broken requirement.
type Violation struct {
	Message  string // one line, the same for every run on the same defect, without ids, times and ports
	Want     string
	Got      string
	Hint     string // what the implementer may have overlooked
	Findings []reports.Finding
}

// Error returns the message.
func (v *Violation) Error() string { return v.Message }

// Inconclusive reports that a requirement could not be examined, because a role, a declaration or a
// positive control was missing.
type Inconclusive struct {
	Reason string // what was missing
	Supply string // how to supply it
}

// Error returns the reason and how to supply what was missing.
func (i *Inconclusive) Error() string {
	if i.Supply == "" {
		return i.Reason
	}
	return i.Reason + "; " + i.Supply
}

// Undecided returns an Inconclusive with a formatted reason.
func Undecided(format string, args ...any) *Inconclusive {
	return &Inconclusive{Reason: fmt.Sprintf(format, args...)}
}

// NotApplicable reports that a requirement does not oblige this subject: it is outside the plan,
// the binding cannot express it, or the text makes it conditional and the harness checked the
// condition.
type NotApplicable struct{ Reason string }

// Error returns the reason.
func (n *NotApplicable) Error() string { return n.Reason }

// Inapplicable returns a NotApplicable with a formatted reason.
func Inapplicable(format string, args ...any) *NotApplicable {
	return &NotApplicable{Reason: fmt.Sprintf(format, args...)}
}

// NotObserved returns a NotApplicable for an event that did not occur in this run, such as a
// restart for which the target file names no command. Reports count it separately.
func NotObserved(format string, args ...any) *NotApplicable {
	return Inapplicable(reports.NotObserved+format, args...)
}

// MissingInstrument returns an Inconclusive for a behaviour that only an instrument can show, if
// the subject does not serve the instrument. The adapter page of the suite describes the operations
// of the instrument.
func MissingInstrument(suite string, operations ...string) *Inconclusive {
	return &Inconclusive{
		Reason: "only " + strings.Join(operations, " or ") + " can show this, and the subject does not serve it",
		Supply: "serve it as suites/" + suite + "/ADAPTER.md describes it",
	}
}

// LimitError reports that a limit of the harness prevented an examination. Its status is error, and
// it does not concern the subject.
type LimitError struct{ Reason string }

// Error returns the reason.
func (l *LimitError) Error() string { return l.Reason }

// ClosedInsteadOfAnswer reports whether err is a Violation: the connection was closed when an answer was
// required, which breaks the one requirement that judges it.
func ClosedInsteadOfAnswer(err error) bool {
	var v *Violation
	return errors.As(err, &v)
}
