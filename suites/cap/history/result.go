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

// Result is an answer to capability.invoke, as far as it can be read.
type Result struct {
	Members map[string]any // nil if the answer is not an object
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

// OK reports whether ok is true, whatever else is wrong with the shape.
func (r Result) OK() bool { return r.Members["ok"] == true }

// NotOK reports whether ok is false.
func (r Result) NotOK() bool { return r.Members["ok"] == false }

// HasOutcome reports whether ok is true or false.
func (r Result) HasOutcome() bool { return r.OK() || r.NotOK() }

// Output returns the output of the capability.
func (r Result) Output() any { return r.Members["output"] }

// Code returns the code of the error, "" if there is none that is a string.
func (r Result) Code() string {
	e, _ := r.Members["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// BareCode returns the code of the error as it was received, nil if there is none.
func (r Result) BareCode() any {
	e, _ := r.Members["error"].(map[string]any)
	return e["code"]
}

// hasError reports whether the result contains an error of any form.
func (r Result) hasError() bool { return r.Members["error"] != nil }

// Message returns the message of the error.
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

// handles are members that identify a result to be fetched later.
var handles = []string{"task", "task_id", "taskId", "job", "job_id", "jobId", "ticket", "handle", "operation_id",
	"poll_url"}

// Pending reports whether the reply is a handle in place of a result: it has no outcome, but a
// handle or a status that is not final. Beside an outcome such members are custom members, unless
// both are present and no output is.
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

// WorstShapes are the most severe defects of a shape.
var WorstShapes = []string{NoObject, "ok is not a boolean"}

// NoObject is the defect of an answer that is not an object.
const NoObject = "the answer is not an object"

// Defects compares the result with InvokeResult as the text prints it. Another requirement judges
// the set of codes. The text does not say that error is null if ok is true.
func (r Result) Defects() []string {
	if r.Members == nil {
		return []string{NoObject}
	}
	var wrong []string
	note := func(valid bool, format string, args ...any) {
		if !valid {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	_, isBool := r.Members["ok"].(bool)
	note(isBool, "ok is not a boolean")
	output := r.Members["output"]
	_, isObject := output.(map[string]any)
	note(output == nil || isObject, "output is neither an object nor null")
	note(isDuration(r.Members["duration_ms"]), "duration_ms is not an integer of 0 or more")
	if r.NotOK() {
		note(r.hasError(), "ok is false and error is null")
	}
	if r.hasError() {
		e, isObject := r.Members["error"].(map[string]any)
		note(isObject, "error is not an object")
		note(!isObject || e["code"] != nil || r.OK(), "error.code is missing")
	}
	return wrong
}

// isDuration accepts 12 and 12.0, like the type integer of JSON Schema.
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
