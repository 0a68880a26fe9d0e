package defect

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// list returns the elements of a list, nil if there is none.
func (l *loader) list(n *yaml.Node, name string) []*yaml.Node {
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		l.Fail(n, "%s is a list", name)
		return nil
	}
	return n.Content
}

// listOrOne returns the elements of a list, or the one value.
func (l *loader) listOrOne(n *yaml.Node) []*yaml.Node {
	if n != nil && n.Kind == yaml.ScalarNode {
		return []*yaml.Node{n}
	}
	return l.list(n, "this")
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

// names reports whether a text of a node contains a word, such as the name of a variable.
func names(n *yaml.Node, word string) bool {
	if n == nil {
		return false
	}
	return strings.Contains(n.Value, word) ||
		slices.ContainsFunc(n.Content, func(below *yaml.Node) bool { return names(below, word) })
}
