package judge

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acd/history"
)

// oldWords are the old types (ACD 1.2), as they are written in ids and member names.
var oldWords = []string{"skill", "command", "subagent", "sub_agent"}

// OldType reports whether a member restores an old type.
func OldType(name string, value any) bool {
	if value == nil {
		return false
	}
	name = snakeCase(name)
	for _, word := range oldWords {
		if name == word+"_type" || name == "is_"+word {
			return true
		}
	}
	word, _ := value.(string)
	return (name == "type" || name == "capability_type") && slices.Contains(oldWords, snakeCase(word))
}

// snakeCase returns a name as lower-case words joined by underscores.
func snakeCase(name string) string {
	return strings.ToLower(strings.NewReplacer("-", "_", " ", "_").Replace(camel.ReplaceAllString(name, "${1}_$2")))
}

var camel = regexp.MustCompile(`([a-z])([A-Z])`)

// OwnRegistry reports whether a member of a manifest contains a registry of an old type. A list of ids is a view; a
// number or a string is not a registry.
func OwnRegistry(name string, value any) bool {
	name = snakeCase(name)
	for _, word := range oldWords {
		switch name {
		case word + "_registry", word + "s_registry":
			return value != nil
		case word + "s":
			return holdsObjects(value)
		}
	}
	return false
}

func holdsObjects(v any) bool {
	switch v := v.(type) {
	case []any:
		return slices.ContainsFunc(v, func(item any) bool { _, is := item.(history.Object); return is })
	case history.Object:
		return len(v) > 0
	default:
		return false
	}
}

// behaviours are the names of members in which a channel would define behaviour.
var behaviours = []string{
	"command", "handler", "action", "behavior", "behaviour", "logic", "script", "code", "function", "skill",
	"tool", "prompt", "workflow", "entrypoint",
}

// Behaviour reports whether a member of a channel defines behaviour. A switch, a number and an empty value define
// none. A member with a compound name, such as slash_commands, defines behaviour only if it contains objects.
func Behaviour(name string, value any) bool {
	switch v := value.(type) {
	case nil, bool:
		return false
	case string:
		if v == "" {
			return false
		}
	case []any:
		if len(v) == 0 {
			return false
		}
	case history.Object:
		if len(v) == 0 {
			return false
		}
	default:
		return false
	}
	name = strings.TrimSuffix(snakeCase(name), "s")
	last := name[strings.LastIndexByte(name, '_')+1:]
	return slices.Contains(behaviours, name) || strings.HasPrefix(name, "on_") ||
		slices.Contains(behaviours, last) && holdsObjects(value)
}

// PathOf returns a JSON pointer as names joined by full stops.
func PathOf(pointer string) string {
	return strings.ReplaceAll(strings.TrimPrefix(pointer, "/"), "/", ".")
}
