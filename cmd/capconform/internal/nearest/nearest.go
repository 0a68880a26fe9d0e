// Package nearest finds the known name that the user probably intended.
package nearest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/spec/spelling"
)

// Exact returns the candidate that equals word, ignoring case, or word itself if there is none.
func Exact(word string, candidates []string) string {
	if i := slices.IndexFunc(candidates, func(c string) bool { return strings.EqualFold(c, word) }); i >= 0 {
		return candidates[i]
	}
	return word
}

// Name returns the candidate that differs least from word, ignoring case, or "" if none is near: at
// most a third of the letters, and never more than three, may differ. It prefers a requirement of
// the same section.
func Name(word string, candidates []string) string {
	const tooFar = 4
	best, least, near := "", tooFar, false
	section := sectionOf(word)
	for _, c := range candidates {
		d := spelling.Distance(strings.ToLower(word), strings.ToLower(c), tooFar)
		if d >= tooFar || d > max(1, len(c)/3) {
			continue
		}
		same := section != "" && sectionOf(c) == section
		if same && !near || same == near && d < least {
			best, least, near = c, d, same
		}
	}
	return best
}

// sectionOf returns the part of the id of a requirement before its number, "" for another word.
func sectionOf(id string) string {
	at := strings.LastIndexByte(id, '-')
	if at < 0 || strings.Trim(id[at+1:], "0123456789") != "" {
		return ""
	}
	return strings.ToLower(id[:at])
}

// Hint returns the end of an error message about an unknown word: the nearest known name, otherwise
// all known names if they are few, otherwise "".
func Hint(word string, candidates []string) string {
	const few = 8
	if best := Name(word, candidates); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	if len(candidates) == 0 || len(candidates) > few {
		return ""
	}
	return "; known: " + strings.Join(slices.Sorted(slices.Values(candidates)), ", ")
}
