package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// outputs returns hosts that break the declared output schema (CAP-INV-04).
func outputs() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("output-unchecked", "CAP-INV-04", "Returns the output of a handler without checking it.",
			func(h *caphost.Host) {
				h.Check = func(*caphost.Capability, any) error { return nil }
			}).WithRole("malformed"),
	}
	for _, m := range []struct {
		name, summary string
		turn          func(output object)
	}{
		{"wrong-type", "Returns a string where the output schema requires an integer.",
			func(output object) { output["share"] = "25" }},
		{"fraction", "Returns a fraction where the output schema requires an integer.",
			func(output object) { output["share"] = 25.5 }},
		{"missing-member", "Omits a member that the output schema requires.",
			func(output object) { delete(output, "share") }},
		{"further-member", "Adds a member that the output schema forbids.",
			func(output object) { output["name"] = "violet" }},
		{"beyond-bound", "Returns a number beyond the bound of the output schema.",
			func(output object) { output["share"] = 101 }},
		{"bad-pattern", "Returns a string that the pattern of the output schema refuses.",
			func(output object) { output["colour"] = "violet" }},
		{"null-member", "Returns null for a member that the output schema requires to be a string.",
			func(output object) { output["colour"] = nil }},
		{"empty", "Returns an empty object although members are required.", func(output object) { clear(output) }},
	} {
		broken = append(broken, newMutant("output-"+m.name, "CAP-INV-04", m.summary,
			changesVictimSuccess(func(result object) any {
				output, _ := result["output"].(object)
				m.turn(output)
				return result
			})))
	}
	return append(broken,
		newMutant("output-null", "CAP-INV-04", "Returns output null although the output schema requires an object.",
			changesVictimSuccess(mutant.With("output", nil))),
		newMutant("output-missing", "CAP-INV-04", "Omits the output although the output schema requires an object.",
			changesVictimSuccess(mutant.Without("output"))),
		newMutant("output-content", "CAP-INV-04", "Returns the output as text inside another object.", changesVictimSuccess(
			mutant.With("output",
				object{"content": []any{object{"type": "text", "text": `{"colour":"bf0040","share":25}`}}}))),
	)
}

// handles returns hosts that answer with something other than the final result (CAP-INV-05).
func handles() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		answer        any
	}{
		{"ticket", "Answers with a task id and a status that is not final.",
			object{"task_id": "t-17", "status": "working"}},
		{"task", "Answers with a task object.",
			object{"task": object{"taskId": "t-17", "status": "working", "pollInterval": 500}}},
		{"pending", "Answers with a status that is not final.", object{"status": "pending", "retry_after_ms": 500}},
		{"input-required", "Answers with a request for further input.",
			object{"resultType": "input_required", "inputRequests": object{}}},
	} {
		broken = append(broken, newMutant("handle-"+m.name, "CAP-INV-05", m.summary,
			changesVictimSuccess(func(object) any { return m.answer })))
	}
	broken = append(broken, newMutant("callers-crossed", "CAP-INV-05",
		"Returns to two concurrent callers each other's result.", answersSwapped).WithRole("echo"))
	return append(broken, newMutant("handle-beside-result", "CAP-INV-05",
		"Returns a result without output whose status is not final.", func(h *caphost.Host) {
			c := victim(h)
			h.Replace(c.Ref, c.Edit(setsMember("output_schema", object{})))
			changesVictimSuccess(func(result object) any {
				result["output"], result["status"], result["task_id"] = nil, "working", "t-17"
				return result
			})(h)
		}))
}
