package judge

import (
	"errors"
	"fmt"

	"github.com/capconform/capconform/schemas"
)

// ClosedReading is the narrower reading of an object. It is applied only if the object satisfies
// the schema that decides, so that a defect counts once.
type ClosedReading struct{ decides, asks *schemas.Schema }

// CompileClosed compiles the closed reading of a schema in schemas/chp.
func CompileClosed(name string) (*ClosedReading, error) {
	decides, err := schemas.Own("chp/" + name + ".schema.json")
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	asks, err := schemas.Own("chp/" + name + ".closed.schema.json")
	if err != nil {
		return nil, fmt.Errorf("judge: %w", err)
	}
	return &ClosedReading{decides, asks}, nil
}

// Causes returns the places where a value does not conform to the closed reading. It returns an
// error if that cannot be decided.
func (c *ClosedReading) Causes(value any) ([]schemas.Cause, error) {
	if c.decides.Validate(value) != nil {
		return nil, nil
	}
	err := c.asks.Validate(value)
	var invalid *schemas.Invalidity
	if errors.As(err, &invalid) {
		return invalid.Causes, nil
	}
	return nil, err
}
