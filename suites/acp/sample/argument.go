package sample

import (
	"cmp"
	"slices"
)

// Verbs returns the built-in tools of a runtime.
func Verbs() []string { return []string{Create, Update, Query, Delete} }

// ArgumentNames returns the names that the harness uses for the arguments of the built-in tools. The
// text of ACP does not define them (suites/acp/ADAPTER.md).
func ArgumentNames() []string {
	return []string{"schema_uri", "object", "id", "patch", "query", "limit", "cursor", "mode"}
}

// RuntimeArguments returns the arguments of a call of a built-in tool with the names of the runtime.
func (s *Package) RuntimeArguments(arguments Object) Object {
	result := Object{}
	for name, value := range arguments {
		result[cmp.Or(s.ArgumentNames[name], name)] = value
	}
	return result
}

// HarnessArguments returns the arguments of a call of a built-in tool with the names of the harness.
func (s *Package) HarnessArguments(arguments Object) Object {
	harnessNames := map[string]string{}
	for name, runtimeName := range s.ArgumentNames {
		harnessNames[runtimeName] = name
	}
	result := Object{}
	for name, value := range arguments {
		result[cmp.Or(harnessNames[name], name)] = value
	}
	return result
}

// renameParameters changes the parameters of a built-in tool to the names of the runtime.
func (s *Package) renameParameters(parameters Object) {
	parameters["properties"] = s.RuntimeArguments(parameters["properties"].(Object))
	required := slices.Clone(parameters["required"].([]any))
	for i, name := range required {
		required[i] = cmp.Or(s.ArgumentNames[name.(string)], name.(string))
	}
	parameters["required"] = required
}
