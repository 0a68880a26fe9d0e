package defect

import (
	"cmp"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/rule"
)

// binding is a name and its value, which is computed at most once for each call.
type binding struct {
	name  string
	value *rule.Expression
}

// let reads the names of a row, which the expressions of the row may use from then on.
func (l *loader) let(n *yaml.Node) []binding {
	var all []binding
	l.pairs(n, "let", func(key, value *yaml.Node) {
		if l.scope.Has(key.Value) {
			l.Fail(key, "there is a variable %s already", key.Value)
		}
		all = append(all, binding{key.Value, l.scope.Compile(l.File, l.Text(value))})
		l.scope = l.scope.With(key.Value)
	})
	return all
}

// joined returns the names of a group and, after them, those of its row.
func joined(group, row *yaml.Node) *yaml.Node {
	if group == nil || row == nil {
		return cmp.Or(group, row)
	}
	both := *group
	both.Content = slices.Concat(group.Content, row.Content)
	return &both
}

// bind computes the values of the names. A name whose expression has no value is null.
func (v *values) bind() {
	for _, b := range v.unbound {
		value, err := b.value.Value(v.view, v.vars)
		v.note(err)
		v.vars[b.name] = value
	}
	v.unbound = nil
}
