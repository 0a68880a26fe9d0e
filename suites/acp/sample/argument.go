package sample

import (
	"cmp"
	"slices"
)

// Verbs returns the built-in tools of a runtime.
func Verbs() []string { return []string{Create, Update, Query, Delete} }

// Arguments returns the names that the harness uses for the arguments of the built-in tools. The text of
// ACP does not define them (suites/acp/ADAPTER.md).
func Arguments() []string {
	return []string{"schema_uri", "object", "id", "patch", "query", "limit", "cursor", "mode"}
}

// Named returns the arguments of a call of a built-in tool with the names of the runtime.
func (s *Package) Named(arguments Object) Object {
	named := Object{}
	for name, value := range arguments {
		named[cmp.Or(s.Arguments[name], name)] = value
	}
	return named
}

// Given returns the arguments of a call of a built-in tool with the names of the harness.
func (s *Package) Given(arguments Object) Object {
	ours := map[string]string{}
	for name, theirs := range s.Arguments {
		ours[theirs] = name
	}
	given := Object{}
	for name, value := range arguments {
		given[cmp.Or(ours[name], name)] = value
	}
	return given
}

// rename changes the parameters of a built-in tool to the names of the runtime.
func (s *Package) rename(parameters Object) {
	parameters["properties"] = s.Named(parameters["properties"].(Object))
	required := slices.Clone(parameters["required"].([]any))
	for i, name := range required {
		required[i] = cmp.Or(s.Arguments[name.(string)], name.(string))
	}
	parameters["required"] = required
}
