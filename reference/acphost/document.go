package acphost

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"slices"
	"strconv"

	"github.com/capconform/capconform/reference/rpc"
	"github.com/mr-tron/base58"
	"go.yaml.in/yaml/v3"
)

// The limits of a package.
const (
	maxFile  = 1 << 20 // bytes
	maxNodes = 100_000 // aliases followed
	maxDepth = 100
)

type object = map[string]any

// readDocument parses a file that is one YAML document. It returns its nodes, and its value as JSON.
func readDocument(text []byte, accepts ...Lenience) (*yaml.Node, object, error) {
	if len(text) > maxFile {
		return nil, nil, errors.New("acphost: the file is over 1 MiB")
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document, further yaml.Node
	if err := decoder.Decode(&document); err != nil {
		return nil, nil, fmt.Errorf("acphost: the file is not YAML: %w", err)
	}
	if err := decoder.Decode(&further); !errors.Is(err, io.EOF) && !slices.Contains(accepts, SecondDocument) {
		return nil, nil, errors.New("acphost: the file is not one YAML document")
	}
	if len(document.Content) != 1 {
		return nil, nil, errors.New("acphost: the file is empty")
	}
	root := document.Content[0]
	if slices.Contains(accepts, NoMetadata) && child(root, "metadata") == nil {
		root = &yaml.Node{Kind: yaml.MappingNode,
			Content: append([]*yaml.Node{{Kind: yaml.ScalarNode, Value: "metadata"}, root}, root.Content...)}
	}
	reading := reader{remaining: maxNodes, allowRepeats: slices.Contains(accepts, RepeatedKey)}
	value, err := reading.value(root, 0)
	if err != nil {
		return nil, nil, err
	}
	members, isObject := value.(object)
	if !isObject {
		return nil, nil, errors.New("acphost: the file is not a mapping")
	}
	return root, members, nil
}

// reader converts nodes to JSON. It follows aliases within its limit.
type reader struct {
	remaining    int
	allowRepeats bool // a duplicate key is accepted, and its last value is used
}

func (r *reader) value(n *yaml.Node, depth int) (any, error) {
	if r.remaining--; r.remaining < 0 || depth > maxDepth {
		return nil, errors.New("acphost: the file is too large or too deep")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return r.value(n.Alias, depth+1)
	case yaml.SequenceNode:
		elements := make([]any, 0, len(n.Content))
		for _, child := range n.Content {
			element, err := r.value(child, depth+1)
			if err != nil {
				return nil, err
			}
			elements = append(elements, element)
		}
		return elements, nil
	case yaml.MappingNode:
		return r.members(n, depth)
	}
	return scalar(n), nil
}

func (r *reader) members(n *yaml.Node, depth int) (any, error) {
	members := object{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Kind != yaml.ScalarNode {
			return nil, fmt.Errorf("acphost: line %d: a key is not a scalar", key.Line)
		}
		if _, again := members[key.Value]; again && !r.allowRepeats {
			return nil, fmt.Errorf("acphost: line %d: the key %.80q occurs twice", key.Line, key.Value)
		}
		value, err := r.value(n.Content[i+1], depth+1)
		if err != nil {
			return nil, err
		}
		members[key.Value] = value
	}
	return members, nil
}

// scalar returns a scalar as a JSON value. If JSON has no type for it, such as a date, it remains a
// text.
func scalar(n *yaml.Node) any {
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		var truth bool
		if n.Decode(&truth) == nil {
			return truth
		}
	case "!!int":
		if whole, ok := new(big.Int).SetString(n.Value, 0); ok {
			return json.Number(whole.String())
		}
	case "!!float":
		if number, err := strconv.ParseFloat(n.Value, 64); err == nil {
			if text, err := json.Marshal(number); err == nil {
				return json.Number(text)
			}
		}
	}
	return n.Value
}

// child returns the value of a key of a mapping, nil if there is none.
func child(n *yaml.Node, name string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return n.Content[i+1]
		}
	}
	return nil
}

func stringOf(value any) string {
	text, _ := value.(string)
	return text
}

func stringsOf(value any) []string {
	elements, _ := value.([]any)
	var found []string
	for _, element := range elements {
		if text, isText := element.(string); isText {
			found = append(found, text)
		}
	}
	return found
}

func objectOf(value any) object {
	found, _ := value.(object)
	return found
}

func integerOf(value any) (int, bool) {
	number, isNumber := value.(json.Number)
	if !isNumber {
		return 0, false
	}
	n, err := number.Int64()
	return int(n), err == nil
}

// refuse returns the error for a request that the host refuses.
func refuse(format string, args ...any) error {
	return rpc.Refuse("REFUSED", fmt.Sprintf(format, args...))
}

func encodeMultibase(content []byte) string { return "z" + base58.Encode(content) }

// messageOf returns an error without the name of the package, for readers who are not programmers.
func messageOf(err error) string {
	var refused *rpc.Error
	if errors.As(err, &refused) {
		return refused.Message
	}
	const prefix = "acphost: "
	text := err.Error()
	if len(text) > len(prefix) && text[:len(prefix)] == prefix {
		text = text[len(prefix):]
	}
	return text
}
