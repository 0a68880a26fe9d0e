package caphost

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The five error codes of CAP.
const (
	NotFound         = "NOT_FOUND"
	InvalidInput     = "INVALID_INPUT"
	PermissionDenied = "PERMISSION_DENIED"
	ExecutionFailed  = "EXECUTION_FAILED"
	Timeout          = "TIMEOUT"
)

// Forbidden is the permission that no caller has.
const Forbidden = "conformance.forbidden"

// Failure is a CapabilityError.
type Failure struct {
	Code    string
	Message string
}

// Error returns the code and the message.
func (f *Failure) Error() string { return "caphost: " + f.Code + ": " + f.Message }

// Outcome is the outcome of an invoke. It is a success if Failure is nil.
type Outcome struct {
	Output  any
	Failure *Failure
	Took    time.Duration
}

// JSON returns the outcome as an InvokeResult with all four members.
func (o Outcome) JSON() map[string]any {
	result := map[string]any{"ok": o.Failure == nil, "output": o.Output, "error": nil,
		"duration_ms": max(0, o.Took.Milliseconds())}
	if o.Failure != nil {
		result["error"] = map[string]any{"code": o.Failure.Code, "message": o.Failure.Message}
	}
	return result
}

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

// Failed returns the outcome for an error: with the code of the error if it is a *Failure,
// otherwise with the given code.
func Failed(code string, err error) Outcome {
	var failure *Failure
	if errors.As(err, &failure) {
		return Outcome{Failure: failure}
	}
	return Outcome{Failure: &Failure{Code: code, Message: err.Error()}}
}

// validate also refuses an input that is not an object, whatever the schema says: the
// operation takes an object.
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

// check treats null as an absent output.
func check(c *Capability, output any) error {
	if _, isObject := output.(map[string]any); !isObject && output != nil {
		return errors.New("output is neither object nor null")
	}
	if c.Output == nil {
		return nil
	}
	return c.Output.Check(output)
}
