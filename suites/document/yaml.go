package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// yamlReader converts the nodes of the library.
type yamlReader struct {
	text   []byte
	limits Limits
	values int
	open   map[*yaml.Node]bool // anchors of the enclosing values
}

func parseYAML(text []byte, limits Limits) (roots []*Node, refused *Error) {
	defer func() {
		if p := recover(); p != nil {
			roots, refused = nil, &Error{Kind: Limit, Message: fmt.Sprintf("the YAML library reported an error: %v", p)}
		}
	}()
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{")) {
		// JSON is YAML, except for surrogate pairs and long names in this library.
		if roots, err := parseJSON(text, limits); err == nil {
			return roots, nil
		}
	}
	text, separators := withoutSeparators(supported(text))
	r := &yamlReader{text: text, limits: limits, open: map[*yaml.Node]bool{}}
	if marks := r.marks(); marks > limits.Values {
		return nil, &Error{Kind: Limit,
			Message: fmt.Sprintf("the file may contain more than capconform's limit of %d values", limits.Values)}
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var doc yaml.Node
		err := d.Decode(&doc)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, r.broken(err)
		}
		restore(&doc, separators)
		root, refused := r.value(&doc, 1)
		if refused != nil {
			return nil, refused
		}
		if !root.Absent() {
			roots = append(roots, root)
		}
	}
	if len(roots) == 0 {
		return nil, &Error{Kind: Syntax, Line: 1, Column: 1, Message: "the file contains no document"}
	}
	return roots, nil
}

// directive matches a YAML 1.2 directive before all content.
var directive = regexp.MustCompile(`\A(?:[ \t]*(?:#[^\n]*)?\r?\n)*%YAML[ \t]+1\.2`)

// supported replaces 1.2 by 1.1, because the library refuses 1.2 only for its number.
func supported(text []byte) []byte {
	head := directive.Find(text)
	if head == nil {
		return text
	}
	text = bytes.Clone(text)
	text[len(head)-1] = '1'
	return text
}

// marks counts the characters that can begin a value, which bounds the number of values. The
// library builds its complete tree, with 200 bytes per value, before this package sees any of it.
func (r *yamlReader) marks() int {
	count := 1
	for _, mark := range []string{"\n", ",", "- ", ": ", "[", "{", "? "} {
		count += bytes.Count(r.text, []byte(mark))
	}
	return count
}

var (
	yamlComplaint = regexp.MustCompile(`^yaml: (?:line (\d+): )?(?s:(.*))$`)
	yamlAnchor    = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)
	jsonNumber    = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)
)

// broken turns an error of the library into an Error. The library reports at most a line; the
// column is that of the first character there.
func (r *yamlReader) broken(err error) *Error {
	e := &Error{Kind: Syntax, Line: 1, Column: 1, Message: "this is not YAML: " + err.Error()}
	parts := yamlComplaint.FindStringSubmatch(err.Error())
	if parts == nil {
		return e
	}
	e.Message = "this is not YAML: " + parts[2]
	if line, err := strconv.Atoi(parts[1]); err == nil {
		e.Line = line
		for i, text := range bytes.Split(r.text, []byte("\n")) {
			if i == line-1 {
				e.Column += len(text) - len(bytes.TrimLeft(text, " \t"))
			}
		}
	}
	if anchor := yamlAnchor.FindStringSubmatch(parts[2]); anchor != nil {
		at := place{text: r.text, line: 1, column: 1}
		at.forward(max(0, bytes.Index(r.text, []byte("*"+anchor[1]))))
		e.Line, e.Column = at.line, at.column
	}
	return e
}

func refuse(at *yaml.Node, kind ErrorKind, format string, args ...any) *Error {
	return &Error{Kind: kind, Line: at.Line, Column: at.Column, Message: fmt.Sprintf(format, args...)}
}

func (r *yamlReader) value(y *yaml.Node, depth int) (*Node, *Error) {
	switch y.Kind {
	case yaml.DocumentNode:
		return r.value(y.Content[0], depth)
	case yaml.AliasNode:
		return r.alias(y, depth)
	}
	if r.values++; r.values > r.limits.Values {
		return nil, refuse(y, Limit,
			"the file contains more than capconform's limit of %d values (aliases followed)", r.limits.Values)
	}
	if depth > r.limits.Depth {
		return nil, refuse(y, Limit, "nested deeper than capconform's limit of %d levels", r.limits.Depth)
	}
	n := &Node{Line: y.Line, Column: y.Column, Style: styleOf(y), Marks: marksOf(y)}
	switch y.Kind {
	case yaml.MappingNode:
		n.Kind = Object
		return n, r.within(y, func() *Error { return r.members(n, y, depth) })
	case yaml.SequenceNode:
		n.Kind = Array
		return n, r.within(y, func() *Error { return r.items(n, y, depth) })
	default:
		n.Kind, n.Text = scalar(y)
		if n.Kind == Number && !isCalculable(n.Text) {
			return nil, refuse(y, Limit, "%s", notCalculable)
		}
		return n, nil
	}
}

// alias follows an alias. Its values are counted each time, so that aliases of aliases end at the
// limit instead of filling the memory.
func (r *yamlReader) alias(y *yaml.Node, depth int) (*Node, *Error) {
	if r.open[y.Alias] {
		return nil, refuse(y, Syntax, "the alias %s is within its anchor", quoted(y.Value))
	}
	n, err := r.value(y.Alias, depth)
	if n != nil {
		n.Marks |= Aliased
	}
	return n, err
}

func styleOf(y *yaml.Node) Style {
	for _, s := range []struct {
		theirs yaml.Style
		ours   Style
	}{{yaml.SingleQuotedStyle, SingleQuoted}, {yaml.DoubleQuotedStyle, DoubleQuoted}, {yaml.LiteralStyle, Literal},
		{yaml.FoldedStyle, Folded}} {
		if y.Style&s.theirs != 0 {
			return s.ours
		}
	}
	return Plain
}

func marksOf(y *yaml.Node) Marks {
	var m Marks
	if y.Anchor != "" {
		m |= Anchored
	}
	if y.Style&yaml.TaggedStyle != 0 {
		m |= Tagged
	}
	if y.Kind == yaml.ScalarNode && y.Style == 0 && y.ShortTag() == "!!timestamp" {
		m |= Timestamp
	}
	return m
}

func (r *yamlReader) within(y *yaml.Node, read func() *Error) *Error {
	if y.Anchor != "" {
		r.open[y] = true
		defer delete(r.open, y)
	}
	return read()
}

func (r *yamlReader) items(n *Node, y *yaml.Node, depth int) *Error {
	for _, content := range y.Content {
		item, err := r.value(content, depth+1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	return nil
}

func (r *yamlReader) members(n *Node, y *yaml.Node, depth int) *Error {
	seen := map[string]int{}
	var merged []*Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, content := y.Content[i], y.Content[i+1]
		if key.Kind == yaml.AliasNode {
			key = key.Alias
		}
		if key.Kind != yaml.ScalarNode {
			return refuse(key, Syntax, "the name of a member must be plain text")
		}
		value, err := r.value(content, depth+1)
		if err != nil {
			return err
		}
		if key.ShortTag() == "!!merge" {
			n.Marks |= Merged
			merged = append(merged, value)
			continue
		}
		if at, twice := seen[key.Value]; twice {
			return duplicate(key.Value, &n.Members[at], key.Line, key.Column)
		}
		seen[key.Value] = len(n.Members)
		n.Members = append(n.Members, Member{Name: key.Value, Line: key.Line, Column: key.Column, Value: value})
	}
	merge(n, seen, merged)
	return nil
}

// merge adds the members of the key << that the object does not have.
func merge(n *Node, seen map[string]int, merged []*Node) {
	for _, from := range merged {
		if from.Kind == Array {
			merge(n, seen, from.Items)
			continue
		}
		for _, m := range from.Members {
			if _, known := seen[m.Name]; !known {
				seen[m.Name] = len(n.Members)
				n.Members = append(n.Members, m)
			}
		}
	}
}

// scalar reads a plain value. A value that JSON does not have, such as a date or infinity, stays a
// text.
func scalar(y *yaml.Node) (Kind, string) {
	switch y.ShortTag() {
	case "!!null":
		return Null, ""
	case "!!bool":
		var b bool
		if y.Decode(&b) == nil {
			return Boolean, strconv.FormatBool(b)
		}
	case "!!int", "!!float":
		if text, ok := number(y); ok {
			return Number, text
		}
	}
	return String, y.Value
}

// number returns the JSON literal of a YAML number.
func number(y *yaml.Node) (string, bool) {
	if jsonNumber.MatchString(y.Value) {
		return y.Value, true
	}
	var i int64
	var f float64
	switch {
	case y.ShortTag() == "!!int" && y.Decode(&i) == nil:
		return strconv.FormatInt(i, 10), true
	case y.Decode(&f) == nil && !math.IsInf(f, 0) && !math.IsNaN(f):
		return strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), true
	}
	return "", false
}
