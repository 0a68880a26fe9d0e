// Package instance makes inputs for an unknown host from the JSON Schema that it publishes: valid
// ones, and invalid ones that break exactly one keyword at exactly one place. The validator of
// package schemas confirms every input before it is returned; inputs that cannot be confirmed are
// omitted.
//
// The inputs avoid what engines read differently: strings are printable ASCII if a pattern or a
// length judges them, patterns count only if every usual engine agrees on them, and "format" is
// satisfied but never broken (DESIGN section 10).
package instance

import (
	"errors"

	"github.com/capconform/capconform/schemas"
)

// Input is a valid instance of a schema.
type Input struct {
	Value any    // as schemas.Decode would return it
	Note  string // "example", "minimal" or "fuller"
	Doubt string // why a conforming host may refuse it, "" if none may

	// Size is 0 for an ordinary input; 1, 2, ... for one with a number larger than usual at Pointer. A
	// host may need time or space in proportion to the number, so the smaller ones are tried first.
	Size    int
	Pointer string // of an edge: the place that was changed
	Keyword string // of an edge: the keyword whose limit it is at, or what is unusual
}

// NoInstanceError reports that no valid instance was found. It is not a defect of the schema. A check that
// needs the instance is inconclusive. A default or an example in the schema, or an input in the target
// file, helps.
type NoInstanceError struct {
	Why string // one sentence
}

// Error returns the reason.
func (e *NoInstanceError) Error() string { return "instance: no valid input can be made: " + e.Why }

// ValidObject makes one to three valid objects, all different: one that the schema itself contains as
// an example or default, a minimal one with required members only, and a fuller one with the optional
// members too. The same seed gives the same objects. The error is an *Unmakeable.
func ValidObject(s *schemas.Schema, seed int64) ([]Input, error) { return validInputs(s, seed, true) }

func validInputs(s *schemas.Schema, seed int64, object bool) ([]Input, error) {
	s = bounded(s)
	var inputs []Input
	seen := map[string]bool{}
	keep := func(value any, note, doubt string) {
		if _, ok := value.(map[string]any); object && !ok {
			return
		}
		text := textOf(value)
		if len(text) <= maxBytes && !seen[text] && s.Validate(value) == nil {
			seen[text] = true
			inputs = append(inputs, Input{Value: value, Note: note, Doubt: doubt})
		}
	}
	if given := suggestions(s.Compiled()); len(given) > 0 {
		keep(given[0], "example", "")
	}
	var why error
	for _, note := range []string{"minimal", "fuller"} {
		m := newMaker(s, seed, note == "fuller")
		value, err := m.top(object)
		if err != nil {
			why = errors.Join(why, err)
			continue
		}
		keep(value, note, m.doubt)
	}
	if len(inputs) > 0 {
		return inputs, nil
	}
	if why == nil {
		why = errors.New("what was made can't be confirmed")
	}
	return nil, &NoInstanceError{Why: firstLine(why)}
}
