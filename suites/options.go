package suites

import (
	"context"
	"errors"

	"github.com/capconform/capconform/suites/live"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// Options are the options of a run.
type Options struct {
	Selection   Selection
	Explicit    bool // the user named the suites: a suite that the target does not speak is judged too
	Concurrency int  // maximum number of concurrent scenarios; values below 1 count as 1
	FailFast    bool
	Strict      bool
	Progress    func(Event)                                 // may be nil; called concurrently
	Repeat      func(s *Suite, requirementID string) string // returns the command that repeats one requirement; may be nil
	// Candidates returns those of the listed ids that Look tries for a vacant role. If it is nil,
	// Inspect tries none.
	Candidates func(role live.Role, ids []string) []string
	Preferred  bool // a suite with editions is examined in the one that the target prefers
	// Unspoken is called once if a target answers, but nothing shows that it speaks a suite. Its error ends Run and
	// Inspect; its note, if it is not empty, is added to the report. It may be nil.
	Unspoken func(context.Context) (note string, err error)
	// Adapted is called once if a target speaks no suite, and one that the user did not name can examine it through an
	// adapter (Definition.Plain). Its error ends Run and Inspect. It may be nil.
	Adapted func() error
	Record  *record.Writer // receives every call of the run; may be nil
	// Plain keeps exchanges uncompressed, which uses more memory and less time.
	Plain bool
	// Breach is called for each breach, after yields_to is applied, with the requirement under
	// which the breach is reported. It may be nil.
	Breach func(requirement string, b verdict.Breach)
	// Doubt is called for each undecided doubt of a reported requirement. It may be nil.
	Doubt func(requirement string, d verdict.Doubt)
}

// ErrCredentials reports that the target requires credentials that were not supplied.
var ErrCredentials = errors.New("credentials refused")
