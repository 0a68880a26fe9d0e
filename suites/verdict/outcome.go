package verdict

import (
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
)

// ErrTargetDied ends a run before its plan: the target stopped answering.
var ErrTargetDied = errors.New("the target stopped answering")

// A step returns one of the errors below, or nil. Only a Violation fails the
// subject; every other error that is not of this file is the harness's own or
// the transport's, and its status is error (DESIGN section 6).

// Violation is a requirement broken before our eyes.
type Violation struct {
	Message  string // one line, the same for every run on the same defect: no id, time or port
	Want     string
	Got      string
	Hint     string // what the implementer may have overlooked
	Findings []reports.Finding
}

// Error gives the message.
func (v *Violation) Error() string { return v.Message }

// Inconclusive is a question that could not be put: a role, a declaration or
// a positive control was missing.
type Inconclusive struct {
	Reason string // what was missing
	Supply string // how to supply it
}

// Error gives reason and remedy.
func (i *Inconclusive) Error() string {
	if i.Supply == "" {
		return i.Reason
	}
	return i.Reason + "; " + i.Supply
}

// Undecided makes an Inconclusive.
func Undecided(format string, args ...any) *Inconclusive {
	return &Inconclusive{Reason: fmt.Sprintf(format, args...)}
}

// NotApplicable is a requirement that does not oblige this subject: it is outside
// the plan, the binding can't carry it, or the text makes it conditional and the
// harness checked the condition.
type NotApplicable struct{ Reason string }

// Error gives the reason.
func (n *NotApplicable) Error() string { return n.Reason }

// Inapplicable makes a NotApplicable.
func Inapplicable(format string, args ...any) *NotApplicable {
	return &NotApplicable{Reason: fmt.Sprintf(format, args...)}
}

// NotObserved makes a NotApplicable for an event that nobody caused in this run, such
// as a restart that the target file does not name. Reports count it beside the verdict.
func NotObserved(format string, args ...any) *NotApplicable {
	return Inapplicable(reports.NotObserved+format, args...)
}

// MissingInstrument makes an Inconclusive for what only an instrument shows that the
// adapter page of the suite asks for, and that the subject does not serve.
func MissingInstrument(suite string, operations ...string) *Inconclusive {
	return &Inconclusive{
		Reason: "only " + strings.Join(operations, " or ") + " can show this, and the subject does not serve it",
		Supply: "serve it as suites/" + suite + "/ADAPTER.md describes it",
	}
}

// LimitError is a question that a limit of ours left open: its status is error, and it says
// nothing of the subject.
type LimitError struct{ Reason string }

// Error gives the reason.
func (l *LimitError) Error() string { return l.Reason }

// ClosedInFace reports whether err is a connection that is closed where an answer is
// owed: a finding, for the one requirement that judges it.
func ClosedInFace(err error) bool {
	var v *Violation
	return errors.As(err, &v)
}
