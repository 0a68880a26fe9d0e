package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// outputs break the declared output schema (CAP-INV-04).
func outputs() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("output-unchecked", "CAP-INV-04", "Gives what a handler yields without checking it.",
			func(h *caphost.Host) {
				h.Check = func(*caphost.Capability, any) error { return nil }
			}).WithRole("malformed"),
	}
	for _, m := range []struct {
		name, summary string
		turn          func(output object)
	}{
		{"wrong-type", "Gives a string where the output schema says integer.",
			func(output object) { output["share"] = "25" }},
		{"fraction", "Gives a fraction where the output schema says integer.",
			func(output object) { output["share"] = 25.5 }},
		{"missing-member", "Leaves a member out that the output schema requires.",
			func(output object) { delete(output, "share") }},
		{"further-member", "Adds a member that the output schema forbids.",
			func(output object) { output["name"] = "violet" }},
		{"beyond-bound", "Gives a number beyond the bound of the output schema.",
			func(output object) { output["share"] = 101 }},
		{"bad-pattern", "Gives a string that the output schema's pattern refuses.",
			func(output object) { output["colour"] = "violet" }},
		{"null-member", "Gives null for a member that the output schema types.",
			func(output object) { output["colour"] = nil }},
		{"empty", "Gives an empty object although members are required.", func(output object) { clear(output) }},
	} {
		broken = append(broken, newMutant("output-"+m.name, "CAP-INV-04", m.summary, victimOK(func(result object) any {
			output, _ := result["output"].(object)
			m.turn(output)
			return result
		})))
	}
	return append(broken,
		newMutant("output-null", "CAP-INV-04", "Gives output null although the output schema wants an object.",
			victimOK(mutant.With("output", nil))),
		newMutant("output-missing", "CAP-INV-04", "Leaves the output out although the output schema wants an object.",
			victimOK(mutant.Without("output"))),
		newMutant("output-content", "CAP-INV-04", "Gives the output as text inside another object.", victimOK(
			mutant.With("output", object{"content": []any{object{"type": "text", "text": `{"colour":"bf0040","share":25}`}}}))),
	)
}

// handles give something else than the final result (CAP-INV-05).
func handles() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		answer        any
	}{
		{"ticket", "Answers by a task id and a status to ask for later.", object{"task_id": "t-17", "status": "working"}},
		{"task", "Answers by a task object.",
			object{"task": object{"taskId": "t-17", "status": "working", "pollInterval": 500}}},
		{"pending", "Answers by a status that is not final.", object{"status": "pending", "retry_after_ms": 500}},
		{"input-required", "Answers by a demand for further input.",
			object{"resultType": "input_required", "inputRequests": object{}}},
	} {
		broken = append(broken, newMutant("handle-"+m.name, "CAP-INV-05", m.summary,
			victimOK(func(object) any { return m.answer })))
	}
	broken = append(broken, newMutant("callers-crossed", "CAP-INV-05",
		"Gives two callers that come at once each other's result.", callersCrossed).WithRole("echo"))
	return append(broken, newMutant("handle-beside-result", "CAP-INV-05",
		"Gives a result without output that says it is still working.", func(h *caphost.Host) {
			c := victim(h)
			h.Replace(c.Ref, c.Edit(setsMember("output_schema", object{})))
			victimOK(func(result object) any {
				result["output"], result["status"], result["task_id"] = nil, "working", "t-17"
				return result
			})(h)
		}))
}
