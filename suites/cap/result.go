package capsuite

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/driver"
)

// The codes of CAP ("Errors"), a closed set.
const (
	codeNotFound         = "NOT_FOUND"
	codeInvalidInput     = "INVALID_INPUT"
	codePermissionDenied = "PERMISSION_DENIED"
	codeExecutionFailed  = "EXECUTION_FAILED"
	codeTimeout          = "TIMEOUT"
)

func codes() []string {
	return []string{codeNotFound, codeInvalidInput, codePermissionDenied, codeExecutionFailed, codeTimeout}
}

// invokeResult is an answer to capability.invoke, as far as it can be read.
type invokeResult struct {
	members map[string]any // nil if the answer is no object
	decode  error          // why it could not be decoded
}

func readResult(answer driver.Answer) invokeResult {
	value, err := schemas.Decode(answer.Result, schemas.Limits{})
	if err != nil {
		return invokeResult{decode: err}
	}
	members, _ := value.(map[string]any)
	return invokeResult{members: members}
}

// ok is true for a success, whatever else is wrong with the shape.
func (r invokeResult) ok() bool { return r.members["ok"] == true }

// refused is true for an InvokeResult that says no.
func (r invokeResult) refused() bool { return r.members["ok"] == false }

// is an InvokeResult as far as its outcome can be told.
func (r invokeResult) hasOutcome() bool { return r.ok() || r.refused() }

func (r invokeResult) output() any { return r.members["output"] }

// code is the error's code, "" where there is none that is a string.
func (r invokeResult) code() string {
	e, _ := r.members["error"].(map[string]any)
	code, _ := e["code"].(string)
	return code
}

// bareCode is the code of an error object as it came, nil where it has none.
func (r invokeResult) bareCode() any {
	e, _ := r.members["error"].(map[string]any)
	return e["code"]
}

// hasError is true where the result bears an error, of whatever form.
func (r invokeResult) hasError() bool { return r.members["error"] != nil }

// message is what the target says about its error.
func (r invokeResult) message() string {
	e, _ := r.members["error"].(map[string]any)
	text, _ := e["message"].(string)
	return text
}

// pendingStates are words of a status that is not final.
var pendingStates = []string{
	"accepted", "created", "deferred", "enqueued", "in_progress", "in-progress", "inprogress", "input_required",
	"pending", "processing", "queued", "running", "scheduled", "started", "submitted", "working",
}

// handles are members that stand for a result to be fetched later.
var handles = []string{"task", "task_id", "taskId", "job", "job_id", "jobId", "ticket", "handle", "operation_id", "poll_url"}

// pending is true for a reply that is a promise in place of a result: it has no
// outcome, but a handle or a status that is not final. Beside an outcome such
// members are custom ones, unless both stand there and no output does.
func (r invokeResult) pending() bool {
	if r.members == nil {
		return false
	}
	waits := false
	for _, member := range []string{"status", "state", "resultType"} {
		word, ok := r.members[member].(string)
		waits = waits || (ok && slices.Contains(pendingStates, strings.ToLower(word)))
	}
	handle := slices.ContainsFunc(handles, func(h string) bool { return r.members[h] != nil })
	if r.members["ok"] == nil {
		return waits || handle
	}
	return waits && handle && r.output() == nil && !r.hasError()
}

// worstShapes are the defects of a shape that say most.
var worstShapes = []string{noObject, "ok is not a boolean"}

const noObject = "the answer is no object"

// shapeDefects compares with InvokeResult as the text prints it. The set of codes is
// another requirement. The text does not say that error is null where ok is true.
func (r invokeResult) shapeDefects() []string {
	if r.members == nil {
		return []string{noObject}
	}
	var wrong []string
	note := func(sound bool, format string, args ...any) {
		if !sound {
			wrong = append(wrong, fmt.Sprintf(format, args...))
		}
	}
	_, isBool := r.members["ok"].(bool)
	note(isBool, "ok is not a boolean")
	output := r.members["output"]
	_, isObject := output.(map[string]any)
	note(output == nil || isObject, "output is neither an object nor null")
	note(isDuration(r.members["duration_ms"]), "duration_ms is not an integer of 0 or more")
	if r.refused() {
		note(r.hasError(), "ok is false and error is null")
	}
	if r.hasError() {
		e, isObject := r.members["error"].(map[string]any)
		note(isObject, "error is no object")
		note(!isObject || e["code"] != nil || r.ok(), "error.code is missing")
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
