package act

import (
	"encoding/json"

	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// invocation is one call of capability.invoke.
type invocation struct {
	asked history.Ref
	input json.RawMessage
	about map[string]string
	slow  bool
	links []record.Link
}

// with adds a parameter, unless it is empty.
func (i invocation) with(name, value string) invocation {
	about := map[string]string{}
	for n, v := range i.about {
		about[n] = v
	}
	if value != "" {
		about[name] = value
	}
	i.about = about
	return i
}

// of makes an invocation with a valid input.
func (c *Capability) of(s instance.Sample) invocation {
	return invocation{asked: c.Ref(), input: s.Text}.with(history.AboutDoubt, s.Doubt)
}

// breaking makes an invocation with an invalid input.
func (c *Capability) breaking(f instance.Sample) invocation {
	return invocation{asked: c.Ref(), input: f.Text}.with(history.AboutBreaks, f.Keyword).with(history.AboutWhy, f.Note)
}

// params returns the parameters of invoke. The input is already JSON.
func (i invocation) params() json.RawMessage {
	params := append([]byte(`{"`+history.MemberInvoked+`":`), i.input...)
	params = append(params, `,"`+history.MemberRef+`":`...)
	return append(append(params, jsonvalue.Encode(i.asked)...), '}')
}

func firstSuccess(all []*history.Attempt) *history.Attempt {
	for _, a := range all {
		if a.Succeeded() {
			return a
		}
	}
	return nil
}

// isExecutionFailure reports whether an attempt ended with EXECUTION_FAILED.
func isExecutionFailure(a *history.Attempt) bool { return a.FailedWith(history.ExecutionFailed) }
