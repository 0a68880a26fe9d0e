package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// namedAtMost bounds how many capabilities the console names.
const namedAtMost = 40

// InvokedText says in one line how often each capability was called, "" where nothing
// was listed.
func (s *Suite) InvokedText() string {
	if len(s.Invoked)+len(s.NotInvoked) == 0 {
		return ""
	}
	var words []string
	calls, capabilities, strange := 0, 0, 0
	for _, one := range s.Invoked {
		calls += one.Calls + one.Copies
		if one.Capability == "" {
			strange += one.Calls
			continue
		}
		capabilities++
		word := fmt.Sprintf("%s %d", one.Capability, one.Calls)
		if one.Copies > 0 {
			word += fmt.Sprintf(" (and copies of it %d)", one.Copies)
		}
		words = append(words, word)
	}
	if left := len(words) - namedAtMost; left > 0 {
		words = append(words[:namedAtMost], fmt.Sprintf("and %d more: see invoked in the report", left))
	}
	if strange > 0 {
		words = append(words, fmt.Sprintf("references that are not listed %d", strange))
	}
	of := fmt.Sprintf("%s of %d of %d listed capabilities", plural(calls, "call"), capabilities, capabilities+len(s.NotInvoked))
	return strings.TrimSuffix(of+": "+strings.Join(words, ", "), ": ")
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
