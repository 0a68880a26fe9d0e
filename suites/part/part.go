// Package part reads the parts of a suite that are YAML: rules, stimuli, defects and the protocol. Every error names
// the file, line and column and, for a word that does not exist, the nearest that does.
package part

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/spec/spelling"
)

var syntaxError = regexp.MustCompile(`^yaml: line ([0-9]+): (.*)$`)

// Source is a file before it is read.
type Source struct {
	Name string // for errors
	Data []byte
}

// File is a YAML file that is being read. It collects what is wrong with it.
type File struct {
	Name string

	lines []string
	errs  []error
}

// Read parses a file that contains one document. The node is nil if the file is empty.
func Read(name string, data []byte) (*File, *yaml.Node, error) {
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(data)).Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		if m := syntaxError.FindStringSubmatch(err.Error()); m != nil {
			return nil, nil, fmt.Errorf("%s:%s: %s", name, m[1], m[2])
		}
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	f := &File{Name: name, lines: strings.Split(string(data), "\n")}
	if len(doc.Content) == 0 {
		return f, nil, nil
	}
	return f, doc.Content[0], nil
}

// Fail adds an error at a node.
func (f *File) Fail(at *yaml.Node, format string, args ...any) {
	f.FailAt(at.Line, at.Column, fmt.Sprintf(format, args...))
}

// FailAt adds an error at a line and a column, both from 1.
func (f *File) FailAt(line, column int, message string) {
	f.errs = append(f.errs, fmt.Errorf("%s:%d:%d: %s", f.Name, line, column, message))
}

// Add adds errors that name their place.
func (f *File) Add(errs ...error) { f.errs = append(f.errs, errs...) }

// Err returns everything that is wrong with the file, or nil.
func (f *File) Err() error { return errors.Join(f.errs...) }

// Members returns the members of a mapping by their keys. Other keys than the given ones are wrong.
func (f *File) Members(item *yaml.Node, keys []string) map[string]*yaml.Node {
	members := map[string]*yaml.Node{}
	if item.Kind != yaml.MappingNode {
		f.Fail(item, "expected the keys %s", strings.Join(keys, ", "))
		return members
	}
	for i := 0; i < len(item.Content); i += 2 {
		key := item.Content[i]
		switch {
		case !slices.Contains(keys, key.Value):
			f.Fail(key, "there is no key %s%s", key.Value, Meant(key.Value, keys))
		case members[key.Value] != nil:
			f.Fail(key, "the key %s is there twice", key.Value)
		default:
			members[key.Value] = item.Content[i+1]
		}
	}
	return members
}

// Entries reads a list of entries with unique names, such as rules. The function reads one entry and returns its name.
func (f *File) Entries(root *yaml.Node, what string, read func(item *yaml.Node) string) {
	if root.Kind != yaml.SequenceNode {
		f.Fail(root, "expected a list: one entry for each %s", what)
		return
	}
	seen := map[string]bool{}
	for _, item := range root.Content {
		name := read(item)
		if seen[name] {
			f.Fail(item, "the %s %s is there twice", what, name)
		}
		seen[name] = true
	}
}

// Flag returns whether a key is present. Its value must be true.
func (f *File) Flag(n *yaml.Node) bool {
	if n != nil && n.Value != "true" {
		f.Fail(n, "expected true, or no such key")
	}
	return n != nil
}

// Text returns a scalar, the zero value if the node is nil.
func (f *File) Text(n *yaml.Node) Text {
	switch {
	case n == nil:
		return Text{}
	case n.Kind != yaml.ScalarNode:
		f.Fail(n, "expected a text")
		return Text{}
	case strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!"):
		f.Fail(n, "YAML takes %s for a tag; put the value in quotes", n.Tag)
		return Text{}
	}
	t := Text{Value: strings.TrimSpace(n.Value), Line: n.Line, Column: n.Column}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		t.Line, t.Column, t.block = n.Line+1, 1, true
		if n.Line < len(f.lines) {
			t.indent = len(f.lines[n.Line]) - len(strings.TrimLeft(f.lines[n.Line], " "))
		}
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		t.Column++
	}
	return t
}

// Text is a scalar with its position.
type Text struct {
	Value        string
	Line, Column int // of the first character of the value

	block  bool
	indent int // of the lines of a block scalar, in the file
}

// At returns the line and column of an offset in bytes, both from 1. In a folded scalar, which is one line of the
// value, it is the place where the scalar begins.
func (t Text) At(offset int) (line, column int) {
	before := t.Value[:offset]
	lines := strings.Count(before, "\n")
	if lines == 0 && !t.block {
		return t.Line, t.Column + utf8.RuneCountInString(before)
	}
	return t.Line + lines, t.Column + t.indent + utf8.RuneCountInString(before[strings.LastIndexByte(before, '\n')+1:])
}

// Meant returns "; there is WORD" for the known word that is nearest to a word, "" if none is near.
func Meant(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return "; there is " + near
	}
	return ""
}

// Nearest returns the known word that is nearest to a word, "" if none is near.
func Nearest(word string, known []string) string {
	best, limit := "", len(word)/2+1
	for _, one := range slices.Sorted(slices.Values(known)) {
		if n := spelling.Distance(word, one, limit); n < limit {
			best, limit = one, n
		}
	}
	return best
}
