package instance

import (
	"maps"
	"slices"
	"strconv"
)

// replaced copies a document with another value at a path.
func replaced(document any, path []string, value any) any {
	if len(path) == 0 {
		return copied(value)
	}
	switch v := copied(document).(type) {
	case map[string]any:
		v[path[0]] = replaced(v[path[0]], path[1:], value)
		return v
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(v) {
			v[i] = replaced(v[i], path[1:], value)
		}
		return v
	}
	return document
}

func copied(value any) any {
	switch v := value.(type) {
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			object[name] = copied(member)
		}
		return object
	case []any:
		array := make([]any, len(v))
		for i, item := range v {
			array[i] = copied(item)
		}
		return array
	}
	return value
}

func index(i int) string { return strconv.Itoa(i) }

func sortedNames(object map[string]any) []string { return slices.Sorted(maps.Keys(object)) }

// memberNames lists the members of a value, none if it is not an object.
func memberNames(value any) []string {
	object, _ := value.(map[string]any)
	return sortedNames(object)
}

func without(object map[string]any, names ...string) map[string]any {
	left := copied(object).(map[string]any)
	for _, name := range names {
		delete(left, name)
	}
	return left
}

func with(object map[string]any, name string, value any) map[string]any {
	more := copied(object).(map[string]any)
	more[name] = value
	return more
}
