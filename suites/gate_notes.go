package suites

import (
	"fmt"

	"github.com/capconform/capconform/reports"
)

// leftOutAtMost bounds how many excluded capabilities stand in the notes of a report; all
// of them stand in not_invoked.
const leftOutAtMost = 20

// invocationNotes say which capabilities the policy excluded, each with the flag that
// admits it, and which names of --invoke nobody has.
func invocationNotes(s reports.Suite, unlisted []string) []string {
	var notes []string
	excluded, unneeded := 0, 0
	for _, one := range s.NotInvoked {
		if one.Reason == "" {
			unneeded++
			continue
		}
		if excluded++; excluded <= leftOutAtMost {
			note := fmt.Sprintf("%s: not invoked: %s, because %s", s.Suite, one.Capability, one.Reason)
			if one.Flag != "" {
				note += " (" + one.Flag + ")"
			}
			notes = append(notes, note)
		}
	}
	if more := excluded - leftOutAtMost; more > 0 {
		notes = append(notes, fmt.Sprintf("%s: not invoked: %d more capabilities: see not_invoked in the report", s.Suite, more))
	}
	if unneeded > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d capabilities that may be invoked were not: see not_invoked in the report", s.Suite, unneeded))
	}
	for _, name := range unlisted {
		notes = append(notes, s.Suite+": --invoke names "+name+", which is not listed")
	}
	return notes
}
