package proof

import (
	"fmt"
	"slices"
)

// Kind is the kind of the subject of a trial.
type Kind string

// The kinds. A reference and a variant must pass. A mutant, a plain server with a defect and a
// broken document must be detected. A null host must pass nothing.
const (
	KindReference Kind = "reference"
	KindMutant    Kind = "mutant"
	KindVariant   Kind = "variant"
	KindNull      Kind = "null host"
	KindPlain     Kind = "plain server"
	KindDocument  Kind = "document"
)

// Kinds lists the kinds in the order in which tables print them.
func Kinds() []Kind {
	return []Kind{KindReference, KindMutant, KindVariant, KindNull, KindPlain, KindDocument}
}

// Trial is the examination of one host or document.
type Trial struct {
	Kind   Kind   `json:"kind"`
	Suite  string `json:"suite"`
	Name   string `json:"name"`
	Driver string `json:"driver"` // empty for documents
	// Ordinary: the host has no fixtures.
	Ordinary bool `json:"ordinary"`
	// Strict: the run is strict.
	Strict bool `json:"strict,omitempty"`
	// Actors are the actors that the host is said to play, separated by spaces; empty: those that
	// it shows.
	Actors string `json:"actors,omitempty"`
	// Requirement is the one that the host breaks, empty if it breaks none.
	Requirement string `json:"requirement,omitempty"`
	// Killed: its requirement failed.
	Killed bool `json:"killed"`
	// Canary: if this trial fails, nothing can be concluded.
	Canary     bool  `json:"canary,omitempty"`
	DurationMS int64 `json:"duration_ms"`
	// Faults are the deviations from what the trial must show, one per line.
	Faults []string `json:"faults,omitempty"`

	failed []string // the scenarios, as keyOf names them
	never  bool     // the trial waits for something that never happens
	bound  bool     // the defect shows over this driver only
	again  bool     // the record of a mutant is judged again

	observed observed // empty if the host could not be examined
}

// OK reports whether the trial showed what it must.
func (t Trial) OK() bool { return len(t.Faults) == 0 }

func (t *Trial) fault(format string, args ...any) {
	t.Faults = append(t.Faults, fmt.Sprintf(format, args...))
}

// where distinguishes the trials of one host.
func (t Trial) where() string {
	where := ""
	if t.Driver != "" && t.Driver != InProcess {
		where += " over " + t.Driver
	}
	if t.Ordinary {
		where += " without fixtures"
	}
	if t.Strict {
		where += " strictly"
	}
	if t.Actors != "" {
		where += " as " + t.Actors
	}
	return where
}

// setting is everything on which the statuses of the reference depend.
type setting struct {
	suite    string
	driver   string
	ordinary bool
	strict   bool
	actors   string
	document string // the sound document that others are made from
}

// chosen reports whether a name is selected.
func (p *proving) chosen(name string) bool {
	return len(p.options.Names) == 0 || slices.Contains(p.options.Names, name)
}
