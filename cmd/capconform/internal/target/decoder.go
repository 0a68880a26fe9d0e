package target

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
)

// decoder reads the nodes of a file. Its errors name the place of a node.
type decoder struct{ path string }

// valueReader takes the value of one member.
type valueReader func(value *yaml.Node) error

func (d *decoder) errorAt(at *yaml.Node, format string, args ...any) error {
	return &Error{Path: d.path, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

// members reads a mapping whose members are known. An unknown member is an error that proposes the
// known one with the most similar name.
func (d *decoder) members(n *yaml.Node, known map[string]valueReader) error {
	return d.each(n, func(key, value *yaml.Node) error {
		read, ok := known[key.Value]
		if !ok {
			return d.errorAt(key, "unknown key %q%s", key.Value, nearest.Hint(key.Value, slices.Sorted(maps.Keys(known))))
		}
		return read(value)
	})
}

// each reads a mapping member by member, in the order of the file.
func (d *decoder) each(n *yaml.Node, read func(key, value *yaml.Node) error) error {
	n = resolveAlias(n)
	if n.Kind != yaml.MappingNode {
		return d.errorAt(n, "want a mapping (key: value), got %s", kindOf(n))
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode || key.Tag != "!!str":
			return d.errorAt(key, "a key must be a string, got %s", kindOf(key))
		case seen[key.Value]:
			return d.errorAt(key, "the key %q is a duplicate", key.Value)
		}
		seen[key.Value] = true
		if err := read(key, resolveAlias(n.Content[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// items reads a list.
func (d *decoder) items(n *yaml.Node, read valueReader) error {
	n = resolveAlias(n)
	if n.Kind != yaml.SequenceNode {
		if n.Kind == yaml.ScalarNode && n.Tag == "!!str" { // the words of a command, or the only item
			return d.errorAt(n, "want a list, got a string; write %s", listOf(n.Value))
		}
		return d.errorAt(n, "want a list, got %s", kindOf(n))
	}
	for _, item := range n.Content {
		if err := read(resolveAlias(item)); err != nil {
			return err
		}
	}
	return nil
}

// listOf returns the list that a string in its place was probably intended to be.
func listOf(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if strings.ContainsAny(word, `[]{},"'#&*!|>%@:`+"`") {
			words[i] = fmt.Sprintf("%q", word)
		}
	}
	return "[" + strings.Join(words, ", ") + "]"
}

// text reads a string that is not empty.
func (d *decoder) text(into *string) valueReader {
	return func(n *yaml.Node) error {
		if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
			if n.Kind == yaml.ScalarNode && n.Tag != "!!null" {
				return d.errorAt(n, "want a string, got %s; put it in quotes: %q", kindOf(n), n.Value)
			}
			return d.errorAt(n, "want a string, got %s", kindOf(n))
		}
		if n.Value == "" {
			return d.errorAt(n, "must not be empty")
		}
		*into = n.Value
		return nil
	}
}

// word reads a string that must be one of the known ones.
func (d *decoder) word(into *string, known ...string) valueReader {
	return func(n *yaml.Node) error {
		if err := d.text(into)(n); err != nil {
			return err
		}
		if !slices.Contains(known, *into) {
			return d.errorAt(n, "%q is not one of %s%s", *into, strings.Join(known, ", "), suggestion(*into, known))
		}
		return nil
	}
}

// suggestion proposes the nearest word, or nothing if none is near.
func suggestion(word string, known []string) string {
	if best := nearest.Name(word, known); best != "" {
		return fmt.Sprintf("; did you mean %q?", best)
	}
	return ""
}

// texts reads a list of strings that has at least one.
func (d *decoder) texts(into *[]string, read func(into *string) valueReader) valueReader {
	return func(n *yaml.Node) error {
		var all []string
		err := d.items(n, func(item *yaml.Node) error {
			var one string
			if err := read(&one)(item); err != nil {
				return err
			}
			all = append(all, one)
			return nil
		})
		if err == nil && len(all) == 0 {
			return d.errorAt(n, "the list is empty; omit it, or add an item")
		}
		*into = all
		return err
	}
}

// resolveAlias returns the node to which an alias refers.
func resolveAlias(n *yaml.Node) *yaml.Node {
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	return n
}

// kindOf describes a node in words.
func kindOf(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a mapping"
	case n.Kind == yaml.SequenceNode:
		return "a list"
	case n.Tag == "!!null":
		return "nothing"
	case n.Tag == "!!bool":
		return "a boolean"
	case n.Tag == "!!int", n.Tag == "!!float":
		return "a number"
	case n.Tag == "!!timestamp":
		return "a date"
	case n.Tag == "!!str":
		return "a string"
	}
	return "a value of type " + n.Tag
}

// root returns the only mapping of a target file.
func (d *decoder) root(text []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var doc, rest yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, &Error{Path: d.path, Message: "the file is empty"}
	} else if err != nil {
		return nil, d.syntax(text, err)
	}
	if err := dec.Decode(&rest); err == nil {
		return nil, d.errorAt(&rest, "a second document begins here; a target file has one")
	} else if !errors.Is(err, io.EOF) {
		return nil, d.syntax(text, err)
	}
	return doc.Content[0], nil
}

// syntax extracts the line from an error of the YAML library, which reports no column, and no line
// for a character that YAML does not allow, an unknown anchor and the first line.
func (d *decoder) syntax(text []byte, err error) error {
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	var line int
	if n, _ := fmt.Sscanf(message, "line %d:", &line); n == 1 {
		_, message, _ = strings.Cut(message, ": ")
		return &Error{Path: fmt.Sprintf("%s:%d", d.path, line), Message: "not YAML: " + message}
	}
	line = disallowedLine(text)
	switch anchor, unknown := strings.CutPrefix(message, "unknown anchor '"); {
	case line > 0:
	case unknown:
		before, _, _ := bytes.Cut(text, []byte("*"+strings.TrimSuffix(anchor, "' referenced")))
		line = 1 + bytes.Count(before, []byte("\n"))
	default:
		line = 1 // the library reports no other place without a line
	}
	return &Error{Path: fmt.Sprintf("%s:%d", d.path, line), Message: "not YAML: " + message}
}

// disallowedLine returns the line of the first control character, or byte that is not UTF-8, in a text
// of an encoding based on ASCII. It returns 0 if there is none.
func disallowedLine(text []byte) int {
	line := 1
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		switch {
		case r == '\n':
			line++
		case r == utf8.RuneError && size == 1, r < ' ' && r != '\t' && r != '\r', r == 0x7f:
			return line
		}
		text = text[size:]
	}
	return 0
}
