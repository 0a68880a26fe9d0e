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

// MaxDepth is the maximum nesting of a message, in levels. A message beyond it is not judged: the
// limit is that of the harness, not a fault of the target.
const MaxDepth = 10_000

// Message is the envelope of one JSON-RPC message. The parts are slices of the bytes that were
// read; of a broken message, those before the defect.
type Message struct {
	Version json.RawMessage // the member jsonrpc, nil if there is none, as below
	ID      json.RawMessage
	Method  json.RawMessage
	Result  json.RawMessage
	Error   json.RawMessage
	NoJSON  bool   // the text is not JSON
	Defect  string // why it is not one JSON object with unique member names
}

var bom = []byte("\xef\xbb\xbf")

// Read splits a message into its parts. A text that is not a message is returned with a Defect. The
// error wraps driver.ErrTooLarge and means that the message is nested deeper than MaxDepth.
func Read(data []byte) (Message, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, bom))
	switch {
	case len(data) == 0:
		return Message{NoJSON: true, Defect: "the message is empty"}, nil
	case data[0] == '[':
		return readOther(data, "the message is an array (batches are not supported)")
	case data[0] != '{':
		return readOther(data, "the message is not a JSON object")
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
		m.Defect = fmt.Sprintf("the member %q is duplicated in the message", duplicate)
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

// readOther distinguishes a JSON text that is not an object from a text that is not JSON.
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
	return Message{NoJSON: true, Defect: "the message is not JSON: " + syntax(data, err)}, nil
}

// syntax describes a syntax error without any text of the target.
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
	// Half of a surrogate pair, written as an escape, is permitted by the grammar of JSON.
	return jsontext.NewDecoder(bytes.NewBuffer(data), jsontext.AllowDuplicateNames(true),
		jsontext.AllowInvalidUTF8(utf8.Valid(data)))
}

// namesSeen bounds the names that are compared. No real message has so many members.
const namesSeen = 1000

// Members visits the members of the JSON object in data. It returns the first duplicate name. The
// values are parts of data.
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
		return "", errors.New("there is more text after its end")
	}
	return duplicate, nil
}

// deeperThan counts open brackets outside of strings. It need not be exact for texts that are not
// JSON: it only decides which of two errors is reported.
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
