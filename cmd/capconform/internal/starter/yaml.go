package starter

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// ErrContentDiffers reports that a text that was written as YAML does not have the intended content. The
// text must not be used.
var ErrContentDiffers = errors.New("starter: the written YAML does not have the intended content")

// member is one key of a mapping with its value: nil, a number, a word, a string, a list or a
// mapping.
type member struct {
	key   string
	value any
	above string // a comment on the lines before
	after string // a comment on the same line
}

type (
	// word is a string that is written without quotes if YAML permits it.
	word string
	// words is a list of words in brackets.
	words []word
	// texts is a list of strings in brackets.
	texts []string
	// mapping is written with a line for each member.
	mapping []member
	// inline is a mapping in braces.
	inline []member
	// list is written with a line for each item.
	list []mapping
)

// write returns a mapping as YAML, with a comment at the beginning and one at the end. It returns
// an error unless the text, parsed again, contains exactly the mapping.
func write(top mapping, head, foot string) ([]byte, error) {
	root := &yaml.Node{Kind: yaml.DocumentNode, HeadComment: head, FootComment: foot, Content: []*yaml.Node{nodeOf(top)}}
	var out bytes.Buffer
	e := yaml.NewEncoder(&out)
	e.SetIndent(2)
	if err := errors.Join(e.Encode(root), e.Close()); err != nil {
		return nil, fmt.Errorf("starter: %w", err)
	}
	return out.Bytes(), check(out.Bytes(), top)
}

// check parses a text and compares its content with the intended one.
func check(text []byte, meant mapping) error {
	var got any
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&got); err != nil {
		return fmt.Errorf("%w: %w", ErrContentDiffers, err)
	}
	if !reflect.DeepEqual(meaningOf(meant), got) {
		return ErrContentDiffers
	}
	if d.Decode(&got) == nil {
		return fmt.Errorf("%w: it contains a second document", ErrContentDiffers)
	}
	return nil
}

// nodeOf returns a value as a YAML node. Strings are always quoted, because YAML reads some
// unquoted ones as other types.
func nodeOf(value any) *yaml.Node {
	switch v := value.(type) {
	case nil:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"}
	case int:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!int", Value: strconv.Itoa(v)}
	case word:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: string(v)}
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: v, Style: yaml.DoubleQuotedStyle}
	case words:
		return sequence(yaml.FlowStyle, v)
	case texts:
		return sequence(yaml.FlowStyle, v)
	case list:
		return sequence(0, v)
	case inline:
		n := nodeOf(mapping(v))
		n.Style = yaml.FlowStyle
		return n
	case mapping:
		n := &yaml.Node{Kind: yaml.MappingNode}
		for _, m := range v {
			n.Content = append(n.Content, m.nodes()...)
		}
		return n
	}
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null"} // check refuses a type that is not known
}

func sequence[T any](style yaml.Style, items []T) *yaml.Node {
	n := &yaml.Node{Kind: yaml.SequenceNode, Style: style}
	for _, item := range items {
		n.Content = append(n.Content, nodeOf(item))
	}
	return n
}

// nodes returns key and value with their comments.
func (m member) nodes() []*yaml.Node {
	key, value := nodeOf(word(m.key)), nodeOf(m.value)
	key.HeadComment = m.above
	if value.Kind == yaml.MappingNode && value.Style != yaml.FlowStyle {
		key.LineComment = m.after
	} else {
		value.LineComment = m.after
	}
	return []*yaml.Node{key, value}
}

// meaningOf returns a value in the form in which the library parses it.
func meaningOf(value any) any {
	switch v := value.(type) {
	case nil, int, string:
		return v
	case word:
		return string(v)
	case words:
		return meanings(v)
	case texts:
		return meanings(v)
	case list:
		return meanings(v)
	case inline:
		return meaningOf(mapping(v))
	case mapping:
		all := map[string]any{}
		for _, m := range v {
			all[m.key] = meaningOf(m.value)
		}
		return all
	}
	return fmt.Errorf("no YAML is written for a %T", value) // equal to no value that is read
}

func meanings[T any](items []T) []any {
	all := []any{}
	for _, item := range items {
		all = append(all, meaningOf(item))
	}
	return all
}
