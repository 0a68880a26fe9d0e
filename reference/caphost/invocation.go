package caphost

import (
	"context"
	"errors"
	"fmt"
)

// Forbidden is the permission that no caller has.
const Forbidden = "conformance.forbidden"

// perform checks in the order that the reference documents: INVALID_INPUT, then
// PERMISSION_DENIED, then EXECUTION_FAILED or TIMEOUT. NOT_FOUND was checked before.
func (h *Host) perform(ctx context.Context, c *Capability, input any) Outcome {
	if err := h.Validate(c, input); err != nil {
		return Failed(InvalidInput, err)
	}
	if err := h.Authorize(c); err != nil {
		return Failed(PermissionDenied, err)
	}
	output, err := h.Execute(ctx, c, input)
	if err != nil {
		return Failed(ExecutionFailed, err)
	}
	if err := h.Check(c, output); err != nil {
		return Failed(ExecutionFailed, fmt.Errorf("output breaks its schema: %w", err))
	}
	return Outcome{Output: output}
}

// validate checks an input against the schema. It also refuses an input that is not an object,
// whatever the schema is: the operation requires an object.
func validate(c *Capability, input any) error {
	if _, isObject := input.(map[string]any); !isObject {
		return errors.New("input is not an object")
	}
	return c.Input.Check(input)
}

func authorize(c *Capability) error {
	for _, permission := range c.Permissions {
		if permission == Forbidden {
			return fmt.Errorf("the caller lacks %s", permission)
		}
	}
	return nil
}

func (h *Host) execute(ctx context.Context, c *Capability, input any) (any, error) {
	if !c.Instrument {
		h.executions.Add(1)
	}
	if c.Deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Deadline)
		defer cancel()
	}
	members, _ := input.(map[string]any)
	output, err := c.Run(ctx, h, members)
	if errors.Is(err, context.DeadlineExceeded) {
		return nil, &Failure{Code: Timeout, Message: fmt.Sprintf("no output within %v", c.Deadline)}
	}
	return output, err
}

// check checks an output. It treats null as an absent output.
func check(c *Capability, output any) error {
	if _, isObject := output.(map[string]any); !isObject && output != nil {
		return errors.New("output is neither object nor null")
	}
	if c.Output == nil {
		return nil
	}
	return c.Output.Check(output)
}
