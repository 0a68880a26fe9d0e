package admission

import (
	"maps"
	"slices"
)

// The limits of reading an input schema. A capability whose input exceeds them is not admitted.
const (
	maxInputDepth  = 64
	maxInputValues = 20_000 // values
)

// input is one member of the input of a capability, at any place of its schema.
type input struct {
	name   string
	schema any // an object, or true or false
}

// inputsOf returns the members of the input at any place of the schemas of a capability: within
// objects, lists, branches and definitions. complete is false if a schema exceeds the limits.
func inputsOf(members map[string]any) (all []input, complete bool) {
	w := inputWalk{left: maxInputValues}
	for _, name := range []string{"input_schema", "inputSchema", "inputs", "parameters"} {
		w.schema(members[name], 0)
	}
	return w.found, !w.cut
}

// inputWalk visits schemas.
type inputWalk struct {
	found []input
	left  int // the number of values that may still be visited
	cut   bool
}

// byName are the keywords whose value is an object of schemas by name.
var byName = []string{"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"}

// data are the keywords whose value is not a schema.
var data = []string{"enum", "const", "default", "examples", "example"}

func (w *inputWalk) schema(value any, depth int) {
	if w.left--; w.left < 0 || depth > maxInputDepth {
		w.cut = true
		return
	}
	switch v := value.(type) {
	case []any:
		for _, one := range v {
			w.schema(one, depth+1)
		}
	case map[string]any:
		for _, keyword := range slices.Sorted(maps.Keys(v)) {
			named, isObject := v[keyword].(map[string]any)
			switch {
			case slices.Contains(byName, keyword) && isObject:
				w.named(named, keyword == "properties", depth+1)
			case !slices.Contains(data, keyword):
				w.schema(v[keyword], depth+1)
			}
		}
	}
}

// named visits schemas by name, which are the names of members if members is true.
func (w *inputWalk) named(schemas map[string]any, members bool, depth int) {
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		if members {
			w.found = append(w.found, input{name, schemas[name]})
		}
		if w.schema(schemas[name], depth); w.cut {
			return
		}
	}
}

func containsAny(words, of []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of, word) })
}
