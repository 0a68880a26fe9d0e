package capmutant

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// results returns hosts that break the shape of an InvokeResult (CAP-INV-01).
func results() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		value         any
	}{
		{"string", "a string", "12"},
		{"fractional", "a number with a fraction", json.Number("1.5")},
		{"negative", "a negative number", -1},
		{"null", "null", nil},
		{"boolean", "a boolean", true},
	} {
		broken = append(broken, newMutant("duration-"+m.name, "CAP-INV-01", "Returns "+m.summary+" as duration_ms.",
			func(h *caphost.Host) {
				changesResult(h, everything, func(_ caphost.Outcome, result map[string]any) any {
					result["duration_ms"] = m.value
					return result
				})
			}))
	}
	broken = append(broken,
		newMutant("duration-missing", "CAP-INV-01", "Omits duration_ms.", func(h *caphost.Host) {
			changesResult(h, everything, func(_ caphost.Outcome, result map[string]any) any {
				delete(result, "duration_ms")
				return result
			})
		}),
		newMutant("failure-as-protocol-error", "CAP-INV-01",
			"Answers a failed invoke of one capability with a protocol error EXECUTION_FAILED.", func(h *caphost.Host) {
				failingDuplicate(h, &caphost.Failure{Code: "crash", Message: "no colour is near"})
				resultAs("crash", func(failure *caphost.Failure) error {
					return rpc.Refuse(caphost.ExecutionFailed,
						failure.Message)
				})(h)
			}),
		newMutant("failure-as-internal-error", "CAP-INV-01",
			"Answers a failed invoke of one capability with an internal error.", func(h *caphost.Host) {
				failingDuplicate(h, &caphost.Failure{Code: "crash", Message: "no colour is near"})
				resultAs("crash", func(*caphost.Failure) error { return mutant.ProtocolError("internal error") })(h)
			}),
	)
	for _, m := range []struct{ name, id, role, what string }{
		{"failure", "conformance.fail", "fails", "a failure"}, {"timeout", "conformance.slow", "slow", "a missed deadline"},
	} {
		broken = append(broken, newMutant(m.name+"-without-duration", "CAP-INV-01",
			"Leaves duration_ms out of the result of "+m.what+".", func(h *caphost.Host) {
				which := func(c *caphost.Capability) bool { return c != nil && c.ID == m.id }
				changesResult(h, which, func(_ caphost.Outcome,
					result map[string]any) any {
					return mutant.Without("duration_ms")(result)
				})
			}).WithRole(m.role))
	}
	return slices.Concat(broken, okResults(), failedResults(), refusedResults())
}

// okResults returns hosts that break the successful result of one capability.
func okResults() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(result map[string]any) any
	}{
		{"ok-missing", "Omits ok.", mutant.Without("ok")},
		{"ok-string", "Returns ok as a string.", mutant.With("ok", "true")},
		{"ok-number", "Returns ok as a number.", mutant.With("ok", 1)},
		{"ok-null", "Returns ok as null.", mutant.With("ok", nil)},
		{"bare-output", "Returns the output instead of an InvokeResult.",
			func(result map[string]any) any { return result["output"] }},
		{"wrapped-result", "Returns the InvokeResult inside another object.",
			func(result map[string]any) any { return map[string]any{"result": result} }},
		{"result-text", "Returns the InvokeResult as JSON in a string.",
			func(result map[string]any) any { return string(rpc.Append(nil, result)) }},
		{"result-array", "Returns the InvokeResult in an array.", func(result map[string]any) any { return []any{result} }},
		{"result-null", "Returns null instead of an InvokeResult.", func(map[string]any) any { return nil }},
	} {
		broken = append(broken, newMutant(m.name, "CAP-INV-01", m.summary, changesVictimSuccess(m.turn)))
	}
	for name, output := range map[string]any{"array": []any{"ff0000"}, "string": "ff0000", "number": 7, "boolean": true} {
		broken = append(broken, newMutant("output-"+name, "CAP-INV-01",
			"Returns an output that is neither object nor null, from a capability that permits any output.",
			func(h *caphost.Host) {
				open, err := caphost.Compile(true)
				if err != nil {
					return // a boolean schema always compiles
				}
				c := duplicateOf(h, func(context.Context, *caphost.Host, map[string]any) (any, error) {
					return map[string]any{},
						nil
				})
				c = c.Edit(setsMember("output_schema", map[string]any{}))
				c.Output = open
				h.Replace(c.Ref, c)
				changesResult(h, only(c), func(outcome caphost.Outcome, result map[string]any) any {
					if outcome.Failure == nil {
						result["output"] = output
					}
					return result
				})
			}))
	}
	return mutant.ByName(broken)
}

// failedResults returns hosts that break the result of a capability that fails. The capability
// is added for this purpose, so that no role is lost.
func failedResults() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(result map[string]any) any
	}{
		{"failure-without-error", "Returns a failure with error null.", mutant.With("error", nil)},
		{"failure-error-missing", "Returns a failure without error.", mutant.Without("error")},
		{"failure-error-string", "Returns the error as a bare string.", mutant.With("error", caphost.ExecutionFailed)},
		{"failure-error-array", "Returns the error in an array.",
			mutant.With("error", []any{map[string]any{"code": caphost.ExecutionFailed}})},
		{"failure-error-codeless", "Returns an error without code.",
			mutant.With("error", map[string]any{"message": "no colour is near"})},
		{"failure-ok-missing", "Omits ok in a failure.", mutant.Without("ok")},
	} {
		broken = append(broken, newMutant(m.name, "CAP-INV-01", m.summary, func(h *caphost.Host) {
			c := failingDuplicate(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: "no colour is near"})
			changesResult(h, only(c), func(outcome caphost.Outcome, result map[string]any) any {
				if outcome.Failure.Code != caphost.ExecutionFailed {
					return result
				}
				return m.turn(result)
			})
		}))
	}
	return broken
}

// refusedResults break the shape of a refusal, and of an output that its schema refuses too: no other
// requirement is broken by a code or an output in an invalid form.
func refusedResults() []mutant.Mutant {
	ofCode := func(code string, change func(result map[string]any) any) defect {
		return func(h *caphost.Host) {
			changesResult(h, everything, func(outcome caphost.Outcome, result map[string]any) any {
				if outcome.Failure == nil || outcome.Failure.Code != code {
					return result
				}
				return change(result)
			})
		}
	}
	return []mutant.Mutant{
		newMutant("invalid-ok-string", "CAP-INV-01", "Returns ok as a string in the refusal of an invalid input.",
			ofCode(caphost.InvalidInput, mutant.With("ok", "false"))),
		newMutant("invalid-error-array", "CAP-INV-01", "Returns the error in an array in the refusal of an invalid input.",
			ofCode(caphost.InvalidInput, mutant.With("error", []any{object{"code": caphost.InvalidInput}}))),
		newMutant("unknown-ok-missing", "CAP-INV-01", "Omits ok in the answer for an unknown pair.",
			ofCode(caphost.NotFound, mutant.Without("ok"))),
		newMutant("output-list-declared-object", "CAP-INV-01",
			"Returns an array as the output of a capability whose output schema requires an object.",
			changesVictimSuccess(func(result object) any { return mutant.With("output", []any{result["output"]})(result) })),
	}
}

// resultAs answers failures with one code with an error of the operation.
func resultAs(code string, refuse func(failure *caphost.Failure) error) defect {
	return func(h *caphost.Host) {
		result, invoke := h.Result, h.Invoke
		h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any {
			if outcome.Failure != nil && outcome.Failure.Code == code {
				return refuse(outcome.Failure)
			}
			return result(c, outcome)
		}
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			result, err := invoke(ctx, params)
			if refusal, isError := result.(error); isError {
				return nil, refusal
			}
			return result, err
		}
	}
}
