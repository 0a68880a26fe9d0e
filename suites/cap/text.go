package capsuite

import (
	"maps"
	"slices"
	"strings"
)

// clip bounds a text of the subject for a message.
func clip(text string) string {
	const longest = 400
	if len(text) <= longest {
		return text
	}
	return strings.ToValidUTF8(text[:longest], "") + "..."
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
