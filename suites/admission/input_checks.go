package admission

import (
	"slices"
	"strings"
)

// reasonAgainstInput returns the reason why the input of a capability may make it change something, or "".
// A capability that is annotated as read-only may take a program.
func (l *lexicons) reasonAgainstInput(members map[string]any, annotated bool) string {
	all, complete := inputsOf(members)
	checks := []func([]input) string{l.reasonForChoice, l.reasonForSwitch, l.reasonForAddress}
	if !annotated {
		checks = append(checks, l.reasonForProgram)
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

// reasonForAddress returns a reason if the input takes an address that the capability calls.
func (l *lexicons) reasonForAddress(all []input) string {
	for _, in := range all {
		if containsAny(l.inputWords(in.name), l.words.Calling) {
			return "its input contains an address that it calls (" + in.name + ")"
		}
	}
	return ""
}

// reasonForProgram returns a reason if the input takes a program. The description of a member may name a
// language, as in "The SQL to run".
func (l *lexicons) reasonForProgram(all []input) string {
	for _, in := range all {
		schema, _ := in.schema.(map[string]any)
		description, _ := schema["description"].(string)
		if slices.Contains(l.words.Programs, strings.ToLower(in.name)) ||
			containsAny(l.inputWords(in.name), l.words.ProgramWords) ||
			containsAny(l.wordsOf(description, 0), l.words.Languages) {
			return "its input contains a program (" + in.name + ")"
		}
	}
	return ""
}
