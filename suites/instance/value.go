package instance

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

const (
	maxSize  = 100_000 // characters of a string, items of an array
	maxBytes = 1 << 20 // bytes of an instance
)

// textOf returns the value as JSON, members sorted.
func textOf(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprintf("%#v", value)
	}
	return string(text)
}

// TypeName returns the JSON type of a value; the type of an integral number is "integer".
func TypeName(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return "object"
	case []any:
		return "array"
	case string:
		return "string"
	case bool:
		return "boolean"
	case json.Number:
		if x := ratOf(v); x != nil && x.IsInt() {
			return "integer"
		}
		return "number"
	}
	return "null"
}

// ratOf parses a number of an instance.
func ratOf(value any) *big.Rat {
	number, ok := value.(json.Number)
	if !ok {
		return nil
	}
	x, ok := new(big.Rat).SetString(string(number))
	if !ok {
		return nil
	}
	return x
}

// jsonNumber writes a number in decimal, exactly if possible.
func jsonNumber(x *big.Rat) json.Number {
	if x.IsInt() {
		return json.Number(x.Num().String())
	}
	const digits = 18
	n, exact := x.FloatPrec()
	if !exact {
		n = digits
	}
	return json.Number(x.FloatString(n))
}

func decimal(x *big.Rat) string { return string(jsonNumber(x)) }

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// suggestions lists the values that a subschema itself contains.
func suggestions(s *jsonschema.Schema) []any {
	if s == nil {
		return nil
	}
	given := append([]any(nil), s.Examples...)
	if s.Default != nil {
		given = append(given, *s.Default)
	}
	return given
}
