package jsonrpc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/driver"
)

// MaxDepth is the number of levels that a message may nest. Beyond it nothing is
// said about the message: it is our limit, not the target's fault.
const MaxDepth = 10_000

// Message is the envelope of one JSON-RPC message. The parts are slices of the
// bytes it was read from; of what is broken, those that stand before the flaw.
type Message struct {
	Version json.RawMessage // the member jsonrpc, nil if there is none, as below
	ID      json.RawMessage
	Method  json.RawMessage
	Result  json.RawMessage
	Error   json.RawMessage
	NoJSON  bool   // it is not JSON
	Defect  string // what keeps it from being one JSON object with unique member names
}

var bom = []byte("\xef\xbb\xbf")

// Read takes a message apart. What is not a message comes back with a Defect. The
// error wraps driver.ErrTooLarge and says that the message nests deeper than MaxDepth.
func Read(data []byte) (Message, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, bom))
	switch {
	case len(data) == 0:
		return Message{NoJSON: true, Defect: "the message is empty"}, nil
	case data[0] == '[':
		return readOther(data, "the message is an array (batches are not spoken)")
	case data[0] != '{':
		return readOther(data, "the message is no JSON object")
	}
	var m Message
	duplicate, err := Members(data, func(name string, value json.RawMessage) {
		if slot := m.slot(name); slot != nil {
			*slot = value
		}
	})
	if err != nil {
		broken, err := noJSON(data, err)
		m.NoJSON, m.Defect = broken.NoJSON, broken.Defect
		return m, err
	}
	if duplicate != "" {
		m.Defect = fmt.Sprintf("the member %q stands twice in the message", duplicate)
	}
	return m, nil
}

func (m *Message) slot(name string) *json.RawMessage {
	switch name {
	case "jsonrpc":
		return &m.Version
	case "id":
		return &m.ID
	case "method":
		return &m.Method
	case "result":
		return &m.Result
	case "error":
		return &m.Error
	}
	return nil
}

// readOther tells a JSON text that is not an object from what is not JSON.
func readOther(data []byte, defect string) (Message, error) {
	d := newDecoder(data)
	if err := d.SkipValue(); err != nil {
		return noJSON(data, err)
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return Message{NoJSON: true, Defect: "there is more than one JSON value"}, nil
	}
	return Message{Defect: defect}, nil
}

func noJSON(data []byte, err error) (Message, error) {
	if deeperThan(data, MaxDepth) {
		return Message{}, &driver.CallError{
			Kind: driver.ErrTooLarge, Detail: fmt.Sprintf("more than %d levels of nesting", MaxDepth),
		}
	}
	return Message{NoJSON: true, Defect: "the message is no JSON: " + syntax(data, err)}, nil
}

// syntax states what is wrong in words that hold nothing of the target's text.
func syntax(data []byte, err error) string {
	var syntactic *jsontext.SyntacticError
	switch {
	case !utf8.Valid(data):
		return "it is not valid UTF-8"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		return fmt.Sprintf("%v at byte %d", syntactic.Err, syntactic.ByteOffset)
	}
	return err.Error()
}

func newDecoder(data []byte) *jsontext.Decoder {
	// Half of a surrogate pair, written as an escape, is JSON by the grammar.
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(utf8.Valid(data)))
}

// namesSeen bounds the names that are compared. No message has so many members.
const namesSeen = 1000

// Members visits the members of a JSON object that is all of data, and gives the
// first name that stands there twice. The values are parts of data.
func Members(data []byte, visit func(name string, value json.RawMessage)) (duplicate string, err error) {
	d := newDecoder(data)
	if _, err := d.ReadToken(); err != nil {
		return "", err
	}
	seen := make(map[string]bool, 4)
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return "", err
		}
		name := token.String()
		value, err := d.ReadValue()
		if err != nil {
			return "", err
		}
		end := d.InputOffset()
		if seen[name] && duplicate == "" {
			duplicate = name
		}
		if len(seen) < namesSeen {
			seen[name] = true
		}
		visit(name, json.RawMessage(data[end-int64(len(value)):end:end]))
	}
	if _, err := d.ReadToken(); err != nil {
		return "", err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return "", errors.New("there is more behind its end")
	}
	return duplicate, nil
}

// deeperThan counts open brackets outside of strings. It need not be exact on
// what is not JSON: it only decides which of two errors is told.
func deeperThan(data []byte, limit int) bool {
	depth, inString := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > limit {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}
