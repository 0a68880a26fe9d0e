package caphost

import (
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Contract is a compiled JSON Schema. It is read only and may be shared.
type Contract struct {
	document any
	schema   *jsonschema.Schema
}

// Compile reads a schema in the dialect that it declares, 2020-12 if it
// declares none. It never loads anything from elsewhere: an empty set of
// loaders refuses every scheme.
func Compile(document any) (*Contract, error) {
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(jsonschema.SchemeURLLoader{})
	compiler.DefaultDraft(jsonschema.Draft2020)
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

// Document is the schema as it was given. It must not be changed.
func (c *Contract) Document() any { return c.document }

// Check says what is wrong with a value, nil if nothing is. A number that the
// library can't compare (it panics on an exponent beyond a million) is wrong too.
func (c *Contract) Check(value any) (err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("caphost: value can't be checked")
		}
	}()
	if err := c.schema.Validate(value); err != nil {
		return fmt.Errorf("caphost: %w", err)
	}
	return nil
}
