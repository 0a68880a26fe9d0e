package jsonrpc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/jsonrpc"
)

// The decoded size of an answer is bounded, whatever its length. Strings, and digits in them, do not count.
func TestDecodedSizeIsBounded(t *testing.T) {
	limits := driver.Limits{Values: 10, Depth: 4}
	list := driver.Operation{List: true}
	single := driver.Operation{List: true, Single: true}
	items := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat("1,", n), ",") + "]" }
	tests := map[string]struct {
		op     driver.Operation
		result string
		want   string
	}{
		"few values":               {list, items(9), ""},
		"many values":              {list, items(10), "more than 10 values"},
		"many members":             {driver.Operation{}, `{"a":1,"b":2,"c":3,"d":4,"e":5}`, "more than 10 values"},
		"commas in a string":       {list, `["` + strings.Repeat(`1,\",[`, 20) + `"]`, ""},
		"an escaped backslash":     {list, `["\\",` + strings.TrimPrefix(items(9), "["), "more than 10 values"},
		"single":                   {single, "[" + strings.TrimSuffix(strings.Repeat(items(3)+",", 20), ",") + "]", ""},
		"single, in an object":     {single, `{"events":[` + strings.TrimSuffix(strings.Repeat(items(3)+",", 20), ",") + "]}", ""},
		"single, a large element":  {single, `{"events":[1,{"a":{"b":1,"c":2,"d":3,"e":4,"f":5}}]}`, "more than 10 values"},
		"a whole list of the same": {list, "[" + strings.TrimSuffix(strings.Repeat(items(3)+",", 20), ",") + "]", "more than 10 values"},
		"levels":                   {list, `[[[[1]]]]`, ""},
		"too many levels":          {list, `[[[[[1]]]]]`, "more than 4 levels of nesting"},
		"side by side":             {list, `[[[[]]],[[[]]]]`, ""},
		"a long number":            {list, "[" + strings.Repeat("9", 1000) + "]", ""},
		"a longer number":          {list, "[" + strings.Repeat("9", 1001) + "]", "a number of more than 1000 characters, or beyond an exponent of 400"},
		"an exponent":              {list, "[1e400,-1E-400,1e+5]", ""},
		"a large exponent":         {list, "[1e401]", "a number of more than 1000 characters, or beyond an exponent of 400"},
		"a small exponent":         {list, "[1e-1000001]", "a number of more than 1000 characters, or beyond an exponent of 400"},
		"words":                    {list, "[true,false,null]", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			for what, answer := range map[string]driver.Answer{
				"result": {Result: []byte(test.result)}, "error": {Outcome: driver.Refused, Error: &driver.ProtocolError{Data: []byte(test.result)}},
			} {
				if what == "error" && test.op.Single {
					continue // there is no list of errors
				}
				_, err := jsonrpc.Within(limits, test.op, answer)
				var failed *driver.CallError
				if errors.As(err, &failed); test.want == "" && err != nil ||
					test.want != "" &&
						(failed == nil || failed.Kind != driver.ErrTooLarge || failed.Detail != test.want) {
					t.Errorf("%s: got %v, want %q", what, err, test.want)
				}
			}
		})
	}
}
