package document

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Kind is the kind of a value.
type Kind uint8

// The kinds, which are those of JSON.
const (
	Null Kind = iota
	Boolean
	Number
	String
	Array
	Object
)

// String returns the name of the kind with its article, for messages.
func (k Kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// Style is the way in which a string is written.
type Style uint8

// The styles, which are those of YAML. Strings of JSON are DoubleQuoted.
const (
	Plain Style = iota
	SingleQuoted
	DoubleQuoted
	Literal // a block behind |
	Folded  // a block behind >
)

// Marks are the features of YAML beyond JSON with which a value is written, as bits.
type Marks uint8

// The marks.
const (
	Anchored  Marks = 1 << iota // has a name for aliases
	Aliased                     // is there by an alias
	Tagged                      // has its own tag
	Merged                      // is an object that takes members over by <<
	Timestamp                   // is a plain text that YAML may read as a time
)

// Node is one value. Its methods may be called on nil, which stands for a missing value. A YAML
// alias has the values of its anchor, at the place of the anchor.
type Node struct {
	Kind    Kind
	Style   Style
	Marks   Marks
	Line    int
	Column  int      // in characters, from 1
	Text    string   // of a string its characters, of a number its JSON literal, of a boolean true or false
	Members []Member // of an object, in the order of the text
	Items   []*Node  // of an array
}

// Member is one member of an object. Line and Column are those of its name.
type Member struct {
	Name   string
	Line   int
	Column int
	Value  *Node
}

// Values returns the number of values of a tree.
func (n *Node) Values() int {
	if n == nil {
		return 0
	}
	count := 1
	for _, m := range n.Members {
		count += m.Value.Values()
	}
	for _, item := range n.Items {
		count += item.Values()
	}
	return count
}

// Member finds a member by its name; nil if n is not an object or lacks it.
func (n *Node) Member(name string) *Member {
	if n == nil {
		return nil
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
	}
	return nil
}

// Get returns the value at a chain of member names, nil if there is none.
func (n *Node) Get(names ...string) *Node {
	for _, name := range names {
		m := n.Member(name)
		if m == nil {
			return nil
		}
		n = m.Value
	}
	return n
}

// Has reports whether n is an object with one of the members, even if its value is null.
func (n *Node) Has(names ...string) bool {
	for _, name := range names {
		if n.Member(name) != nil {
			return true
		}
	}
	return false
}

// Is reports whether n is not nil and has the kind.
func (n *Node) Is(kind Kind) bool { return n != nil && n.Kind == kind }

// Absent reports whether n is nil or null.
func (n *Node) Absent() bool { return n == nil || n.Kind == Null }

// Str returns the characters of a string, "" for everything else.
func (n *Node) Str() string {
	if !n.Is(String) {
		return ""
	}
	return n.Text
}

// At returns the value at a JSON pointer, or the nearest existing value above it: the place of a
// missing member is its object.
func (n *Node) At(pointer string) *Node {
	if pointer == "" {
		return n
	}
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		below := n.Get(token)
		if i, err := strconv.Atoi(token); err == nil && n.Is(Array) && i >= 0 && i < len(n.Items) {
			below = n.Items[i]
		}
		if below == nil {
			break
		}
		n = below
	}
	return n
}

// Value returns what a decoder would return: map[string]any, []any, string, json.Number, bool or
// nil.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Boolean:
		return n.Text == "true"
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		items := make([]any, len(n.Items))
		for i, item := range n.Items {
			items[i] = item.Value()
		}
		return items
	case Object:
		members := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			members[m.Name] = m.Value.Value()
		}
		return members
	default:
		return nil
	}
}
