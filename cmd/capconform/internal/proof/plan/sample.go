package plan

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/suites"
)

// sampling returns a function that is called for one mutant after the other, and that reports
// whether the mutant is tried in a setting.
func (o Options) sampling(s *suites.Suite, at Setting) func(mutant.Mutant) bool {
	spread, overWire := o.Depth == Spread, at.Driver != InProcess
	whole := o.Depth == Full || !overWire && (!spread || !at.Ordinary || o.Golden)
	sections, met := sectionsOf(s), map[any]bool{}
	return func(m mutant.Mutant) bool {
		_, listed := o.Population.Undecided[s.Name][m.Name]
		if whole || m.Driver != "" || listed && !overWire { // a golden file needs observations of its entries
			return true
		}
		section := sections[m.Requirement]
		if overWire && !o.isTriedOver(at.Driver, section) {
			return false
		}
		var kind any = m.Requirement
		if spread && overWire {
			kind = section
		}
		again := met[kind]
		met[kind] = true
		return !again
	}
}

// sectionsOf returns the number of its section for each requirement of a suite.
func sectionsOf(s *suites.Suite) map[string]int {
	numbers, sections := map[string]int{}, map[string]int{}
	for _, r := range s.Catalogue.Requirements {
		if _, known := numbers[r.Section]; !known {
			numbers[r.Section] = len(numbers)
		}
		sections[r.ID] = numbers[r.Section]
	}
	return sections
}

// isTriedOver reports whether the nth host is tried over a driver.
func (o Options) isTriedOver(over string, n int) bool {
	if over == InProcess || o.Depth != Spread {
		return true
	}
	wires := slices.DeleteFunc(o.Over(), func(name string) bool { return name == InProcess })
	return wires[n%len(wires)] == over
}

// variantsEach determines the share of the variants in a spread selftest: one of this many is
// tried over each wire.
const variantsEach = 3

// isVariantTriedOver reports whether the nth variant is tried over a driver.
func (o Options) isVariantTriedOver(over string, n int) bool {
	spread := over != InProcess && o.Depth == Spread
	return !spread || n%variantsEach == 0 && o.isTriedOver(over, n/variantsEach)
}

// isRejudged reports whether the record of a mutant is judged again in a setting. The record of
// each mutant is judged again once, in a spread selftest only that of the first mutant of each
// requirement.
func (o Options) isRejudged(m mutant.Mutant, at Setting) bool {
	if m.Driver != "" {
		return true
	}
	if at.Driver != InProcess || at.Ordinary {
		return false
	}
	first := slices.IndexFunc(o.Population.Mutants, func(other mutant.Mutant) bool {
		return other.Suite == m.Suite && other.Requirement == m.Requirement && other.Name != Canary(m.Suite) &&
			at.shows(other)
	})
	return o.Depth != Spread || first >= 0 && o.Population.Mutants[first].Name == m.Name
}

// shows reports whether a defect can be observed in this setting, and is the same defect there.
func (at Setting) shows(m mutant.Mutant) bool {
	switch {
	case m.NeedsFixtures && at.Ordinary, m.Strict != at.Strict, actorList(m.Actors) != at.Actors:
		return false
	case m.Driver != "":
		return m.Driver == at.Driver
	}
	return m.NotOver != at.Driver
}
