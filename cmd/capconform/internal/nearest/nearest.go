// Package nearest finds the known name that somebody probably meant.
package nearest

import (
	"fmt"
	"slices"
	"strings"
)

// Exact gives the candidate that is spelled like word, case ignored, or word itself if
// there is none.
func Exact(word string, candidates []string) string {
	if i := slices.IndexFunc(candidates, func(c string) bool { return strings.EqualFold(c, word) }); i >= 0 {
		return candidates[i]
	}
	return word
}

// Name gives the candidate that is spelled most like word, case ignored, or ""
// if none is near: at most a third of its letters, and never more than three, may differ.
// A requirement of the same section comes before those of others.
func Name(word string, candidates []string) string {
	const tooFar = 4
	best, least, near := "", tooFar, false
	section := sectionOf(word)
	for _, c := range candidates {
		d := distance(strings.ToLower(word), strings.ToLower(c))
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

// sectionOf gives what stands before the number of a requirement's id, "" for another word.
func sectionOf(id string) string {
	at := strings.LastIndexByte(id, '-')
	if at < 0 || strings.Trim(id[at+1:], "0123456789") != "" {
		return ""
	}
	return strings.ToLower(id[:at])
}

// Hint ends an error message about an unknown word: the nearest known name, else
// all of them where they are few, else nothing.
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

// distance is the number of letters to insert, remove, replace or swap with a
// neighbour until a is b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		before, last, row = last, row, before
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(y)]
}
