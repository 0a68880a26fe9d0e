package admission

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// maxDepth is the depth below a descriptor to which declarations are searched.
const maxDepth = 4

// declared returns what the members of a descriptor, including custom ones, declare against
// admitting it.
func (l *lexicons) declared(members map[string]any, depth int) string {
	if depth > maxDepth {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		value, plain := members[name], flattened(name)
		switch {
		case strings.HasSuffix(plain, "schema") || strings.HasSuffix(plain, "template"):
			continue
		case slices.Contains(effects, plain) && !declaresNothing(value):
			return "it declares side effects (" + name + ")"
		case slices.Contains(risks, plain) && isAboveLow(value):
			return "its risk is above low (" + name + ")"
		case slices.Contains(approvals, plain) && !declaresNothing(value):
			return "it needs an approval (" + name + ")"
		case (plain == "readonly" || plain == "readonlyhint" || plain == "reversible" || plain == "sideeffectfree") &&
			value == false:
			return "it declares that it changes something (" + name + ")"
		case slices.Contains(labels, plain):
			if word := l.changeLabel(value); word != "" {
				return "its " + name + " contain \"" + word + `"`
			}
		}
		if inner, is := value.(map[string]any); is {
			if plain == "permissions" {
				if word := l.changeLabel(inner["required"]); word != "" {
					return `its required permissions contain "` + word + `"`
				}
			}
			if why := l.declared(inner, depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}

// separators removes what separates the words of a name. A run reads thousands of names.
var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// flattened maps sideEffects, side_effects and side-effects to the same name.
func flattened(name string) string { return strings.ToLower(separators.Replace(name)) }

// What declares an effect, a risk or an approval, and what lists labels, as flattened returns their names.
var (
	effects = strings.Fields(`sideeffect sideeffects effect effects destructive destructivehint mutates mutating mutation
		irreversible dangerous writes modifies statechanging`)
	risks     = strings.Fields("risk risklevel risktier danger dangerlevel hazard hazardlevel")
	approvals = strings.Fields(`approvalrequired requiresapproval confirmationrequired requiresconfirmation
		requireshumanapproval consentrequired requiresconsent`)
	labels = strings.Fields("tags labels scopes requiredscopes requiredpermissions")
)

// declaresNothing reports whether a declaration declares that there is nothing.
func declaresNothing(value any) bool {
	switch v := value.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		return slices.Contains(strings.Fields("none no false read read-only readonly pure"), strings.ToLower(v)) || v == ""
	case []any:
		return !slices.ContainsFunc(v, func(one any) bool { return !declaresNothing(one) })
	case map[string]any:
		return !slices.ContainsFunc(slices.Collect(maps.Values(v)), func(one any) bool { return !declaresNothing(one) })
	default:
		return isZero(v)
	}
}

// isAboveLow reports whether a risk is above low, or unknown.
func isAboveLow(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != "" && !slices.Contains(strings.Fields("low none minimal negligible safe"), strings.ToLower(v))
	case map[string]any:
		for name, one := range v {
			if slices.Contains(strings.Fields("level tier value rating"), flattened(name)) {
				return isAboveLow(one)
			}
		}
		return len(v) > 0
	default:
		return !isZero(v)
	}
}

func isZero(value any) bool {
	switch v := value.(type) {
	case json.Number:
		return v == "0"
	case float64:
		return v == 0
	case int:
		return v == 0
	default:
		return false
	}
}

// changeLabel returns the first state-changing word of a list of labels or permissions.
func (l *lexicons) changeLabel(value any) string {
	list, isList := value.([]any)
	if !isList {
		list = []any{value}
	}
	for _, one := range list {
		text, _ := one.(string)
		for _, word := range l.wordsOf(text, 0) {
			if l.changing.has(word) || l.guarded.has(word) && word == "add" ||
				slices.Contains(strings.Fields("mutation mutating deletion dangerous unsafe admin root sudo"), word) {
				return word
			}
		}
	}
	return ""
}
