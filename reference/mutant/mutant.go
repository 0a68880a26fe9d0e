// Package mutant has what the mutants of all protocols share. A mutant is the reference with
// one defect, which breaks one requirement. A suite that gives a mutant the same result as
// the reference does not examine that requirement. The mutants themselves are beside their
// protocol's host, and package population lists them.
package mutant

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/reference"
)

// Mutant is the reference with one defect.
type Mutant struct {
	Name        string // unique, of the form cap-unit-words
	Suite       string
	Requirement string // the one requirement it breaks
	Summary     string // what it does, in one sentence
	// Role is the role of DESIGN section 10 without which the defect can't be seen.
	Role string
	// NeedsFixtures is set where the defect shows on the host with fixtures
	// alone: for want of a role, or since the other host shows the same lawfully.
	NeedsFixtures bool
	// Driver is the driver over which alone the defect shows, a fault of one
	// binding; empty if it shows over all.
	Driver string
	// NotOver is a driver over which the defect is another one, since the binding
	// joins what it spoils with something else; empty if there is none.
	NotOver string
	// Strict is set where the defect shows with --strict alone: the text permits it.
	Strict bool
	// Actors are whom alone the subject is said to play, where no other has a part
	// in the defect; empty is what it shows.
	Actors []string
	// Never is set where something is waited for that never comes, so that it need
	// not be waited for long.
	Never bool
	// Also lists requirements that this defect necessarily breaks as well.
	Also []Also
	// Apply puts the defect into the parts of a host. A mutant may be applied to many hosts.
	Apply func(parts *reference.Parts)
}

// Also is a requirement that a defect can't help breaking.
type Also struct{ ID, Reason string }

// WithRole states which role shows the defect.
func (m Mutant) WithRole(name string) Mutant {
	m.Role, m.NeedsFixtures = name, true
	return m
}

// WithFixtures says that the defect shows on the host with fixtures alone.
func (m Mutant) WithFixtures() Mutant {
	m.NeedsFixtures = true
	return m
}

// AlsoBreaks adds a requirement that the defect necessarily breaks as well.
func (m Mutant) AlsoBreaks(id, reason string) Mutant {
	m.Also = append(slices.Clone(m.Also), Also{ID: id, Reason: reason})
	return m
}

// OverHTTP says that the defect shows over CHP's HTTP binding alone.
func (m Mutant) OverHTTP() Mutant { return m.OverDriver("http") }

// OverDriver says that the defect shows over one driver alone.
func (m Mutant) OverDriver(driver string) Mutant {
	m.Driver = driver
	return m
}

// ExceptOver says that the defect is another one over a driver.
func (m Mutant) ExceptOver(driver string) Mutant {
	m.NotOver = driver
	return m
}

// IfStrict says that the defect shows in a strict run alone.
func (m Mutant) IfStrict() Mutant {
	m.Strict = true
	return m
}

// Endless says that something is waited for that never comes.
func (m Mutant) Endless() Mutant {
	m.Never = true
	return m
}

// ByName puts mutants in the order of their names.
func ByName(mutants []Mutant) []Mutant {
	slices.SortFunc(mutants, func(a, b Mutant) int { return strings.Compare(a.Name, b.Name) })
	return mutants
}
