package text

import (
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/rule"
)

// ofValues are the functions on values that rules and stimuli have:
//
//	flaw_of(SCHEMA, VALUE)   why a value breaks a schema, "" if it does not; SCHEMA is a name in schemas/, or a schema
//	schema_flaw(SCHEMA)      why a value is no JSON Schema of its dialect, "" if it is one or if that cannot be decided
//	parsed(TEXT)             the value of a JSON text, null if it is none
//	until(TEXT, MARK)        the part of a text before a mark, the whole text without one
//	upper(TEXT)              a text in capitals
func (t *Text) ofValues() []rule.Function {
	return []rule.Function{
		rule.FunctionOfTwo("flaw_of", func(of, value any) any {
			if name, is := of.(string); is {
				if t.shapes[name] == nil {
					return fmt.Errorf("there is no schema %s", name)
				}
				return flawOf(t.shapes[name].whole, value)
			}
			compiled, err := schemas.CompileValue(of, schemas.Options{})
			if err != nil {
				return err
			}
			return flawOf(compiled, value)
		}),
		rule.FunctionOf("schema_flaw", func(of any) any {
			var invalid *schemas.InvalidSchema
			if _, err := schemas.CompileValue(of, schemas.Options{}); errors.As(err, &invalid) {
				return strings.TrimPrefix(invalid.Error(), "schemas: ")
			}
			return ""
		}),
		rule.FunctionOf("parsed", func(text string) any { return schemas.ReadValue([]byte(text)) }),
		rule.FunctionOfTwo("until", func(text, mark string) any {
			before, _, _ := strings.Cut(text, mark)
			return before
		}),
		rule.FunctionOf("upper", func(text string) any { return strings.ToUpper(text) }),
	}
}
