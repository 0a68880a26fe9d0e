package capvariant

import (
	"encoding/json"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// result changes every InvokeResult.
func result(change func(outcome caphost.Outcome, result map[string]any)) style {
	return func(h *caphost.Host) {
		original := h.Result
		h.Result = func(c *caphost.Capability, outcome caphost.Outcome) any {
			members, isObject := original(c, outcome).(map[string]any)
			if isObject {
				change(outcome, members)
			}
			return members
		}
	}
}

// results returns sources that write an InvokeResult in other ways.
func results() []variant.Variant {
	type object = map[string]any
	duration := func(text string) style {
		return result(func(_ caphost.Outcome, result object) { result["duration_ms"] = json.Number(text) })
	}
	return []variant.Variant{
		newVariant("result-without-nulls", "Omits null members of results.",
			result(func(_ caphost.Outcome, result object) {
				for _, member := range []string{"output", "error"} {
					if result[member] == nil {
						delete(result, member)
					}
				}
			}), "CAP-INV-01"),
		newVariant("result-more-members", "Adds members to every result.", result(func(_ caphost.Outcome, result object) {
			result["trace"], result["warnings"], result["_meta"] = "a1b2", []any{}, object{"cached": false}
			result["capability_id"], result["usage"] = "colour.compute_mix", nil
		}), "CAP-INV-01"),
		newVariant("result-final-status", "States in every result that it is final.",
			result(func(_ caphost.Outcome, result object) {
				result["status"], result["resultType"] = "completed", "complete"
			}), "CAP-INV-05"),
		newVariant("output-beside-error", "Returns a partial output beside an error.",
			result(func(outcome caphost.Outcome, result object) {
				if outcome.Failure != nil {
					result["output"] = object{"partial": true}
				}
			}), "CAP-INV-01"),
		newVariant("ok-with-error", "Returns an error in a result that is ok.",
			result(func(outcome caphost.Outcome, result object) {
				if outcome.Failure == nil {
					result["error"] = object{"code": caphost.ExecutionFailed, "message": "one of two sources did not answer"}
				}
			}), "CAP-INV-01"),
		newVariant("ok-with-empty-error", "Returns an empty object as error of a result that is ok.",
			result(func(outcome caphost.Outcome, result object) {
				if outcome.Failure == nil {
					result["error"] = object{}
				}
			}), "CAP-INV-01"),
		newVariant("duration-with-point", "Writes durations as 12.0.", duration("12.0"), "CAP-INV-01"),
		newVariant("duration-with-exponent", "Writes durations as 1.2e1.", duration("1.2e1"), "CAP-INV-01"),
		newVariant("duration-long", "Reports that every invoke took one day.", duration("86400000"), "CAP-INV-01"),
	}
}

// faults returns sources that write the error of an invoke, or of a describe, in other ways.
func faults() []variant.Variant {
	type object = map[string]any
	fault := func(change func(code string, fault object)) style {
		return result(func(outcome caphost.Outcome, result object) {
			if members, isObject := result["error"].(object); isObject {
				change(outcome.Failure.Code, members)
			}
		})
	}
	absent := func(fault *rpc.Error) style {
		return func(h *caphost.Host) {
			h.Absent = func(caphost.Ref) (any, error) { return nil, fault }
		}
	}
	absentAs := func(result any) style {
		return func(h *caphost.Host) {
			h.Absent = func(caphost.Ref) (any, error) { return result, nil }
		}
	}
	return []variant.Variant{
		newVariant("error-more-members", "Adds members to every error.", fault(func(code string, fault object) {
			fault["details"], fault["retryable"] = []any{object{"code": 17, "path": "/first"}}, code == caphost.Timeout
			fault["capability_id"], fault["cause"] = "colour.compute_mix", nil
		}), "CAP-INV-01", "CAP-ERR-06"),
		newVariant("error-without-message", "Returns errors without message.",
			fault(func(_ string, fault object) { delete(fault, "message") }), "CAP-INV-01"),
		newVariant("error-empty-message", "Returns errors with an empty message.",
			fault(func(_ string, fault object) { fault["message"] = "" }), "CAP-INV-01"),
		newVariant("error-long-message", "Explains every error at length and names other codes.",
			fault(func(_ string, fault object) {
				fault["message"] = strings.Repeat("This is not NOT_FOUND, INVALID_INPUT nor RATE_LIMITED.\n", 400)
			}), "CAP-ERR-06"),
		newVariant("absent-other-number",
			"Answers the describe of an unknown pair with the error number 404 and without message.",
			absent(&rpc.Error{Number: 404, Code: caphost.NotFound}), "CAP-DIS-04"),
		newVariant("absent-more-data", "Answers the describe of an unknown pair with further data.",
			absent(&rpc.Error{Number: rpc.InvalidParams, Code: caphost.NotFound, Message: "Unbekannt",
				Data: object{"known_versions": []any{"1.0.0"}, "ok": false, "retryable": false}}), "CAP-DIS-04"),
		newVariant("absent-as-word", "Returns the word NOT_FOUND from the describe of an unknown pair.",
			absentAs(caphost.NotFound),
			"CAP-DIS-04"),
		newVariant("absent-as-code", "Returns an object with the code NOT_FOUND from the describe of an unknown pair.",
			absentAs(object{"code": caphost.NotFound, "message": "unknown"}), "CAP-DIS-04"),
		newVariant("absent-as-error", "Returns an object with an error NOT_FOUND from the describe of an unknown pair.",
			absentAs(object{"error": object{"code": caphost.NotFound}}), "CAP-DIS-04"),
		newVariant("absent-as-status", "Returns an object with the status NOT_FOUND from the describe of an unknown pair.",
			absentAs(object{"status": caphost.NotFound}), "CAP-DIS-04"),
		newVariant("absent-as-result", "Returns a failed InvokeResult from the describe of an unknown pair.",
			absentAs(caphost.Outcome{Failure: &caphost.Failure{Code: caphost.NotFound, Message: "unknown"}}.JSON()),
			"CAP-DIS-04"),
	}
}
