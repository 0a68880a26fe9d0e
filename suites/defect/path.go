package defect

import (
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/suites/part"
	"github.com/capconform/capconform/suites/rule"
)

// path is a path in an answer.
type path []step

// step is one step of a path: a member, or the elements of a list that its brackets name.
type step struct {
	name  string // of a member, "" for elements
	index *int   // of one element, from the end if it is negative
	where *rule.Expression
}

var stepName = regexp.MustCompile(`^\.?([A-Za-z_$][A-Za-z0-9_$-]*)`)

// path reads a path: the names of members with points between them, and brackets, which hold a number, a condition on
// the variable it, or nothing for each element.
func (l *loader) path(n *yaml.Node) path {
	text := l.Text(n)
	var p path
	for rest := text.Value; rest != ""; {
		if name := stepName.FindStringSubmatch(rest); name != nil && strings.HasPrefix(name[0], ".") == (p != nil) {
			p, rest = append(p, step{name: name[1]}), rest[len(name[0]):]
			continue
		}
		end := closing(rest)
		if end < 0 {
			l.Fail(n, "%q is no path: names with points between them, and [0], [] or [CONDITION] for elements", n.Value)
			return nil
		}
		inner := text
		inner.Value, inner.Column = rest[1:end], text.Column+len(text.Value)-len(rest)+1
		p, rest = append(p, l.elements(inner)), rest[end+1:]
	}
	return p
}

func (l *loader) elements(brackets part.Text) step {
	if i, err := strconv.Atoi(brackets.Value); err == nil {
		return step{index: &i}
	}
	return step{where: l.scope.Compile(l.File, brackets)}
}

// closing returns the index of the bracket that closes the first one, -1 if the text does not begin with one.
func closing(text string) int {
	if !strings.HasPrefix(text, "[") {
		return -1
	}
	depth, quote := 0, rune(0)
	for i, c := range text {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

func (l *loader) assignments(n *yaml.Node, name string) []assignment {
	var all []assignment
	l.pairs(n, name, func(key, value *yaml.Node) {
		all = append(all, assignment{l.path(key), l.scope.Compile(l.File, l.Text(value))})
	})
	return all
}

func (l *loader) paths(n *yaml.Node, name string) []path {
	var all []path
	for _, one := range l.list(n, name) {
		all = append(all, l.path(one))
	}
	return all
}
