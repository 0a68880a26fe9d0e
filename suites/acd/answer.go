package acdsuite

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// answered is a call that was made.
type answered struct {
	operation string
	answer    driver.Answer
	err       error
	value     any // of a result, decoded
}

func readAnswer(operation string, answer driver.Answer, err error) answered {
	a := answered{operation: operation, answer: answer, err: err}
	if err == nil && answer.Outcome == driver.Returned {
		a.value = schemas.ReadValue(answer.Result)
	}
	return a
}

// served tells whether the operation is provided at all.
func (a answered) served() bool { return a.err != nil || a.answer.Outcome != driver.NotProvided }

// accepted tells whether a result came back, and no error in its place.
func (a answered) accepted() bool {
	return a.err == nil && a.answer.Outcome == driver.Returned && !a.said("error")
}

// refused tells whether an error came back. The text names none, so that any will do.
func (a answered) refused() bool {
	return a.err == nil && (a.answer.Outcome == driver.Refused || a.answer.Outcome == driver.Returned && a.said("error"))
}

// said tells whether a result has a member that says something, and no output.
func (a answered) said(name string) bool {
	told := member(a.value, name)
	return told != nil && told != false && member(a.value, "output") == nil
}

func (a answered) received() string { return suites.Received(a.answer, a.err) }

// missing says why an answer can't be used for anything else: the operation is not
// served, no answer came, or none of the binding.
func (a answered) missing() error {
	switch {
	case a.err != nil:
		return fmt.Errorf("no answer to %s: %w", a.operation, a.err)
	case !a.served():
		return &suites.Inconclusive{
			Reason: a.operation + " is not served",
			Supply: "serve it (suites/acd/ADAPTER.md), or map it under bindings in the target file",
		}
	case a.answer.Outcome == driver.Malformed:
		return suites.Violated("the answer to "+a.operation+" is no response of the binding", "a result or an error", a.received())
	}
	return nil
}

// ids gives the ids of a list of descriptors or ids, sorted and without the copies
// that the suite itself registers.
func (a answered) ids() []string {
	var all []string
	for _, item := range listOf(a.value) {
		if id := idOf(item); id != "" && !strings.HasPrefix(id, probePrefix) {
			all = append(all, id)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// idOf gives the id of a descriptor, or the id that stands in its place.
func idOf(item any) string {
	if id, isText := item.(string); isText {
		return id
	}
	return text(item, "capability_id")
}

// listed tells whether a list is what came back.
func (a answered) listed() bool {
	switch v := a.value.(type) {
	case []any:
		return true
	case object:
		_, is := v["capabilities"].([]any)
		return is
	}
	return false
}

func listOf(v any) []any {
	if members, is := v.(object); is {
		v = members["capabilities"]
	}
	list, _ := v.([]any)
	return list
}

// principal is a caller.
func principal(permissions ...string) object {
	held := []any{}
	for _, p := range permissions {
		held = append(held, p)
	}
	return object{"id": "capconform", "permissions": held}
}

// call carries an operation and puts it into the transcript.
func (w *world) call(ctx context.Context, operation string, params any) answered {
	if w.nowhere.err != nil && strings.HasPrefix(operation, opPath) { // others than what it serves get no answer at all
		return answered{operation: operation, answer: driver.Answer{Outcome: driver.NotProvided}}
	}
	answer, err := w.sc.Call(ctx, driver.Operation{Name: operation, Params: suites.Encode(params), List: lists[operation]})
	return w.onPath(readAnswer(operation, answer, err))
}

// lists are the operations whose answers may be long.
var lists = map[string]bool{opList: true, opQuery: true, opLegacy: true, opPath: true, opAudit: true, opExecLog: true}

// invocation is one call of the engine.
type invocation struct {
	id, mode, channel string
	permissions       []string
	input             any
}

func (w *world) invoke(ctx context.Context, i invocation) answered {
	params := object{"capability_id": i.id, "mode": i.mode, "principal": principal(i.permissions...), "input": i.input}
	if i.input == nil {
		params["input"] = object{}
	}
	if i.channel != "" {
		params["channel"] = i.channel
	}
	return w.call(ctx, opInvoke, params)
}

// broken makes a breach.
func broken(message, want string, got any) error {
	if s, is := got.(string); is {
		return suites.Violated(message, want, s)
	}
	return suites.Violated(message, want, suites.Print(got))
}

// number reads a whole number; 7.0 and 7e0 are ones, too.
func number(v any) (int64, bool) {
	n, is := v.(json.Number)
	if !is {
		return 0, false
	}
	r, ok := new(big.Rat).SetString(string(n))
	if !ok || !r.IsInt() || !r.Num().IsInt64() {
		return 0, false
	}
	return r.Num().Int64(), true
}
