package text

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
	"github.com/capconform/capconform/suites/verdict"
)

// condition is an entry of when: what a target must declare or speak, so that a scenario with the tag @when:NAME
// obliges it.
type condition struct {
	Name      string
	If        part.Text
	Otherwise string // why the scenario does not oblige the target
	file      *part.File
}

var conditionKeys = []string{"if", "otherwise"}

func (r protocolReader) condition(key, value *yaml.Node) {
	m := r.Members(value, conditionKeys)
	c := condition{key.Value, r.Text(m["if"]), r.Text(m["otherwise"]).Value, r.File}
	if c.If.Value == "" || c.Otherwise == "" {
		r.Fail(value, "a condition needs if, an expression, and otherwise, the reason why it does not hold")
	}
	r.When = append(r.When, c)
}

// begin reads the operations that are called before anything is planned.
func (r protocolReader) begin(n *yaml.Node) {
	if n == nil {
		return
	}
	if n.Kind != yaml.SequenceNode {
		r.Fail(n, "begin is a list of operations")
		return
	}
	for _, one := range n.Content {
		if op := r.known(one, one); op != nil && !op.Reads {
			r.Fail(one, "an operation under begin must read: add reads: true to it")
		}
		r.Begin = append(r.Begin, one.Value)
	}
}

// loadConditions compiles the conditions.
func (t *Text) loadConditions() error {
	t.conditions = map[string]*rule.Expression{}
	for _, c := range t.When {
		t.conditions[c.Name] = t.scope().Compile(c.file, c.If)
		if err := c.file.Err(); err != nil {
			return err
		}
	}
	return nil
}

// conditionTags returns the tags of the conditions.
func (p *protocol) conditionTags() []string {
	var all []string
	for _, c := range p.When {
		all = append(all, "@when:"+c.Name)
	}
	return all
}

// holds returns nil if a condition holds, and otherwise the reason.
func (e *examination) holds(c condition) error {
	value, err := e.text.conditions[c.Name].Eval(e.View(), nil)
	var open *verdict.Inconclusive
	switch {
	case errors.As(err, &open):
		return verdict.Undecided("what the target declares is not known (the condition %s)", c.Name)
	case err != nil:
		return err
	case value != true:
		return verdict.Inapplicable("%s", c.Otherwise)
	}
	return nil
}
