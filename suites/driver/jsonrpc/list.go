package jsonrpc

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/driver"
)

// Concluded combines an exchange with its result: an answer or a *driver.CallError.
func Concluded(exchange driver.Exchange, answer driver.Answer, err error) (driver.Answer, error) {
	var failed *driver.CallError
	if errors.As(err, &failed) {
		withExchange := *failed
		withExchange.Exchange = exchange
		return driver.Answer{}, &withExchange
	}
	answer.Exchange = exchange
	return answer, err
}

// Within enforces the limits on the answer to an operation. An answer with an element beyond them
// becomes an error that wraps driver.ErrTooLarge.
func Within(limits driver.Limits, op driver.Operation, answer driver.Answer) (driver.Answer, error) {
	limits = limits.WithDefaults()
	err := checkSize(limits, op, answer)
	if err != nil {
		return Concluded(answer.Exchange, answer, err)
	}
	return Decodable(limits, op, answer)
}

// Decodable is Within for the memory that an answer needs when it is decoded.
func Decodable(limits driver.Limits, op driver.Operation, answer driver.Answer) (driver.Answer, error) {
	limits = limits.WithDefaults()
	err := checkContent(limits, op, answer.Result)
	if err == nil && answer.Error != nil {
		err = checkContent(limits, driver.Operation{}, answer.Error.Data)
	}
	return Concluded(answer.Exchange, answer, err)
}

// checkSize checks the size of each element of a list. A list that is not longer than a message
// needs no check of its elements.
func checkSize(limits driver.Limits, op driver.Operation, answer driver.Answer) error {
	size := int64(len(answer.Result))
	switch {
	case answer.Outcome != driver.Returned || size <= limits.Message:
		return nil
	case !op.List:
		return tooLarge("result", size, limits.Message)
	case size > limits.For(op):
		return tooLarge("list", size, limits.For(op))
	}
	d := newDecoder(answer.Result)
	if d.PeekKind() == '[' {
		return checkArray(d, limits.Message)
	}
	if d.PeekKind() != '{' {
		return tooLarge("result", size, limits.Message)
	}
	_, _ = d.ReadToken() // the syntax was checked when the message was read
	for d.PeekKind() != '}' {
		_, _ = d.ReadToken()
		if d.PeekKind() == '[' {
			if err := checkArray(d, limits.Message); err != nil {
				return err
			}
			continue
		}
		if err := checkValue(d, "member", limits.Message); err != nil {
			return err
		}
	}
	return nil
}

func checkArray(d *jsontext.Decoder, limit int64) error {
	_, _ = d.ReadToken()
	for d.PeekKind() != ']' {
		if err := checkValue(d, "element of a list", limit); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func checkValue(d *jsontext.Decoder, what string, limit int64) error {
	value, err := d.ReadValue()
	if err != nil {
		return fmt.Errorf("jsonrpc: %s: %w", what, err)
	}
	if int64(len(value)) > limit {
		return tooLarge(what, int64(len(value)), limit)
	}
	return nil
}

func tooLarge(what string, size, limit int64) error {
	return &driver.CallError{
		Kind:   driver.ErrTooLarge,
		Detail: fmt.Sprintf("a %s of %d bytes, which is more than %s", what, size, driver.Size(limit)),
	}
}
