package capmutant

import (
	"context"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// refusals returns hosts that refuse an invalid input in the wrong way (CAP-INV-03).
func refusals() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("invalid-nested-as-failed", "CAP-INV-03",
			"Answers an input that is invalid below its outermost level with EXECUTION_FAILED.", recodesNested),
		newMutant("validates-after-executing", "CAP-INV-03", "Executes the handler before it validates the input.",
			validatesLate).WithRole("counter"),
	}
}

func validatesLate(h *caphost.Host) {
	original := h.Perform
	h.Perform = func(ctx context.Context, c *caphost.Capability, input any) caphost.Outcome {
		if err := h.Validate(c, input); err == nil || c.Sample == nil {
			return original(ctx, c, input)
		}
		// The outcome is discarded: the execution itself is the defect.
		_, _ = h.Execute(ctx, c, c.Sample)
		return original(ctx, c, input)
	}
}

// nestedFault reports whether a validation failed below the members of the input.
func nestedFault(err error) bool {
	var fault *jsonschema.ValidationError
	if !errors.As(err, &fault) {
		return false
	}
	for _, cause := range fault.Causes {
		if nestedFault(cause) {
			return true
		}
	}
	return len(fault.Causes) == 0 && len(fault.InstanceLocation) > 1
}

func recodesNested(h *caphost.Host) {
	original := h.Validate
	h.Validate = func(c *caphost.Capability, input any) error {
		err := original(c, input)
		if nestedFault(err) {
			return &caphost.Failure{Code: caphost.ExecutionFailed, Message: err.Error()}
		}
		return err
	}
}
