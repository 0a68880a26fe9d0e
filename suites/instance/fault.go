package instance

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
)

// Fault is an input that breaks exactly one keyword at one place.
type Fault struct {
	Keyword string // as the validator names it; anyOf or oneOf if a branch was broken
	Pointer string // JSON pointer to the place in the input, "" for the top
	Input   any    // as schemas.Decode would return it; shares nothing with other faults
	Note    string // what was done, such as `a string for an integer: "2"`
	text    string // the input as JSON
}

// Options configure Invalid. The zero value is for inputs of a capability.
type Options struct {
	Seed  int64
	Limit int  // faults at most; 0 means all
	Top   bool // the top level may be broken in type, enum and const too
}

// breaker collects the faults of one instance.
type breaker struct {
	schema   *schemas.Schema
	options  Options
	document any
	weight   int
	tries    int
	seen     map[string]bool
	faults   []Fault
}

// offer validates one broken value and keeps it if it breaks the keyword here and nothing else,
// also in doubles. below is the path from the place to the place that the validator must report. It
// reports whether the value was kept.
func (b *breaker) offer(p place, keyword string, broken any, note string, below ...string) bool {
	if x := ratOf(broken); x != nil && !p.sameAsDouble(x) {
		return false
	}
	if b.tries--; b.tries < 0 || b.schema.Spend(b.weight) != nil {
		return false
	}
	input := replaced(b.document, p.path, broken)
	invalid, ok := errors.AsType[*schemas.Invalidity](b.schema.Validate(input))
	if !ok {
		return false
	}
	causes := primary(invalid.Causes)
	expected := schemas.Pointer(append(slices.Clone(p.path), below...))
	if len(causes) != 1 || !confirms(causes[0], keyword, expected) {
		return false
	}
	cause := causes[0]
	key := textOf(input)
	if b.seen[key] {
		return false
	}
	b.seen[key] = true
	b.faults = append(b.faults, Fault{Keyword: cause.Keyword, Pointer: cause.InstancePointer, Input: input, Note: note,
		text: key})
	return true
}

// weigh returns the number of steps to copy a value: about one for each of its parts.
func weigh(value any) int {
	const part = 16 // bytes
	return 1 + len(textOf(value))/part
}

// primary omits the unevaluated members and items that are only a consequence: a subschema that
// fails has evaluated nothing.
func primary(causes []schemas.Cause) []schemas.Cause {
	consequence := func(c schemas.Cause) bool {
		return c.Keyword == "unevaluatedProperties" || c.Keyword == "unevaluatedItems"
	}
	if !slices.ContainsFunc(causes, func(c schemas.Cause) bool { return !consequence(c) }) {
		return causes
	}
	return slices.DeleteFunc(slices.Clone(causes), consequence)
}

// confirms reports whether the cause is the keyword at the place. If the keyword is in a branch,
// the validator names the anyOf or oneOf at the place or above it: none of its branches accepts the
// value any more.
func confirms(cause schemas.Cause, keyword, expected string) bool {
	if cause.Keyword == "anyOf" || cause.Keyword == "oneOf" {
		above := cause.InstancePointer == expected || strings.HasPrefix(expected, cause.InstancePointer+"/")
		return above && !dependsOnPattern(cause.Within)
	}
	return cause.Keyword == keyword && cause.InstancePointer == expected
}

// dependsOnPattern reports whether a branch failed because of a regular expression: an engine that
// reads it differently might accept the branch.
func dependsOnPattern(causes []schemas.Cause) bool {
	return slices.ContainsFunc(causes, func(c schemas.Cause) bool {
		return c.Keyword == "pattern" || dependsOnPattern(c.Within)
	})
}

// spread orders faults: each keyword occurs once at each place before any occurs there twice, and
// among these each keyword occurs once before any occurs twice. Faults of equal rank keep their
// order.
func spread(faults []Fault) []Fault {
	type round struct {
		here    int
		keyword string
	}
	here, inRound := map[string]int{}, map[round]int{}
	ranks := make([][2]int, len(faults))
	order := make([]int, len(faults))
	for i, f := range faults {
		place := f.Keyword + " " + f.Pointer
		r := round{here[place], f.Keyword}
		ranks[i] = [2]int{r.here, inRound[r]}
		here[place]++
		inRound[r]++
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return slices.Compare(ranks[a][:], ranks[b][:]) })
	ordered := make([]Fault, len(faults))
	for i, j := range order {
		ordered[i] = faults[j]
	}
	return ordered
}

// unlisted is a string that no schema expects.
const unlisted = "capconform-unlisted"

// unlistedValues are values of each JSON type, for places that require another type.
var unlistedValues = []any{unlisted, json.Number("98765"), true, []any{}, map[string]any{}, nil}
