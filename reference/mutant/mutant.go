// Package mutant lists hosts that break one requirement each: the reference
// with one defect. A suite that can't tell a mutant from the reference does not
// examine that requirement.
package mutant

import (
	"slices"
	"sync"

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
	// binding; empty where it shows over all.
	Driver string
	// NotOver is a driver over which the defect is another one, since the binding
	// joins what it spoils with something else; empty where there is none.
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

// All gives every live mutant, suite by suite, in the order of the requirements' sections.
func All() []Mutant { return slices.Clone(all()) }

// all is made once: there are many, and they are looked up by name.
var all = sync.OnceValue(func() []Mutant {
	return slices.Concat(
		identities(), references(), skills(), manifests(), lists(), descriptions(), unknownPairs(),
		replacements(), results(), admissions(), refusals(), outputs(), handles(), codes(), transports(), stabilities(), lateLists(), memories(), attachments(),
		chpDescriptors(), chpHosts(), chpBoundaries(), chpPayloads(), chpEvents(), chpHistories(), chpCorrelations(), chpContexts(),
		chpOutcomes(), chpStories(), chpRefusals(), chpDenials(), chpReplays(), chpQueries(), chpCompany(), chpReplaysCut(), chpReplaysInCompany(), chpAlike(), chpEmpty(), chpCorners(), chpBlind(),
		acpHosts(), agents(),
	)
})

// Find gives the mutant of that name.
func Find(name string) (Mutant, bool) {
	at := slices.IndexFunc(all(), func(m Mutant) bool { return m.Name == name })
	if at < 0 {
		return Mutant{}, false
	}
	return all()[at], true
}
