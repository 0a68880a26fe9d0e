package proof

import (
	"fmt"
	"slices"
)

// Kind states what a trial is held on.
type Kind string

// The kinds. A reference and a variant have to come away clean, a mutant, a
// plain server with a defect and a broken document have to be found out, and a
// null host has to get nothing.
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

// Trial is one host, or one document, examined.
type Trial struct {
	Kind   Kind   `json:"kind"`
	Suite  string `json:"suite"`
	Name   string `json:"name"`
	Driver string `json:"driver"` // empty for documents
	// Ordinary: the host had no fixtures.
	Ordinary bool `json:"ordinary"`
	// Strict: the run was a strict one.
	Strict bool `json:"strict,omitempty"`
	// Actors are whom the host was said to play, with spaces between; empty: what it shows.
	Actors string `json:"actors,omitempty"`
	// Requirement is the one that the host breaks, empty if it breaks none.
	Requirement string `json:"requirement,omitempty"`
	// Killed: its requirement failed.
	Killed bool `json:"killed"`
	// Canary: had this one gone wrong, nothing could have been concluded.
	Canary     bool  `json:"canary,omitempty"`
	DurationMS int64 `json:"duration_ms"`
	// Faults are what was not as it should be, a line each.
	Faults []string `json:"faults,omitempty"`

	failed []string // the scenarios, as keyOf names them
	never  bool     // what is waited for never comes
	bound  bool     // the defect shows over this driver only
	again  bool     // the record of a mutant is judged again

	observed observed // empty if the host could not be examined
}

// OK reports whether the trial showed what it had to.
func (t Trial) OK() bool { return len(t.Faults) == 0 }

func (t *Trial) fault(format string, args ...any) {
	t.Faults = append(t.Faults, fmt.Sprintf(format, args...))
}

// where tells the trials of one host apart.
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

// setting is what the statuses of the reference hang on.
type setting struct {
	suite    string
	driver   string
	ordinary bool
	strict   bool
	actors   string
	document string // the sound document that others are made from
}

// chosen reports whether a name is among those asked for.
func (p *proving) chosen(name string) bool {
	return len(p.options.Names) == 0 || slices.Contains(p.options.Names, name)
}
