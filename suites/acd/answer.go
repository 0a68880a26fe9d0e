package acdsuite

import (
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acd/history"
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

// said tells whether a result has a member that says something, and no output.
func (a answered) said(name string) bool {
	told := history.Member(a.value, name)
	return told != nil && told != false && history.Member(a.value, "output") == nil
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
