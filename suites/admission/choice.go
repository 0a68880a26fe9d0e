package admission

import (
	"fmt"
	"slices"
	"strings"
)

// reasonForChoice returns a reason if a caller chooses by the input what is done, and a choice changes
// something: {"operation": {"enum": ["list", "set"]}}. Under a name that does not announce such a
// choice, only a verb of Switching counts, because the values may be nouns.
func (l *lexicons) reasonForChoice(all []input) string {
	for _, in := range all {
		announced := slices.Contains(l.words.Choosing, flattened(in.name)) ||
			containsAny(l.inputWords(in.name), l.words.ChoosingWords)
		choices := choicesIn(in.schema, 0)
		// Next to "subtract", "add" computes.
		computes := slices.ContainsFunc(choices, func(value string) bool { return l.computing.has(l.firstWord(value)) })
		for _, value := range choices {
			first := l.firstWord(value)
			changes := l.changing.has(first) && slices.Contains(l.words.Switching, first)
			if announced {
				changes = l.verbs.has(first) && !(computes && l.guarded.has(first))
			}
			if changes {
				return fmt.Sprintf("its input chooses what is done, and %q changes something (%s)", value, in.name)
			}
		}
	}
	return ""
}

// reasonForSwitch returns a reason if a flag of the input makes the capability change something, such as
// overwrite or delete_after.
func (l *lexicons) reasonForSwitch(all []input) string {
	for _, in := range all {
		words := l.inputWords(in.name)
		if len(words) == 0 || slices.Contains(l.words.Filtering, words[0]) {
			continue
		}
		if containsAny(words, l.words.Switching) && isFlag(in.schema) {
			return fmt.Sprintf("a member of its input makes it change something (%s)", in.name)
		}
	}
	return ""
}

// isFlag reports whether a schema may admit true and false, or words such as yes and no.
func isFlag(schema any) bool {
	of, isObject := schema.(map[string]any)
	if !isObject {
		return schema != false
	}
	if values, listed := of["enum"].([]any); listed {
		return slices.ContainsFunc(values, isFlagValue)
	}
	if value, is := of["const"]; is {
		return isFlagValue(value)
	}
	switch kinds := of["type"].(type) {
	case string:
		return kinds == "boolean"
	case []any:
		return slices.Contains(kinds, any("boolean"))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if branches, is := of[keyword].([]any); is {
			return slices.ContainsFunc(branches, isFlag)
		}
	}
	return true
}

func isFlagValue(value any) bool {
	text, isText := value.(string)
	_, isBool := value.(bool)
	return isBool || isText && slices.Contains(strings.Fields("yes no true false on off y n"), strings.ToLower(text))
}

// choicesIn returns the texts that a schema lists or proposes, including those of its branches and
// items.
func choicesIn(schema any, depth int) []string {
	of, _ := schema.(map[string]any)
	if depth > maxDepth {
		return nil
	}
	var all []string
	values, _ := of["enum"].([]any)
	proposed, _ := of["examples"].([]any)
	for _, value := range slices.Concat(values, proposed, []any{of["const"], of["default"], of["example"]}) {
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
