package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// leftOutAtMost bounds how many excluded capabilities stand in the notes of a report; all
// of them stand in not_invoked.
const leftOutAtMost = 20

// LeftOutNotes say which capabilities were not invoked, each with the flag that admits it.
func (s *Suite) LeftOutNotes() []string {
	var notes []string
	excluded := s.excluded()
	for _, one := range excluded[:min(len(excluded), leftOutAtMost)] {
		note := fmt.Sprintf("%s: not invoked: %s, because %s", s.Suite, one.Capability, one.Reason)
		if one.Flag != "" {
			note += " (" + one.Flag + ")"
		}
		notes = append(notes, note)
	}
	if more := len(excluded) - leftOutAtMost; more > 0 {
		notes = append(notes, fmt.Sprintf("%s: not invoked: %d more capabilities: see not_invoked in the report", s.Suite,
			more))
	}
	if unneeded := len(s.NotInvoked) - len(excluded); unneeded > 0 {
		notes = append(notes, fmt.Sprintf("%s: %d capabilities that may be invoked were not: see not_invoked in the report",
			s.Suite, unneeded))
	}
	return notes
}

// excluded are the capabilities that the policy did not admit.
func (s *Suite) excluded() []NotInvoked {
	return slices.DeleteFunc(slices.Clone(s.NotInvoked), func(one NotInvoked) bool { return one.Reason == "" })
}

// exampleFlags bounds how many excluded capabilities the console names, but for -v.
const exampleFlags = 2

// leftOutText says in one line how many capabilities were excluded, and the flag that
// admits the first of them; "" where none was.
func (s *Suite) leftOutText() string {
	excluded := s.excluded()
	if len(excluded) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d, see -v", len(excluded), s.listed())
	var names []string
	for _, one := range excluded {
		if name, ok := strings.CutPrefix(one.Flag, "--invoke "); ok && len(names) < exampleFlags {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		text += ": --invoke " + strings.Join(names, ",")
	}
	if more := len(excluded) - len(names); len(names) > 0 && more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// listed counts the capabilities that the subject lists.
func (s *Suite) listed() int {
	_, capabilities, _ := s.calls()
	return capabilities + len(s.NotInvoked)
}

// calls counts the calls, the capabilities that were called, and the calls of references
// that are not listed.
func (s *Suite) calls() (calls, capabilities, strange int) {
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

// invokedText says in one line how many calls there were, "" where nothing was listed.
func (s *Suite) invokedText() string {
	if len(s.Invoked)+len(s.NotInvoked) == 0 {
		return ""
	}
	calls, capabilities, _ := s.calls()
	return fmt.Sprintf("%s of %d of %d listed capabilities", plural(calls, "call"), capabilities, s.listed())
}

// invokedLines give the calls of each capability, a line each.
func (s *Suite) invokedLines() []string {
	var lines []string
	for _, one := range s.Invoked {
		if one.Capability == "" {
			continue
		}
		line := fmt.Sprintf("%s %d", one.Capability, one.Calls)
		if one.Copies > 0 {
			line += fmt.Sprintf(" (and copies of it %d)", one.Copies)
		}
		lines = append(lines, line)
	}
	if _, _, strange := s.calls(); strange > 0 {
		lines = append(lines, fmt.Sprintf("references that are not listed %d", strange))
	}
	return lines
}

// notInvokedLines give each capability that was not called, with the reason and the flag.
func (s *Suite) notInvokedLines() []string {
	var lines []string
	for _, one := range s.NotInvoked {
		reason := cmp.Or(one.Reason, "it may be invoked, and no scenario needed it")
		lines = append(lines, strings.TrimSpace(one.Capability+": "+reason+" "+one.Flag))
	}
	return lines
}

// mergedInvocations adds up what the parts of one run invoked.
func mergedInvocations(parts []*Report, at int) (invoked []Invoked, left []NotInvoked) {
	sums := map[string]*Invoked{}
	for _, r := range parts {
		for _, one := range r.Suites[at].Invoked {
			sum := sums[one.Capability]
			if sum == nil {
				sum = &Invoked{Capability: one.Capability}
				sums[one.Capability] = sum
			}
			sum.Calls += one.Calls
			sum.Copies += one.Copies
		}
	}
	for _, sum := range sums {
		invoked = append(invoked, *sum)
	}
	slices.SortFunc(invoked, func(a, b Invoked) int { return cmp.Compare(a.Capability, b.Capability) })
	for _, one := range parts[0].Suites[at].NotInvoked {
		if sums[one.Capability] == nil {
			left = append(left, one)
		}
	}
	return invoked, left
}
