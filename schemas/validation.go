package schemas

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Schema is a compiled schema. It is safe for concurrent use; a schema with regular expressions
// validates one value at a time.
type Schema struct {
	root     *jsonschema.Schema
	graph    *graph
	matching *matching
	deadline time.Duration
	limits   Limits

	allowance *Allowance // may be nil
}

// Compiled returns the schema of the library, with references resolved and drafts unified, for code
// that makes instances from it. It must not be changed. Its Format is always nil: see Format.
func (s *Schema) Compiled() *jsonschema.Schema { return s.root }

// Format returns the name that a subschema of s has in "format", "" if none. It may be a name that
// no draft defines.
func (s *Schema) Format(sub *jsonschema.Schema) string {
	if n := s.graph.nodes[sub]; n != nil {
		return n.format
	}
	return ""
}

// Content returns the names that a subschema of s has in "contentEncoding" and
// "contentMediaType", joined by a blank, "" if none.
func (s *Schema) Content(sub *jsonschema.Schema) string {
	if n := s.graph.nodes[sub]; n != nil {
		return n.content
	}
	return ""
}

// Validate judges a value made by Decode (or of the same Go types). The error is nil if the value
// is valid, an *Invalidity if it breaks the schema, and an *Undecidable if that cannot be decided.
// "format" is never asserted, whatever the draft. Validate reads no file and opens no connection.
func (s *Schema) Validate(value any) error { return s.ValidateAs(s.root, value) }

// ValidateAs judges a value by one subschema that is reachable from Compiled, as Validate does by
// the whole schema.
func (s *Schema) ValidateAs(sub *jsonschema.Schema, value any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = undecidable(ReasonPanic, "the schema library gave up: %v", p)
		}
	}()
	longest, err := s.checkProcessable(value, 0)
	if err != nil {
		return err
	}
	const digits = 64 // up to here, the length of a number matters little
	costEstimate := costEstimate{graph: s.graph, budget: costBudget, digits: 1 + longest/digits}
	if err := costEstimate.apply(sub, value, 0); err != nil {
		_ = s.Spend(costBudget - costEstimate.budget)
		return err
	}
	if err := s.Spend(costBudget - costEstimate.budget); err != nil {
		return err
	}
	if s.graph.patterns {
		s.matching.Lock()
		defer s.matching.Unlock()
		s.matching.begin(s.deadline)
	}
	verr := sub.Validate(value)
	if s.graph.patterns && s.matching.doubt != nil {
		return s.matching.doubt
	}
	if verr == nil {
		return nil
	}
	found, ok := errors.AsType[*jsonschema.ValidationError](verr)
	if !ok {
		return &Undecidable{Reason: ReasonPanic, Message: "the schema library gave up", Err: verr}
	}
	return invalidityOf(found, value)
}

// checkProcessable refuses values that the library cannot process: Go types that are not JSON, numbers that
// make it panic, nesting that overflows its stack. It returns the length of the longest number.
func (s *Schema) checkProcessable(v any, depth int) (longest int, err error) {
	if depth > s.limits.Depth {
		return 0, undecidable(ReasonLimit, "the value is nested deeper than capconform's limit of %d levels", s.limits.Depth)
	}
	below := func(part any) bool {
		var n int
		n, err = s.checkProcessable(part, depth+1)
		longest = max(longest, n)
		return err == nil
	}
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if !below(member) {
				return 0, err
			}
		}
	case []any:
		for _, item := range v {
			if !below(item) {
				return 0, err
			}
		}
	case json.Number:
		if !s.limits.number(string(v)) || !jsonNumber.MatchString(string(v)) {
			return 0, undecidable(ReasonLimit, "a number is beyond capconform's limit of %d characters and exponents of %d",
				s.limits.Number, s.limits.Exponent)
		}
		return len(v), nil
	case nil, bool, string, int, int64, float64:
	default:
		return 0, undecidable(ReasonValue, "a Go %T is not a JSON value", v)
	}
	return longest, nil
}

// invalidityOf makes an Invalidity from the result of the library.
func invalidityOf(found *jsonschema.ValidationError, value any) error {
	causes, err := causesOf(found, value)
	if err != nil {
		return err
	}
	if len(causes) == 0 {
		return &Undecidable{Reason: ReasonPanic, Message: "the schema library refuses without a reason",
			Err: fmt.Errorf("%T", found.ErrorKind)}
	}
	return &Invalidity{Causes: causes}
}
