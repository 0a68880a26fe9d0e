package schemas

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// relocate corrects the places of propertyNames. The library (v6.0.3) keeps the path of that
// keyword in a slice that later members overwrite, so the pointer may be that of a sibling; its
// depth and the name of the member are correct. If several objects of that depth have such a
// member, each is used once, the one whose path is most similar to that of the schema first.
func relocate(raw []rawCause, value any) {
	budget := causeLimit
	used := map[string]bool{}
	var mend func(raw []rawCause)
	mend = func(raw []rawCause) {
		for i := range raw {
			mend(raw[i].within)
			broken, ok := raw[i].kind.(*kind.PropertyNames)
			if !ok || budget == 0 {
				continue
			}
			budget--
			depth := strings.Count(raw[i].InstancePointer, "/")
			places := objectsWith(value, nil, depth, broken.Property)
			slices.SortFunc(places, func(a, b string) int {
				return cmp.Or(commonNames(b, raw[i].SchemaPointer)-commonNames(a, raw[i].SchemaPointer), strings.Compare(a, b))
			})
			for _, place := range places {
				key := strings.Join([]string{place, broken.Property, raw[i].SchemaPointer}, "\n")
				if !used[key] {
					used[key] = true
					raw[i].InstancePointer = place
					break
				}
			}
		}
	}
	mend(raw)
}

// objectsWith finds the objects that are depth levels below v and have the member.
func objectsWith(v any, path []string, depth int, member string) []string {
	var found []string
	switch v := v.(type) {
	case map[string]any:
		if depth == 0 {
			if _, ok := v[member]; ok {
				return []string{Pointer(path)}
			}
			return nil
		}
		for name, below := range v {
			found = append(found, objectsWith(below, append(path, name), depth-1, member)...)
		}
	case []any:
		if depth == 0 {
			return nil
		}
		for i, below := range v {
			found = append(found, objectsWith(below, append(path, strconv.Itoa(i)), depth-1, member)...)
		}
	}
	return found
}

// commonNames counts the names in an instance pointer that the schema pointer contains too.
func commonNames(instance, schema string) int {
	n := 0
	tokens := strings.Split(schema, "/")
	for _, token := range strings.Split(instance, "/") {
		if token != "" && slices.Contains(tokens, token) {
			n++
		}
	}
	return n
}
