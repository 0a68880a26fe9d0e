package history

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/jsonvalue"
)

// OfText returns the members of a descriptor that the text names. Other members may change with each reading, such as
// a time or a count.
func OfText(descriptor Object) Object { return named(descriptor, descriptorMembers, false) }

// Filled returns what OfText returns, with the defaults of absent members.
func Filled(descriptor Object) Object { return named(descriptor, descriptorMembers, true) }

func named(of Object, members []member, filled bool) Object {
	known := make(Object, len(members))
	for _, m := range members {
		value := of[m.name]
		if m.inner != nil {
			inner, _ := value.(Object)
			if inner = named(inner, m.inner, filled); len(inner) > 0 {
				known[m.name] = inner
			}
			continue
		}
		if value == nil && filled {
			value = m.printed
		}
		if value != nil {
			known[m.name] = value
		}
	}
	return known
}

// member is a member that the text names.
type member struct {
	name    string
	printed any      // the default that the text prints; nil: none
	inner   []member // nil: the text names no members in it
}

// filledIn returns the value of the member in an object, or its default if it is absent.
func (m member) filledIn(of Object) any {
	if value := of[m.name]; value != nil {
		return value
	}
	return m.printed
}

// descriptorMembers are the members of a descriptor (ACD 1.2).
var descriptorMembers = []member{
	{name: "capability_id"}, {name: "name"}, {name: "version"}, {name: "description"}, {name: "kind"},
	{name: "execution", inner: []member{{name: "substrate"}, {name: "runtime"}, {name: "entrypoint"}}},
	{name: "invocation", inner: []member{{name: "modes"}, {name: "command_aliases"}}},
	{name: "exposure", inner: []member{{name: "scope"}, {name: "channels"}}},
	{name: "permissions", inner: []member{
		{name: "required"}, {name: "granted_by_default", printed: false}, {name: "danger_level"},
	}},
	{name: "inputs", inner: []member{{name: "schema"}, {name: "required"}}},
	{name: "outputs", inner: []member{{name: "schema"}}},
	{name: "dependencies", inner: []member{{name: "capabilities"}, {name: "resources"}}},
	{name: "lifecycle", inner: []member{
		{name: "hooks", inner: []member{{name: "pre_invoke"}, {name: "post_invoke"}, {name: "on_error"}}},
	}},
	{name: "delegation", inner: []member{{name: "allowed", printed: true}, {name: "creates_subagent", printed: false}}},
	{name: "audit", inner: []member{
		{name: "log_invocation", printed: true}, {name: "log_inputs", printed: false}, {name: "log_outputs", printed: false},
	}},
	{name: "status", inner: []member{
		{name: "enabled", printed: true}, {name: "mutable", printed: true}, {name: "signed", printed: false},
	}},
}

// DescriptorIn returns the descriptor in an answer: the answer itself, or its only member with a capability_id. It
// returns nil if there is none.
func DescriptorIn(answer any) Object {
	members, _ := answer.(Object)
	if Text(members, "capability_id") != "" {
		return members
	}
	var found Object
	for _, value := range members {
		if inner, is := value.(Object); is && Text(inner, "capability_id") != "" {
			if found != nil {
				return nil
			}
			found = inner
		}
	}
	return found
}

// Same reports whether two readings of a descriptor agree. The order of the names in a list does not count.
func Same(a, b Object) bool {
	if len(OfText(a)) == 0 || len(OfText(b)) == 0 {
		return false
	}
	a, b = Filled(a), Filled(b)
	return HoldsAll(a, b) && HoldsAll(b, a)
}

// Keeps reports whether a descriptor was stored as it was requested. A member with the default value may be absent.
func Keeps(kept, given Object) bool { return kept != nil && keepsNamed(kept, given, descriptorMembers) }

// keepsNamed returns HoldsAll(Filled(kept), OfText(given)) without making these objects.
func keepsNamed(kept, given Object, members []member) bool {
	for _, m := range members {
		if m.inner == nil {
			value := given[m.name]
			if value != nil && !HoldsAll(m.filledIn(kept), value) {
				return false
			}
			continue
		}
		of, _ := given[m.name].(Object)
		if !hasNamed(of, m.inner, false) {
			continue
		}
		if in, _ := kept[m.name].(Object); !keepsNamed(in, of, m.inner) {
			return false
		}
	}
	return true
}

// hasNamed reports whether named returns at least one member.
func hasNamed(of Object, members []member, filled bool) bool {
	return slices.ContainsFunc(members, func(m member) bool {
		if m.inner != nil {
			inner, _ := of[m.name].(Object)
			return hasNamed(inner, m.inner, filled)
		}
		return filled && m.printed != nil || of[m.name] != nil
	})
}

// HoldsAll reports whether every requested value was stored. Defaults and additional members may be present, and
// empty lists and objects may be absent.
func HoldsAll(kept, given any) bool {
	switch given := given.(type) {
	case Object:
		members, is := kept.(Object)
		if !is && kept != nil {
			return false
		}
		for name, value := range given {
			if !HoldsAll(members[name], value) {
				return false
			}
		}
		return true
	case []any:
		list, is := kept.([]any)
		if !is {
			return len(given) == 0 && kept == nil
		}
		if sameTexts(list, given) {
			return true
		}
		if all := jsonvalue.Texts(given); len(all) == len(given) {
			return slices.Equal(slices.Sorted(slices.Values(all)), slices.Sorted(slices.Values(jsonvalue.Texts(list))))
		}
		return jsonvalue.Equal(list, given)
	default:
		return given == nil || jsonvalue.Equal(kept, given)
	}
}

// sameTexts reports whether two lists have the same strings in the same order, and nothing else.
func sameTexts(a, b []any) bool {
	return slices.EqualFunc(a, b, func(x, y any) bool {
		text, is := x.(string)
		other, isToo := y.(string)
		return is && isToo && text == other
	})
}

// Set sets the value at a path and creates the objects that are missing.
func Set(of Object, path string, value any) {
	head, rest, further := strings.Cut(path, ".")
	if !further {
		of[head] = value
		return
	}
	inner, is := of[head].(Object)
	if !is {
		inner = Object{}
		of[head] = inner
	}
	Set(inner, rest, value)
}

// Folded returns an input schema that also requires the names in inputs.required.
func Folded(schema any, demanded []string) any {
	if len(demanded) == 0 {
		return schema
	}
	members, is := schema.(Object)
	if !is {
		members = Object{"type": "object"}
	}
	all := []any{}
	both := append(jsonvalue.Texts(members["required"]), demanded...)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(both))) {
		all = append(all, name)
	}
	made := Object{}
	for name, value := range members {
		made[name] = value
	}
	made["required"] = all
	return made
}
