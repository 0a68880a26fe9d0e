// Package defect edits answers by rows of data, so that known-bad hosts need no Go:
//
//   - defect: second-page-repeats
//     breaks: CLOCK-3-03
//     when: call.operation == "clock.zones" && call.n == 2
//     set: {result.zones: call.result.zones + [call.result.zones[0]]}
//
// A row edits every call for which when is true. The edit is one or more of set (values by path), remove (paths),
// refuse (an error in place of the answer), return (a result in place of the answer) and lose (no answer). Paths begin
// with result or error; [0] is an element of a list, and [] is each element.
package defect

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// Defect is one row.
type Defect struct {
	Name    string
	Breaks  string // the requirement
	Summary string

	when   *rule.Expression
	set    []assignment
	remove []path
	refuse map[string]*rule.Expression
	result *rule.Expression
	lose   bool
}

type assignment struct {
	path  path
	value *rule.Expression
}

// path is a path in an answer: the names of members, "[]" for each element, and "[N]" for one.
type path []string

// Call is the variable that when and the values see: the call that may be edited.
const Call = "call"

var (
	keys       = []string{"defect", "breaks", "summary", "when", "set", "remove", "refuse", "return", "lose"}
	refuseKeys = []string{"code", "number", "message", "data"}

	nameForm = regexp.MustCompile(`^[a-z][a-z0-9-]{0,63}$`)
	pathForm = regexp.MustCompile(`^(result|error)(\[-?[0-9]*\]|\.[A-Za-z_$][A-Za-z0-9_$-]*)*$`)
	stepForm = regexp.MustCompile(`\[-?[0-9]*\]|[^.\[]+`)
)

// Load reads rows. The requirements are the ids that a row may break.
func Load(name string, data []byte, scope *rule.Scope, requirements []string) ([]*Defect, error) {
	file, root, err := part.Read(name, data)
	if err != nil || root == nil {
		return nil, err
	}
	l := &loader{file, scope.With(Call), requirements}
	var all []*Defect
	l.Entries(root, "defect", func(item *yaml.Node) string {
		all = append(all, l.defect(item))
		return all[len(all)-1].Name
	})
	return all, l.Err()
}

type loader struct {
	*part.File
	scope        *rule.Scope
	requirements []string
}

func (l *loader) defect(item *yaml.Node) *Defect {
	m := l.Members(item, keys)
	d := &Defect{Name: l.Text(m["defect"]).Value, Breaks: l.Text(m["breaks"]).Value, Summary: l.Text(m["summary"]).Value}
	if !nameForm.MatchString(d.Name) {
		l.Fail(item, "a defect needs a name of lower-case letters, digits and hyphens")
	}
	switch {
	case m["breaks"] == nil:
		l.Fail(item, "a defect needs breaks: the id of the requirement that it breaks")
	case !slices.Contains(l.requirements, d.Breaks):
		l.Fail(m["breaks"], "there is no requirement %s%s", d.Breaks, part.Meant(d.Breaks, l.requirements))
	}
	d.when = l.scope.Compile(l.File, l.Text(m["when"]))
	d.result, d.lose = l.scope.Compile(l.File, l.Text(m["return"])), l.Flag(m["lose"])
	l.pairs(m["set"], "set", func(key, value *yaml.Node) {
		d.set = append(d.set, assignment{l.path(key), l.scope.Compile(l.File, l.Text(value))})
	})
	if paths := m["remove"]; paths != nil && paths.Kind != yaml.SequenceNode {
		l.Fail(paths, "remove is a list of paths")
	} else if paths != nil {
		for _, one := range paths.Content {
			d.remove = append(d.remove, l.path(one))
		}
	}
	if m["refuse"] != nil {
		d.refuse = map[string]*rule.Expression{}
		for name, value := range l.Members(m["refuse"], refuseKeys) {
			d.refuse[name] = l.scope.Compile(l.File, l.Text(value))
		}
	}
	if d.set == nil && d.remove == nil && d.refuse == nil && m["return"] == nil && !d.lose {
		l.Fail(item, "a defect needs an edit: set, remove, refuse, return or lose")
	}
	return d
}

func (l *loader) pairs(n *yaml.Node, name string, read func(key, value *yaml.Node)) {
	if n == nil {
		return
	}
	if n.Kind != yaml.MappingNode {
		l.Fail(n, "%s is a value for each path: {result.NAME: VALUE}", name)
		return
	}
	for i := 0; i < len(n.Content); i += 2 {
		read(n.Content[i], n.Content[i+1])
	}
}

func (l *loader) path(n *yaml.Node) path {
	if !pathForm.MatchString(n.Value) {
		l.Fail(n, "a path begins with result or error, such as result.items[].name")
		return nil
	}
	return stepForm.FindAllString(strings.ReplaceAll(n.Value, "[].", "[]"), -1)
}
