package acdhost

import (
	"maps"
	"slices"
	"strings"
)

// object is a JSON object.
type object = map[string]any

// member returns the value at a path of names that are joined by full stops.
func member(of any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		members, _ := of.(object)
		of = members[name]
	}
	return of
}

func text(of any, path string) string {
	s, _ := member(of, path).(string)
	return s
}

func texts(of any, path string) []string {
	list, _ := member(of, path).([]any)
	var all []string
	for _, item := range list {
		if s, is := item.(string); is {
			all = append(all, s)
		}
	}
	return all
}

// Flag returns a boolean member of a descriptor, or otherwise if it is absent.
func Flag(of any, path string, otherwise bool) bool {
	if b, is := member(of, path).(bool); is {
		return b
	}
	return otherwise
}

// Text returns a string member of a descriptor, or an empty string if there is none.
func Text(of any, path string) string { return text(of, path) }

// Texts returns the strings of a list in a descriptor.
func Texts(of any, path string) []string { return texts(of, path) }

// Set stores a value at a path, and makes the objects on the path that are missing.
func Set(of object, path string, value any) {
	head, rest, deep := strings.Cut(path, ".")
	if !deep {
		of[head] = value
		return
	}
	inner, is := of[head].(object)
	if !is {
		inner = object{}
		of[head] = inner
	}
	Set(inner, rest, value)
}

func clone(v object) object {
	made, _ := cloneValue(v).(object)
	return made
}

func cloneValue(v any) any {
	switch v := v.(type) {
	case object:
		if v == nil {
			return object{}
		}
		made := maps.Clone(v) // in less time than one member after another
		for name, value := range v {
			if hasContent(value) {
				made[name] = cloneValue(value)
			}
		}
		return made
	case []any:
		made := append(make([]any, 0, len(v)), v...)
		for i, item := range v {
			if hasContent(item) {
				made[i] = cloneValue(item)
			}
		}
		return made
	default:
		return v
	}
}

// hasContent reports whether a value has members or elements.
func hasContent(v any) bool {
	switch v.(type) {
	case object, []any:
		return true
	}
	return false
}

func toAnys(all []string) []any {
	list := make([]any, len(all))
	for i, s := range all {
		list[i] = s
	}
	return list
}

func objects(all []object) []any {
	list := make([]any, len(all))
	for i, o := range all {
		list[i] = o
	}
	return list
}

func isEnabled(entry object) bool { return Flag(entry, "status.enabled", true) }

func substrateOf(entry object) string { return text(entry, "execution.substrate") }

// isVisible reports whether a capability is shown outside the agent.
func isVisible(entry object) bool {
	return isEnabled(entry) && text(entry, "exposure.scope") != "internal"
}

// matchesFilters reports whether an entry matches every given filter.
func matchesFilters(entry, filters object) bool {
	for name, value := range filters {
		switch name {
		case "kind":
			if text(entry, "kind") != value {
				return false
			}
		case "execution":
			if substrateOf(entry) != value {
				return false
			}
		case "exposure":
			if text(entry, "exposure.scope") != value {
				return false
			}
		case "invocation":
			mode, _ := value.(string)
			if !slices.Contains(texts(entry, "invocation.modes"), mode) {
				return false
			}
		case "enabled":
			if isEnabled(entry) != value {
				return false
			}
		}
	}
	return true
}
