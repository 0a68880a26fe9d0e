package chpdocument

import (
	"strings"

	"github.com/capconform/capconform/suites/chp/judge"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/shape"
)

// objects judges the members of single objects.
type objects struct {
	*lint.Findings
	forms  *judge.Forms
	rules  *rule.Set
	closed map[form]closedReading
}

var formKinds = map[form]string{
	formDescriptor: kindDescriptors, formHost: kindHosts, formEnvelope: kindEnvelopes, formQuery: kindQueries,
	formReplay: kindReplays, formResult: kindResults,
}

// judgeObject judges an object by its members only.
func (o *objects) judgeObject(file string, n *document.Node, f form) {
	if f == "" {
		return
	}
	if kind := formKinds[f]; kind != "" {
		o.AddKind(kind)
	}
	o.members(f, file, n)
	if f == formResult {
		o.denial(file, n.Get("denial"))
		o.closedContext(file, n.Get("correlation"))
	}
	o.closedForm(f, file, n)
}

// shapeOf returns the schema of a form, nil if its members are not judged one by one.
func (o *objects) shapeOf(f form) *shape.Shape {
	return map[form]*shape.Shape{
		formDescriptor: o.forms.Descriptor, formHost: o.forms.Host, formEnvelope: o.forms.Envelope, formEvent: o.forms.Event,
		formReplay: o.forms.Replay, formQuery: o.forms.Query, formResult: o.forms.Result,
	}[f]
}

// members judges the members of a form.
func (o *objects) members(f form, file string, n *document.Node) {
	of := o.shapeOf(f)
	if of == nil {
		return
	}
	for _, p := range of.Parts {
		if !judgedByRules[p.Requirement] {
			o.member(p, p.Requirement, file, n)
		}
	}
}

// member judges one member under a requirement.
func (o *objects) member(p shape.Part, id, file string, n *document.Node) {
	value := n.Get(p.Member)
	switch {
	case value.Absent() && p.Given != nil:
	case value == nil:
		o.Breach(id, file, n, "%s is missing", p.Member)
	case value.Absent():
		o.Breach(id, file, value, "%s is null, which counts as missing", p.Member)
	case len(p.Beside) == 0 && p.Fits(value.Value()):
	default:
		if _, wrong := p.Breaks(membersNamed(n, append([]string{p.Member}, p.Beside...)...)); wrong {
			o.wrongPart(p, id, file, value)
		}
	}
}

// wrongPart reports the invalid items of a list that is otherwise valid.
func (o *objects) wrongPart(p shape.Part, id, file string, value *document.Node) {
	wrong := 0
	if p.Fits([]any{}) {
		for _, item := range value.Items {
			if !p.Fits([]any{item.Value()}) {
				wrong++
				o.Breach(id, file, item, "%s has an item that is %s; want %s", p.Member, lint.Described(item), p.Want)
			}
		}
	}
	if wrong == 0 {
		o.Breach(id, file, value, "%s is %s; want %s", p.Member, shownInstead(value, p.Want), p.Want)
	}
}

// shownInstead describes a value that is not what is wanted: by its kind, or by its content if it has the
// kind that is wanted.
func shownInstead(value *document.Node, want string) string {
	kind := lint.Described(value)
	if strings.HasPrefix(want, kind) {
		return jsonvalue.Print(value.Value())
	}
	return kind
}

// denial judges a denial record, if there is one.
func (o *objects) denial(file string, n *document.Node) {
	if !n.Is(document.Object) {
		return
	}
	o.AddKind(kindDenials)
	for _, p := range o.forms.Denial.Parts {
		o.member(p, p.Requirement, file, n)
	}
}

// closedForm judges an object by the closed reading of its form, if this was requested.
func (o *objects) closedForm(f form, file string, n *document.Node) {
	closed, asked := o.closed[f]
	if !asked {
		return
	}
	causes, err := closed.Causes(n.Value())
	if err != nil {
		o.LeaveOpen(closed.id, "the %s at %s:%d:%d can't be decided: %v", f, file, n.Line, n.Column, err)
	}
	for _, cause := range causes {
		o.Breach(closed.id, file, n.At(cause.InstancePointer), "%s", cause)
	}
}

func (o *objects) closedContext(file string, n *document.Node) {
	if n.Is(document.Object) {
		o.AddKind(kindContexts)
		o.closedForm(formContext, file, n)
		o.judge(ofContext, file, n, facts{"environment": n.Get("environment").Value()})
	}
}

// membersNamed returns members of an object.
func membersNamed(n *document.Node, names ...string) map[string]any {
	members := map[string]any{}
	for _, name := range names {
		members[name] = n.Get(name).Value()
	}
	return members
}
