package caphost

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is a compiled JSON Schema. It is read-only and may be shared.
type Contract struct {
	document any
	schema   *jsonschema.Schema
}

// Compile reads a schema in the dialect that it declares, or in 2020-12 if it
// does not declare one. It never loads another document: an empty set of
// loaders refuses every scheme.
func Compile(document any) (*Contract, error) {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.UseRegexpEngine(compilePattern)
	const place = "mem:///contract.json"
	if err := compiler.AddResource(place, document); err != nil {
		return nil, fmt.Errorf("caphost: schema: %w", err)
	}
	schema, err := compiler.Compile(place)
	if err != nil {
		return nil, fmt.Errorf("caphost: schema: %w", err)
	}
	return &Contract{document: document, schema: schema}, nil
}

// Document returns the schema that was compiled. It must not be changed.
func (c *Contract) Document() any { return c.document }

// Check returns nil if a value is valid, and an error otherwise. A number that the
// library cannot compare (it panics if an exponent exceeds one million) is also invalid.
func (c *Contract) Check(value any) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("the value cannot be checked")
		}
	}()
	fault := c.schema.Validate(value)
	if fault == nil {
		return nil
	}
	return &SchemaError{Keywords: brokenKeywords(fault), fault: fault}
}

// SchemaError is the error for a value that its schema refuses. It unwraps to the error of the library.
type SchemaError struct {
	Keywords []string // the broken keywords, sorted, without duplicates
	fault    error
}

// Error names the broken keywords. It omits values and places, because the library
// returns them in varying order.
func (b *SchemaError) Error() string {
	return "the value breaks " + strings.Join(b.Keywords, ", ")
}

// Unwrap returns the error of the library.
func (b *SchemaError) Unwrap() error { return b.fault }

func brokenKeywords(fault error) []string {
	var found []string
	var gather func(fault *jsonschema.ValidationError)
	gather = func(fault *jsonschema.ValidationError) {
		if path := fault.ErrorKind.KeywordPath(); len(fault.Causes) == 0 && len(path) > 0 {
			found = append(found, path[0])
		}
		for _, cause := range fault.Causes {
			gather(cause)
		}
	}
	var root *jsonschema.ValidationError
	if errors.As(fault, &root) {
		gather(root)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
