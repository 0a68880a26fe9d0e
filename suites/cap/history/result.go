package history

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
)

// The codes of CAP ("Errors"), a closed set.
const (
	NotFound         = "NOT_FOUND"
	InvalidInput     = "INVALID_INPUT"
	PermissionDenied = "PERMISSION_DENIED"
	ExecutionFailed  = "EXECUTION_FAILED"
	Timeout          = "TIMEOUT"
)

// Codes are the five.
func Codes() []string {
	return []string{NotFound, InvalidInput, PermissionDenied, ExecutionFailed, Timeout}
}

// Result is an answer to capability.invoke, as far as it can be read.
type Result struct {
	Members map[string]any // nil if the answer is no object
	Flaw    error          // why it could not be decoded
}

// ReadResult reads the result of an answer.
func ReadResult(text json.RawMessage) Result {
	value, err := schemas.Decode(text, schemas.Limits{})
	if err != nil {
		return Result{Flaw: err}
	}
	members, _ := value.(map[string]any)
	return Result{Members: members}
}

// OK is true for a success, whatever else is wrong with the shape.
func (r Result) OK() bool { return r.Members["ok"] == true }

// Refused is true for an InvokeResult that says no.
func (r Result) Refused() bool { return r.Members["ok"] == false }

// HasOutcome tells an InvokeResult as far as its outcome can be told.
func (r Result) HasOutcome() bool { return r.OK() || r.Refused() }

// Output is what the capability gave.
func (r Result) Output() any { return r.Members["output"] }

// Code is the error's code, "" where there is none that is a string.
func (r Result) Code() string {
	e, _ := r.Members["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// BareCode is the code of an error object as it came, nil where it has none.
func (r Result) BareCode() any {
	e, _ := r.Members["error"].(map[string]any)
	return e["code"]
}

// hasError is true where the result bears an error, of whatever form.
func (r Result) hasError() bool { return r.Members["error"] != nil }

// Message is what the target says about its error.
func (r Result) Message() string {
	e, _ := r.Members["error"].(map[string]any)
	text, _ := e["message"].(string)
	return text
}

// pendingStates are words of a status that is not final.
var pendingStates = []string{
	"accepted", "created", "deferred", "enqueued", "in_progress", "in-progress", "inprogress", "input_required",
	"pending", "processing", "queued", "running", "scheduled", "started", "submitted", "working",
}

// handles are members that stand for a result to be fetched later.
var handles = []string{"task", "task_id", "taskId", "job", "job_id", "jobId", "ticket", "handle", "operation_id",
	"poll_url"}

// Pending is true for a reply that is a promise in place of a result: it has no
// outcome, but a handle or a status that is not final. Beside an outcome such
// members are custom ones, unless both stand there and no output does.
func (r Result) Pending() bool {
	if r.Members == nil {
		return false
	}
	waits := false
	for _, member := range []string{"status", "state", "resultType"} {
		word, ok := r.Members[member].(string)
		waits = waits || (ok && slices.Contains(pendingStates, strings.ToLower(word)))
	}
	handle := slices.ContainsFunc(handles, func(h string) bool { return r.Members[h] != nil })
	if r.Members["ok"] == nil {
		return waits || handle
	}
	return waits && handle && r.Output() == nil && !r.hasError()
}

// WorstShapes are the defects of a shape that say most.
var WorstShapes = []string{NoObject, "ok is not a boolean"}

// NoObject is the defect of an answer that is none.
const NoObject = "the answer is no object"

// Defects compares with InvokeResult as the text prints it. The set of codes is
// another requirement. The text does not say that error is null where ok is true.
func (r Result) Defects() []string {
	if r.Members == nil {
		return []string{NoObject}
	}
	var wrong []string
	note := func(sound bool, format string, args ...any) {
		if !sound {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	_, isBool := r.Members["ok"].(bool)
	note(isBool, "ok is not a boolean")
	output := r.Members["output"]
	_, isObject := output.(map[string]any)
	note(output == nil || isObject, "output is neither an object nor null")
	note(isDuration(r.Members["duration_ms"]), "duration_ms is not an integer of 0 or more")
	if r.Refused() {
		note(r.hasError(), "ok is false and error is null")
	}
	if r.hasError() {
		e, isObject := r.Members["error"].(map[string]any)
		note(isObject, "error is no object")
		note(!isObject || e["code"] != nil || r.OK(), "error.code is missing")
	}
	return wrong
}

// isDuration takes 12 and 12.0, as JSON Schema's integer does.
func isDuration(v any) bool {
	n, ok := v.(json.Number)
	if !ok {
		return false
	}
	whole, fraction, _ := strings.Cut(string(n), ".")
	if strings.ContainsAny(string(n), "eE") {
		f, err := n.Float64()
		return err == nil && f >= 0 && f == float64(int64(f))
	}
	return (whole == "-0" || !strings.HasPrefix(whole, "-")) && strings.Trim(fraction, "0") == ""
}
