package suites

import "github.com/capconform/capconform/reports"

// invocationNotes say which capabilities the policy excluded, each with the flag that
// admits it, and which names of --invoke nobody has.
func invocationNotes(s reports.Suite, unlisted []string) []string {
	notes := s.LeftOutNotes()
	for _, name := range unlisted {
		notes = append(notes, s.Suite+": --invoke names "+name+", which is not listed")
	}
	return notes
}
