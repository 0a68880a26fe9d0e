package suites

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// remedy says how to have a capability invoked all the same. What the person asked
// for, or what can't be called, has none.
func remedy(why string) string {
	if strings.HasPrefix(why, "--invoke ") || strings.HasPrefix(why, "it can ") {
		return ""
	}
	return " (--invoke all, or name it under roles in the target file)"
}

// LeftOut says in one line for each reason which capabilities were not invoked.
func LeftOut(against map[string][]string) []string {
	const shown = 8
	var lines []string
	for _, why := range slices.Sorted(maps.Keys(against)) {
		ids := against[why]
		more := ""
		if len(ids) > shown {
			more = fmt.Sprintf(" and %d more", len(ids)-shown)
			ids = ids[:shown]
		}
		lines = append(lines, fmt.Sprintf("not invoked, because %s: %s%s%s", why, strings.Join(ids, ", "), more, remedy(why)))
	}
	return lines
}
