package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/rpc"
)

// The keywords whose values contain schemas: by name, in a list, or alone.
var (
	schemasByName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}
	schemasInList = []string{"allOf", "anyOf", "oneOf", "prefixItems", "items"}
	schemasAlone  = []string{"items", "additionalProperties", "additionalItems", "not", "if", "then", "else", "contains",
		"propertyNames", "unevaluatedProperties"}
)

// rewrite returns a copy of a schema in which every schema has been changed,
// the outermost (at depth 0) first.
func rewrite(document any, change func(schema map[string]any, depth int)) any {
	copied := rpc.Clone(document)
	walk(copied, 0, change)
	return copied
}

func walk(document any, depth int, change func(schema map[string]any, depth int)) {
	schema, isObject := document.(map[string]any)
	if !isObject {
		return
	}
	change(schema, depth)
	for _, keyword := range schemasByName {
		named, _ := schema[keyword].(map[string]any)
		for _, below := range named {
			walk(below, depth+1, change)
		}
	}
	for _, keyword := range schemasInList {
		listed, _ := schema[keyword].([]any)
		for _, below := range listed {
			walk(below, depth+1, change)
		}
	}
	for _, keyword := range schemasAlone {
		walk(schema[keyword], depth+1, change)
	}
}

// laxer compiles a contract after a change. It returns the contract itself if the changed
// one does not compile.
func laxer(contract *caphost.Contract, change func(schema map[string]any, depth int)) *caphost.Contract {
	changed, err := caphost.Compile(rewrite(contract.Document(), change))
	if err != nil {
		return contract
	}
	return changed
}
