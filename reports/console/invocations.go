package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/capconform/capconform/reports"
)

// exampleFlags bounds the excluded capabilities that the console names without -v.
const exampleFlags = 2

// leftOutText states in one line how many capabilities were excluded, and the flag that admits the
// first of them. It returns "" if none was.
func leftOutText(s *reports.Suite) string {
	excluded := s.Excluded()
	if len(excluded) == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of %d, see -v", len(excluded), s.Listed())
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

// invokedLines returns a line for each capability with the number of its calls.
func invokedLines(s *reports.Suite) []string {
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
	if _, _, strange := s.Calls(); strange > 0 {
		lines = append(lines, fmt.Sprintf("references to unlisted capabilities %d", strange))
	}
	return lines
}

// notInvokedLines returns a line for each capability that was not called, with the reason and the
// flag.
func notInvokedLines(s *reports.Suite) []string {
	var lines []string
	for _, one := range s.NotInvoked {
		reason := cmp.Or(one.Reason, "it may be invoked, but no scenario needed it")
		if one.Flag != "" {
			reason += "; to invoke it: " + one.Flag
		}
		lines = append(lines, one.Capability+": "+reason)
	}
	return lines
}
