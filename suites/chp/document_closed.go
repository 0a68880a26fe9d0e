package chpsuite

import (
	"fmt"

	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// closedReadings are the forms that have a closed reading, which advises only, by schema.
var closedReadings = []struct {
	id     string
	form   form
	schema string
}{
	{"CHP-3-19", formDescriptor, "capability-descriptor"},
	{"CHP-4-11", formHost, "host-descriptor"},
	{"CHP-5-13", formEnvelope, "invocation-envelope"},
	{"CHP-6-18", formEvent, "evidence-event"},
	{"CHP-7-08", formContext, "correlation-context"},
	{"CHP-10-11", formQuery, "replay-query"},
	{"CHP-10-12", formReplay, "replay-result"},
}

// formContext is never a document by itself.
const formContext form = "CorrelationContext"

func closedRules() []lint.Rule {
	var all []lint.Rule
	for _, c := range closedReadings {
		all = append(all, lint.Rule{
			ID: c.id, Sentence: fmt.Sprintf("each %s conforms to the closed reading", c.form),
			Broken: fmt.Sprintf("a %s does not keep to the closed reading of its schema", c.form),
			Want:   "no other members, and the forms of the newer schemas",
		})
	}
	return all
}

// closedReading is the closed reading of a form, with its requirement.
type closedReading struct {
	*judge.ClosedReading
	id string
}

func compileClosed() (map[form]closedReading, error) {
	all := map[form]closedReading{}
	for _, c := range closedReadings {
		compiled, err := judge.CompileClosed(c.schema)
		if err != nil {
			return nil, err
		}
		all[c.form] = closedReading{compiled, c.id}
	}
	return all, nil
}

// closedForm judges an object by the closed reading of its form, if that is asked for.
func (r *reading) closedForm(f form, file string, n *document.Node) {
	closed, asked := r.closed[f]
	if !asked {
		return
	}
	causes, err := closed.Causes(n.Value())
	if err != nil {
		r.Leave(closed.id, "the %s at %s:%d:%d can't be decided: %v", f, file, n.Line, n.Column, err)
	}
	for _, cause := range causes {
		r.Breach(closed.id, file, n.At(cause.InstancePointer), "%s", cause)
	}
}

func (r *reading) closedContext(file string, n *document.Node) {
	if n.Is(document.Object) {
		r.Hold(heldContexts)
		r.closedForm(formContext, file, n)
	}
}
