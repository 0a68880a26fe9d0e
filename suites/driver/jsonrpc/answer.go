package jsonrpc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"

	"github.com/capconform/capconform/suites/driver"
)

// IsResponse reports whether the message contains a result or an error.
func (m Message) IsResponse() bool { return m.Result != nil || m.Error != nil }

// IsRequest reports whether the message is a request.
func (m Message) IsRequest() bool { return m.Method != nil && m.ID != nil && !m.IsResponse() }

// IsNotification reports whether the message has a method and no id.
func (m Message) IsNotification() bool { return m.Method != nil && m.ID == nil && !m.IsResponse() }

// MethodName returns the method, empty if it is not a string.
func (m Message) MethodName() string {
	var name string
	if json.Unmarshal(m.Method, &name) != nil {
		return ""
	}
	return name
}

// Number returns the id if it is a number that equals an integer: 7, 7.0 and 7e0 are the same
// number in JSON.
func (m Message) Number() (int64, bool) {
	if len(m.ID) == 0 || (m.ID[0] != '-' && (m.ID[0] < '0' || m.ID[0] > '9')) {
		return 0, false
	}
	n, exact := integer(m.ID)
	return n, exact
}

// Reply reads the reply to the request with this id, for transports that assign replies to
// requests. The caller sets the Exchange. The error wraps driver.ErrTooLarge.
func Reply(data []byte, id int64) (driver.Answer, error) {
	m, err := Read(data)
	if err != nil {
		return driver.Answer{}, err
	}
	if defect := m.mismatch(id); defect != "" {
		return m.Malformed(defect), nil
	}
	return m.Answer(), nil
}

// Raw returns the answer to a message that was sent unchanged: the texts that arrived are not interpreted.
func Raw(arrived ...[]byte) (driver.Answer, error) {
	switch len(arrived) {
	case 0:
		return driver.Answer{Outcome: driver.Returned}, nil
	case 1:
	default:
		return Malformed(fmt.Sprintf("%d messages arrived", len(arrived))), nil
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(arrived[0], bom))
	if len(text) == 0 {
		return driver.Answer{Outcome: driver.Returned}, nil
	}
	m, err := Read(text)
	switch {
	case err != nil:
		return driver.Answer{}, err
	case m.NoJSON:
		return Malformed(m.Defect), nil
	}
	return driver.Answer{Outcome: driver.Returned, Result: json.RawMessage(text)}, nil
}

// Malformed returns the answer for a complete reply that is not a response.
func Malformed(defect string) driver.Answer {
	return driver.Answer{Outcome: driver.Malformed, Defect: defect}
}

// mismatch returns the reason why the message cannot be the reply to a request.
func (m Message) mismatch(id int64) string {
	if m.Defect != "" {
		return m.Defect
	}
	if m.Method != nil && !m.IsResponse() {
		return "the message is a request or notification (it has a method), not a response"
	}
	return m.IDDefect(id)
}

// IDDefect returns what is wrong with the id of a reply to a request, "" if nothing is.
func (m Message) IDDefect(id int64) string {
	number, isInteger := m.Number()
	switch {
	case m.ID == nil:
		return "id is missing"
	case isInteger && number == id:
		return ""
	case isInteger:
		return "id is not the request's"
	}
	return "id is " + kind(m.ID) + ", the request's is an integer"
}

// Answer interprets a reply whose id was matched. The caller sets the Exchange.
func (m Message) Answer() driver.Answer {
	version := "2.0"
	if m.Defect == "" && string(m.Version) != `"2.0"` { // it may also be escaped
		version = ""
		_ = json.Unmarshal(m.Version, &version)
	}
	switch {
	case m.Defect != "":
		return m.Malformed(m.Defect)
	case m.Version == nil:
		return m.Malformed(`the member "jsonrpc" is missing`)
	case version != "2.0":
		return m.Malformed(`the member "jsonrpc" is not "2.0"`)
	case m.Result == nil && m.Error == nil:
		return Malformed("there is neither result nor error")
	case m.Result != nil && m.Error != nil:
		return m.Malformed("there are both result and error")
	case m.Error != nil:
		return errorAnswer(m.Error)
	}
	return driver.Answer{Outcome: driver.Returned, Result: m.Result}
}

// Malformed returns the answer for a message that is not the response that was expected.
func (m Message) Malformed(defect string) driver.Answer {
	answer := Malformed(defect)
	switch {
	case m.Result != nil:
		answer.Content = &driver.Answer{Outcome: driver.Returned, Result: m.Result}
	case m.Error != nil:
		content := errorAnswer(m.Error)
		answer.Content = &content
	}
	return answer
}

func errorAnswer(raw json.RawMessage) driver.Answer {
	if raw[0] != '{' {
		return Malformed("error is " + kind(raw) + ", not an object")
	}
	var code, message, data json.RawMessage
	duplicate, err := Members(raw, func(name string, value json.RawMessage) {
		switch name {
		case "code":
			code = value
		case "message":
			message = value
		case "data":
			data = value
		}
	})
	if err != nil {
		return Malformed("error can't be read: " + err.Error())
	}
	if duplicate != "" {
		return Malformed(`the member "` + duplicate + `" is duplicated in error`)
	}
	if code == nil {
		return Malformed("error.code is missing")
	}
	number, isInteger := integer(code)
	if !isInteger {
		return Malformed("error.code is not an integer")
	}
	e := &driver.ProtocolError{Code: dataCode(data), Number: number, Data: data}
	_ = json.Unmarshal(message, &e.Message) // a message of another type is ignored; the code decides
	if number == MethodNotFound && e.Code == "" {
		return driver.Answer{Outcome: driver.NotProvided, Error: e}
	}
	return driver.Answer{Outcome: driver.Refused, Error: e}
}

// dataCode returns error.data.code if it is a string.
func dataCode(data json.RawMessage) string {
	if len(data) == 0 || data[0] != '{' {
		return ""
	}
	var code string
	_, _ = Members(data, func(name string, value json.RawMessage) {
		if name == "code" {
			_ = json.Unmarshal(value, &code)
		}
	})
	return code
}

// integer parses a JSON number. An integer beyond 64 bits is returned as the nearest bound.
func integer(raw json.RawMessage) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	// Length and exponent are bounded before big.Rat writes the number out in digits.
	if len(raw) > 400 {
		return 0, false
	}
	if i := bytes.IndexAny(raw, "eE"); i >= 0 {
		if e, err := strconv.Atoi(string(raw[i+1:])); err != nil || e > 400 || e < -400 {
			return 0, false
		}
	}
	r, ok := new(big.Rat).SetString(string(raw))
	switch {
	case !ok || raw[0] == '"' || !r.IsInt():
		return 0, false
	case r.Num().IsInt64():
		return r.Num().Int64(), true
	case r.Sign() < 0:
		return math.MinInt64, true
	}
	return math.MaxInt64, true
}

func kind(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number that is not an integer"
}
