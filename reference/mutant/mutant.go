// Package mutant is shared by the mutants of all protocols. A mutant is the reference with one
// defect, which breaks one requirement. A suite that gives a mutant the same result as the
// reference does not examine that requirement. The mutants are in the folder of their protocol's
// host, and package population lists them.
package mutant

import (
	"slices"

	"github.com/capconform/capconform/reference"
)

// Mutant is the reference with one defect.
type Mutant struct {
	Name        string // unique, of the form cap-unit-words
	Suite       string
	Requirement string // the one requirement it breaks
	Summary     string // what it does, in one sentence
	// Role is the role of DESIGN section 10 without which the defect cannot be observed.
	Role string
	// NeedsFixtures is set if the defect shows only on the host with fixtures: because a role is
	// missing on the other host, or because that host lawfully shows the same.
	NeedsFixtures bool
	// Driver is the only driver over which the defect shows, a fault of one binding; empty if it
	// shows over all.
	Driver string
	// NotOver is a driver over which the defect is another one, because the binding combines the
	// affected part with something else; empty if there is none.
	NotOver string
	// Strict is set if the defect shows only with --strict: the text permits it.
	Strict bool
	// Actors are the actors that the target file names, if no other actor is involved in the
	// defect. Empty means the actors that the subject shows.
	Actors []string
	// ShortWait is set if the harness waits for something that never happens, so that a short wait is
	// sufficient.
	ShortWait bool
	// Also lists the requirements that this defect necessarily breaks as well.
	Also []Also
	// Apply puts the defect into the parts of a host. A mutant may be applied to many hosts.
	Apply func(parts *reference.Parts)
}

// Also is a requirement that a defect necessarily breaks as well.
type Also struct{ ID, Reason string }

// WithRole sets the role that shows the defect.
func (m Mutant) WithRole(name string) Mutant {
	m.Role, m.NeedsFixtures = name, true
	return m
}

// WithFixtures states that the defect shows only on the host with fixtures.
func (m Mutant) WithFixtures() Mutant {
	m.NeedsFixtures = true
	return m
}

// AlsoBreaks adds a requirement that the defect necessarily breaks as well.
func (m Mutant) AlsoBreaks(id, reason string) Mutant {
	m.Also = append(slices.Clone(m.Also), Also{ID: id, Reason: reason})
	return m
}

// OverHTTP states that the defect shows only over the HTTP binding of CHP.
func (m Mutant) OverHTTP() Mutant { return m.OverDriver("http") }

// OverDriver states that the defect shows only over one driver.
func (m Mutant) OverDriver(driver string) Mutant {
	m.Driver = driver
	return m
}

// ExceptOver states that the defect is another one over a driver.
func (m Mutant) ExceptOver(driver string) Mutant {
	m.NotOver = driver
	return m
}

// OnlyStrict states that the defect shows only in a strict run.
func (m Mutant) OnlyStrict() Mutant {
	m.Strict = true
	return m
}

// WithShortWait states that the harness waits for something that never happens.
func (m Mutant) WithShortWait() Mutant {
	m.ShortWait = true
	return m
}
