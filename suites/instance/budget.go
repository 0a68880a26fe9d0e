package instance

import (
	"context"

	"github.com/capconform/capconform/schemas"
)

// makingSteps is what the making of one set of inputs may take: some seconds at most for a
// schema that is made for it, and a small part of a second for any other.
const makingSteps = 4_000_000

// Within returns a schema whose inputs are made as long as ctx lasts, and with a bound on
// the steps of each set of them. What is not made by then is left out.
func Within(ctx context.Context, s *schemas.Schema) *schemas.Schema {
	return s.Within(schemas.NewAllowance(ctx, makingSteps))
}

// bounded is Within for a schema that has no bound yet.
func bounded(s *schemas.Schema) *schemas.Schema {
	if s.Allowance() != nil {
		return s
	}
	return Within(context.Background(), s)
}

// spent reports whether no more inputs of a schema may be made.
func spent(s *schemas.Schema) bool { return s.Allowance().Left() == 0 }
