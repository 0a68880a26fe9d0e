package instance

import (
	"context"
	"errors"

	"github.com/capconform/capconform/schemas"
)

// makingSteps bounds the making of one set of inputs: a few seconds for a schema designed to be
// expensive, and a small fraction of a second for any other.
const makingSteps = 4_000_000

// Within returns a schema whose inputs are made until ctx ends, with a bound on the steps of each
// set of inputs. Inputs that are not made by then are omitted.
func Within(ctx context.Context, s *schemas.Schema) *schemas.Schema {
	return s.Within(schemas.NewAllowance(ctx, makingSteps))
}

// bounded is Within for a schema without a bound.
func bounded(s *schemas.Schema) *schemas.Schema {
	if s.Allowance() != nil {
		return s
	}
	return Within(context.Background(), s)
}

// spent reports whether no further inputs of a schema may be made.
func spent(s *schemas.Schema) bool { return s.Allowance().Left() == 0 }

// search is the state of the making of one instance that all its parts share.
type search struct {
	schema      *schemas.Schema
	seed        int64
	steps       int             // that are left
	unmatchable map[string]bool // patterns that nothing matches
	doubt       string          // see Input
}

// errStepsUsedUp ends the making of one instance immediately.
var errStepsUsedUp = errors.New("the schema is too complex: the search ended without a result")
