package reports

import (
	"fmt"
	"slices"

	"github.com/capconform/capconform/reports/display"
)

// maxLeftOut bounds the excluded capabilities in the notes of a report. The member not_invoked
// contains all of them.
const maxLeftOut = 20

// LeftOutNotes returns notes about the capabilities that were not invoked, each with the flag that
// admits it.
func (s *Suite) LeftOutNotes() []string {
	var notes []string
	excluded := s.Excluded()
	for _, one := range excluded[:min(len(excluded), maxLeftOut)] {
		note := fmt.Sprintf("%s: not invoked: %s, because %s", s.Suite, one.Capability, one.Reason)
		if one.Flag != "" {
			note += " (" + one.Flag + ")"
		}
		notes = append(notes, note)
	}
	if more := len(excluded) - maxLeftOut; more > 0 {
		notes = append(notes, fmt.Sprintf("%s: not invoked: %d more capabilities: see not_invoked in the report", s.Suite,
			more))
	}
	if unneeded := len(s.NotInvoked) - len(excluded); unneeded > 0 {
		notes = append(notes, fmt.Sprintf(
			"%s: %d capabilities that may be invoked were not invoked: see not_invoked in the report",
			s.Suite, unneeded))
	}
	return notes
}

// Excluded returns the capabilities that the policy did not admit.
func (s *Suite) Excluded() []NotInvoked {
	return slices.DeleteFunc(slices.Clone(s.NotInvoked), func(one NotInvoked) bool { return one.Reason == "" })
}

// InvokedPart returns how many of the listed capabilities were invoked, or nil if all were.
func (s *Suite) InvokedPart() *Share {
	if len(s.NotInvoked) == 0 {
		return nil
	}
	part := &Share{Listed: len(s.NotInvoked)}
	for _, one := range s.Invoked {
		if one.Capability != "" { // an unlisted one has no name
			part.Invoked++
			part.Listed++
		}
	}
	return part
}

// Listed counts the capabilities that the subject lists.
func (s *Suite) Listed() int {
	_, capabilities, _ := s.Calls()
	return capabilities + len(s.NotInvoked)
}

// Calls counts the calls, the capabilities that were called, and the calls of references to
// unlisted capabilities.
func (s *Suite) Calls() (calls, capabilities, strange int) {
	for _, one := range s.Invoked {
		calls += one.Calls + one.Copies
		if one.Capability == "" {
			strange += one.Calls
			continue
		}
		capabilities++
	}
	return calls, capabilities, strange
}

// InvokedInWords states in one line how many calls there were. It returns "" if nothing was listed.
func (s *Suite) InvokedInWords() string {
	if len(s.Invoked)+len(s.NotInvoked) == 0 {
		return ""
	}
	calls, capabilities, _ := s.Calls()
	if s.Listed() == 0 {
		return display.Plural(calls, "call") + "; no capability is listed"
	}
	return fmt.Sprintf("%s of %d of %d listed capabilities", display.Plural(calls, "call"), capabilities, s.Listed())
}
