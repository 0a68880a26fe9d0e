package suites

import (
	"context"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

// Examination is the work of a suite on one subject. Its methods are called concurrently, and its
// information about the subject does not change after it is made. An Examination that implements
// io.Closer is closed after the last scenario.
type Examination interface {
	// Steps registers the sentences for one scenario, with a world that is not shared.
	Steps(Vocabulary, *Scenario)
	// Condition checks a tag such as role:echo, when:several-versions or with:counter. It returns
	// nil if the subject meets the condition, else a *verdict.Inconclusive or a
	// *verdict.NotApplicable that states what is missing.
	Condition(kind, name string) error
	// Control makes the control call: the simplest call that must work on a live subject. It
	// returns nil if the call worked.
	Control(ctx context.Context, session driver.Session) error
	// Profile returns the description of the subject as this suite found it.
	Profile() Profile
}

// Profile describes the subject of an examination, for the plan and the report.
type Profile struct {
	Name     string            // as the subject's descriptor says it; "" if it says none, as below
	Version  string            // of the subject itself, not of the protocol
	Session  driver.Session    // the session to use instead of the given one, if a wrapper adapts it; may be nil
	Binding  string            // one line; if empty, the binding of the session
	Actors   []string          // the actors that are examined
	Shown    []string          // the actors that the subject shows, regardless of the target file; nil means Actors
	Declared []string          // the protocol versions that the subject declares, the preferred one first
	Provided map[string]string // requirement id -> what meets it in place of the target
	Beyond   map[string]string // requirement id -> why the binding cannot express it
	Mappings []reports.Mapping // the operations that the target file maps
	Notes    []string          // notes for the reader of the report
	// Capabilities are the ids that the subject lists, unchanged, so that the user can assign roles
	// to them.
	Capabilities []string
}
