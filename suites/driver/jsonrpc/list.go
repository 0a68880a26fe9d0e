package jsonrpc

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/capconform/capconform/suites/driver"
)

// Call is a call whose reply arrived.
type Call struct {
	Operation driver.Operation
	Limits    driver.Limits
	Exchange  driver.Exchange
}

// Concluded joins answer and exchange, and keeps the limits: an answer that holds
// an element beyond them is an error that wraps driver.ErrTooLarge. A *driver.CallError
// gets the exchange.
func Concluded(c Call, answer driver.Answer, err error) (driver.Answer, error) {
	if err == nil {
		err = c.elements(answer)
	}
	var failed *driver.CallError
	if errors.As(err, &failed) {
		withExchange := *failed
		withExchange.Exchange = c.Exchange
		return driver.Answer{}, &withExchange
	}
	answer.Exchange = c.Exchange
	return answer, err
}

// elements checks the size of each element of a list. What is no longer than a
// message as a whole needs no look inside.
func (c Call) elements(answer driver.Answer) error {
	limits := c.Limits.WithDefaults()
	size := int64(len(answer.Result))
	switch {
	case answer.Outcome != driver.Returned || size <= limits.Message:
		return nil
	case !c.Operation.List:
		return tooLarge("result", size, limits.Message)
	case size > limits.Total:
		return tooLarge("list", size, limits.Total)
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
		Kind: driver.ErrTooLarge, Detail: fmt.Sprintf("a %s of %d bytes, our limit is %d", what, size, limit),
	}
}
