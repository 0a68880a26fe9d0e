package admission

import (
	"maps"
	"slices"
	"strings"
)

// The limits of reading an input schema. A capability whose input exceeds them is not admitted.
const (
	deepestInput = 64
	largestInput = 20_000 // values
)

// input is one member of the input of a capability, at any place of its schema.
type input struct {
	name   string
	schema any // an object, or true or false
}

// inputsOf returns the members of the input at any place of the schemas of a capability: within
// objects, lists, branches and definitions. complete is false if a schema exceeds the limits.
func inputsOf(members map[string]any) (all []input, complete bool) {
	w := inputWalk{left: largestInput}
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
	if w.left--; w.left < 0 || depth > deepestInput {
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

// inputWords returns the words of the name of a member, split at capital letters and punctuation.
func (r *Reader) inputWords(name string) []string {
	var all []string
	for way := range r.humps {
		all = append(all, r.wordsOf(name, way)...)
	}
	return all
}

// againstInput returns the reason why the input of a capability may make it change something, or "".
// A capability that is annotated as read-only may take a program.
func (r *Reader) againstInput(members map[string]any, annotated bool) string {
	all, complete := inputsOf(members)
	checks := []func([]input) string{r.chooses, r.switches, r.calls}
	if !annotated {
		checks = append(checks, r.program)
	}
	for _, check := range checks {
		if why := check(all); why != "" {
			return why
		}
	}
	if !complete {
		return "its input schema is too large to be read"
	}
	return ""
}

// calls returns a reason if the input takes an address that the capability calls.
func (r *Reader) calls(all []input) string {
	for _, in := range all {
		if containsAny(r.inputWords(in.name), r.words.Calling) {
			return "its input contains an address that it calls (" + in.name + ")"
		}
	}
	return ""
}

// program returns a reason if the input takes a program. The description of a member may name a
// language, as in "The SQL to run".
func (r *Reader) program(all []input) string {
	for _, in := range all {
		schema, _ := in.schema.(map[string]any)
		description, _ := schema["description"].(string)
		if slices.Contains(r.words.Programs, strings.ToLower(in.name)) ||
			containsAny(r.inputWords(in.name), r.words.ProgramWords) ||
			containsAny(r.wordsOf(description, 0), r.words.Languages) {
			return "its input contains a program (" + in.name + ")"
		}
	}
	return ""
}

func containsAny(words, of []string) bool {
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(of, word) })
}
