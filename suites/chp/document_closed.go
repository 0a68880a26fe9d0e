package chpsuite

import (
	"errors"
	"fmt"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// closedReadings are the narrower readings of the schemas, which advise only.
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
			ID: c.id, Sentence: fmt.Sprintf("each %s keeps to the closed reading", c.form),
			Broken: fmt.Sprintf("a %s does not keep to the closed reading of its schema", c.form), Want: "no other members, and the forms of the newer schemas",
		})
	}
	return all
}

// closedReading is a form's two schemas. The closed one is asked only where the
// one that decides is satisfied, so that a defect counts once.
type closedReading struct {
	id            string
	decides, asks *schemas.Schema
}

func compileClosed() (map[form]closedReading, error) {
	all := map[form]closedReading{}
	for _, c := range closedReadings {
		decides, err := schemas.Own("chp/" + c.schema + ".schema.json")
		if err != nil {
			return nil, fmt.Errorf("chpsuite: %w", err)
		}
		asks, err := schemas.Own("chp/" + c.schema + ".closed.schema.json")
		if err != nil {
			return nil, fmt.Errorf("chpsuite: %w", err)
		}
		all[c.form] = closedReading{c.id, decides, asks}
	}
	return all, nil
}

// closedForm judges an object by the closed reading of its form, if that is asked for.
func (r *reading) closedForm(f form, file string, n *document.Node) {
	c, asked := r.closed[f]
	if !asked {
		return
	}
	value := n.Value()
	if c.decides.Validate(value) != nil {
		return
	}
	err := c.asks.Validate(value)
	var invalid *schemas.Invalidity
	switch {
	case errors.As(err, &invalid):
		for _, cause := range invalid.Causes {
			r.Breach(c.id, file, n.At(cause.InstancePointer), "%s", cause)
		}
	case err != nil:
		r.Leave(c.id, "the %s at %s:%d:%d can't be decided: %v", f, file, n.Line, n.Column, err)
	}
}

func (r *reading) closedContext(file string, n *document.Node) {
	if n.Is(document.Object) {
		r.Hold(heldContexts)
		r.closedForm(formContext, file, n)
	}
}
