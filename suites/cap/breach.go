package capsuite

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

// breaches are answers that break one requirement, by kind, so that a failure shows the
// worst of them with a count of each kind.
type breaches struct {
	kinds []string // in order of appearance
	found map[string][]attempt
}

func (b *breaches) add(kind string, a attempt) {
	if b.found == nil {
		b.found = map[string][]attempt{}
	}
	if !slices.Contains(b.kinds, kind) {
		b.kinds = append(b.kinds, kind)
	}
	b.found[kind] = append(b.found[kind], a)
}

// worstFirst gives the answers, those of the worst kind first. The order names kinds
// from the worst on; a kind that it does not name comes before those marked as minor.
func (b *breaches) worstFirst(order, minor []string) iter.Seq2[string, attempt] {
	return func(yield func(string, attempt) bool) {
		for _, kind := range b.ranked(order, minor) {
			for _, a := range b.found[kind] {
				if !yield(kind, a) {
					return
				}
			}
		}
	}
}

func (b *breaches) ranked(order, minor []string) []string {
	rank := func(kind string) int {
		if at := slices.Index(order, kind); at >= 0 {
			return at
		}
		if at := slices.Index(minor, kind); at >= 0 {
			return len(order) + 1 + at
		}
		return len(order)
	}
	kinds := slices.Clone(b.kinds)
	slices.SortStableFunc(kinds, func(x, y string) int { return rank(x) - rank(y) })
	return kinds
}

// counted adds to a failure how many answers of each kind there are, if there are more
// than one.
func (b *breaches) counted(failure error, order, minor []string) error {
	violation, isViolation := failure.(*suites.Violation)
	var all []string
	total := 0
	for _, kind := range b.ranked(order, minor) {
		total += len(b.found[kind])
		all = append(all, fmt.Sprintf("%d × %s", len(b.found[kind]), kind))
	}
	if isViolation && total > 1 {
		violation.Got += " (in all: " + strings.Join(all, ", ") + ")"
	}
	return failure
}

// The keywords by how bad it is that an input which breaks them is accepted.
var (
	worstKeywords = []string{"type", "required", "enum", "const"}
	minorKeywords = []string{"propertyNames", "unevaluatedProperties", "additionalProperties"}
)

// passedOn explains who is examined where a plain MCP server is.
const passedOn = "the adapter passes every input on to the server, sound or not, so it is the server that answered this one"

// hinted adds the hint where a plain MCP server is examined.
func (w *world) hinted(failure error) error {
	if violation, ok := failure.(*suites.Violation); ok && w.adapted {
		violation.Hint = passedOn
	}
	return failure
}
