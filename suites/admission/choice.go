package admission

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// chooses returns a member of the input by which a caller chooses what is done, with a choice that
// changes something: {"operation": {"enum": ["list", "set"]}}. It returns "" if there is none.
func (r *Reader) chooses(members map[string]any) string {
	properties := inputOf(members)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if !slices.Contains(r.words.Choosing, flattened(name)) {
			continue
		}
		choices := choicesIn(properties[name], 0)
		// Next to "subtract", "add" computes.
		computes := slices.ContainsFunc(choices, func(value string) bool { return r.computing.has(r.firstWord(value)) })
		for _, value := range choices {
			if first := r.firstWord(value); r.verbs.has(first) && !(computes && r.guarded.has(first)) {
				return fmt.Sprintf("its input chooses what is done, and %q changes something (%s)", value, name)
			}
		}
	}
	return ""
}

// switches returns a boolean of the input that makes the capability change something, such as
// overwrite or delete_after. It returns "" if there is none.
func (r *Reader) switches(members map[string]any) string {
	properties := inputOf(members)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		schema, _ := properties[name].(map[string]any)
		if schema["type"] == "boolean" && slices.Contains(r.words.Switching, r.firstWord(name)) {
			return fmt.Sprintf("a member of its input makes it change something (%s)", name)
		}
	}
	return ""
}

// firstWord returns the first word of a name, in lower case.
func (r *Reader) firstWord(name string) string {
	words := strings.FieldsFunc(r.part(name, 0), notLetter)
	if len(words) == 0 {
		return ""
	}
	return words[0]
}

// inputOf returns the members of the input of a capability, from its schema.
func inputOf(members map[string]any) map[string]any {
	schema, _ := firstOf(members, "input_schema", "inputSchema").(map[string]any)
	if inputs, is := members["inputs"].(map[string]any); is && schema == nil {
		schema, _ = inputs["schema"].(map[string]any)
	}
	properties, _ := schema["properties"].(map[string]any)
	return properties
}

// choicesIn returns the texts that a schema lists, including those of its branches and items.
func choicesIn(schema any, depth int) []string {
	of, _ := schema.(map[string]any)
	if depth > deepest {
		return nil
	}
	var all []string
	values, _ := of["enum"].([]any)
	for _, value := range append(slices.Clone(values), of["const"]) {
		if text, is := value.(string); is {
			all = append(all, text)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf"} {
		branches, _ := of[keyword].([]any)
		for _, branch := range branches {
			all = append(all, choicesIn(branch, depth+1)...)
		}
	}
	if of["items"] != nil {
		all = append(all, choicesIn(of["items"], depth+1)...)
	}
	return all
}
