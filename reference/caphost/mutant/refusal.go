package capmutant

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// refusals returns hosts that refuse an invalid input in the wrong way (CAP-INV-03), or a valid
// one with INVALID_INPUT (CAP-ERR-02).
func refusals() []mutant.Mutant {
	known := func(c *caphost.Capability) bool { return c != nil }
	var broken []mutant.Mutant
	for name, code := range map[string]string{
		"failed": caphost.ExecutionFailed, "not-found": caphost.NotFound, "denied": caphost.PermissionDenied,
		"timeout": caphost.Timeout,
	} {
		broken = append(broken,
			newMutant("invalid-as-"+name, "CAP-INV-03", "Answers an invalid input with the code "+code+".",
				recodes(caphost.InvalidInput, code, known)))
	}
	broken = mutant.ByName(append(broken,
		newMutant("invalid-as-protocol-error", "CAP-INV-03",
			"Answers an invalid input with a protocol error INVALID_INPUT.",
			resultAs(caphost.InvalidInput, func(failure *caphost.Failure) error {
				return rpc.Refuse(failure.Code, failure.Message)
			})).AlsoBreaks("CAP-INV-01", "a protocol error is not an InvokeResult"),
		newMutant("invalid-as-invalid-params", "CAP-INV-03", "Answers an invalid input with the error -32602.",
			resultAs(caphost.InvalidInput, func(failure *caphost.Failure) error {
				return &rpc.Error{Number: rpc.InvalidParams, Message: failure.Message}
			})).AlsoBreaks("CAP-INV-01", "a protocol error is not an InvokeResult"),
		newMutant("invalid-nested-as-failed", "CAP-INV-03",
			"Answers an input that is invalid below its outermost level with EXECUTION_FAILED.", recodesNested),
		newMutant("invalid-in-one-as-failed", "CAP-INV-03",
			"Answers invalid inputs of one capability with EXECUTION_FAILED.", func(h *caphost.Host) {
				recodes(caphost.InvalidInput, caphost.ExecutionFailed, only(victim(h)))(h)
			}),
		newMutant("fails-without-validating", "CAP-INV-03",
			"Has a capability that fails on every input and validates none.", func(h *caphost.Host) {
				target := failingDuplicate(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: "no colour is near"}).Ref
				original := h.Validate
				h.Validate = func(c *caphost.Capability, input any) error {
					if c.Ref == target {
						return nil
					}
					return original(c, input)
				}
			}),
		newMutant("fails-without-validating-optional", "CAP-INV-03",
			"Has a capability that fails on every input with the optional member label and does not validate that member.",
			failsOnLabel),
		newMutant("validates-after-executing", "CAP-INV-03", "Executes the handler before it validates the input.",
			validatesLate).WithRole("counter"),
	))
	return append(broken, strictness()...)
}

// failsOnLabel adds a capability that fails if the input has the member label, and that
// does not validate the value of that member.
func failsOnLabel(h *caphost.Host) {
	failsUnvalidated(h, "label", &caphost.Failure{Code: caphost.ExecutionFailed, Message: "no such label"})
}

// failsUnvalidated adds a capability that fails if the input has the member label. It does not
// validate the value of the member unvalidated.
func failsUnvalidated(h *caphost.Host, unvalidated string, failure *caphost.Failure) {
	compute := victim(h).Run
	target := duplicateOf(h, func(ctx context.Context, h *caphost.Host, input map[string]any) (any, error) {
		if _, given := input["label"]; given {
			return nil, failure
		}
		delete(input, unvalidated)
		return compute(ctx, h, input)
	})
	lax := laxer(target.Input, func(schema map[string]any, depth int) {
		if properties, _ := schema["properties"].(map[string]any); depth == 0 {
			properties[unvalidated] = true
		}
	})
	original := h.Validate
	h.Validate = func(c *caphost.Capability, input any) error {
		if c.Ref != target.Ref {
			return original(c, input)
		}
		return lax.Check(input)
	}
}

// refusesInUnion refuses some rows of the capability table.lookup, whose values have one of
// several types.
func refusesInUnion(refuses func(value any) bool) defect {
	return func(h *caphost.Host) {
		original := h.Validate
		h.Validate = func(c *caphost.Capability, input any) error {
			if err := original(c, input); err != nil || c.ID != "table.lookup" {
				return err
			}
			members, _ := input.(map[string]any)
			rows, _ := members["rows"].([]any)
			for _, element := range rows {
				if row, _ := element.(map[string]any); row["value"] != nil && refuses(row["value"]) {
					return errors.New("a row has an unwanted value")
				}
			}
			return nil
		}
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

// strictness returns hosts that refuse inputs that the schema permits (CAP-ERR-02).
func strictness() []mutant.Mutant {
	stricter := func(change func(schema map[string]any, depth int)) defect {
		return func(h *caphost.Host) {
			target, original := victim(h), h.Validate
			contract := laxer(target.Input, change)
			h.Validate = func(c *caphost.Capability, input any) error {
				if err := original(c, input); err != nil || c.Ref != target.Ref {
					return err
				}
				return contract.Check(input)
			}
		}
	}
	return []mutant.Mutant{
		newMutant("failure-as-invalid", "CAP-ERR-02", "Returns INVALID_INPUT for a failure during execution.",
			func(h *caphost.Host) {
				failingDuplicate(h, &caphost.Failure{Code: caphost.InvalidInput, Message: "no colour is near"})
			}),
		newMutant("sound-refused", "CAP-ERR-02", "Refuses every input of one capability as invalid.",
			func(h *caphost.Host) {
				target, original := victim(h).Ref, h.Validate
				h.Validate = func(c *caphost.Capability, input any) error {
					if c.Ref == target {
						return errors.New("input is not wanted")
					}
					return original(c, input)
				}
			}),
		newMutant("union-first-type", "CAP-ERR-02", "Accepts only the first type of a union.",
			refusesInUnion(func(value any) bool {
				_, isNumber := value.(json.Number)
				return !isNumber
			})),
		newMutant("union-without-false", "CAP-ERR-02",
			"Refuses false where the schema permits booleans, strings and numbers.",
			refusesInUnion(func(value any) bool { return value == false })),
		newMutant("union-without-empty-string", "CAP-ERR-02",
			"Refuses an empty string where the schema permits booleans, strings and numbers.",
			refusesInUnion(func(value any) bool { return value == "" })),
		newMutant("optional-required", "CAP-ERR-02", "Refuses an input of one capability that lacks an optional member.",
			stricter(func(schema map[string]any, depth int) {
				properties, _ := schema["properties"].(map[string]any)
				var names []any
				for name := range properties {
					names = append(names, name)
				}
				if depth == 0 {
					schema["required"] = names
				}
			})),
		newMutant("optional-forbidden", "CAP-ERR-02", "Refuses an input of one capability that has optional members.",
			stricter(func(schema map[string]any, depth int) {
				required, _ := schema["required"].([]any)
				if depth == 0 {
					schema["maxProperties"] = len(required)
				}
			})),
	}
}
