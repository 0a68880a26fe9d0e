package judge

import (
	"slices"

	"github.com/capconform/capconform/suites/chp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// A version identifies the contract of an action (CHP 13). The two answers that describe a capability may
// differ in everything else, for example in the words or the language of a description, and one of them may
// omit optional members or parts of a schema. They contradict each other if both make a statement about the
// contract and only one of them can be right.

// contradiction is a member of a capability that two answers state differently.
type contradiction struct {
	pair, member string
	host, list   any // the value in the host descriptor and in discovery
}

// contradictions returns the members of the contract in which every host descriptor contradicts every
// answer of discovery.
func (j *evidence) contradictions(hosts, lists []history.Listing) []contradiction {
	var all []contradiction
	for _, pair := range pairsInAll(hosts) {
		for _, member := range []string{"modes", "emits", "risk", "input_schema", "output_schema"} {
			c := contradiction{pair, member, hosts[0][pair][member], nil}
			contradicted := len(lists) > 0
			for _, list := range lists {
				c.list = list[pair][member]
				contradicted = contradicted && !slices.ContainsFunc(hosts, func(host history.Listing) bool {
					return !j.contradict(member, host[pair][member], c.list)
				})
			}
			if contradicted {
				all = append(all, c)
			}
		}
	}
	return all
}

// contradict reports whether two valid values of a member cannot both be right.
func (j *evidence) contradict(name string, a, b any) bool {
	p := member(j.Forms.Descriptor, name)
	if a == nil || b == nil || jsonvalue.Equal(a, b) || !p.Fits(a) || !p.Fits(b) {
		return false // the requirement on the member judges an invalid value
	}
	switch name {
	case "modes":
		sync := member(j.Forms.Descriptor, "sync") // CHP-3-05
		return sync.Fits(a) && sync.Fits(b) && !sameItems(a.([]any), b.([]any))
	case "emits": // what else a capability emits is not stated
		return !containsAll(a.([]any), b.([]any)) && !containsAll(b.([]any), a.([]any))
	case "risk":
		return true
	}
	one, isObject := a.(history.Object)
	other, isToo := b.(history.Object)
	return isObject && isToo && j.compiles(one) && j.compiles(other) && schemasContradict(one, other, false)
}

func (j *evidence) compiles(schema history.Object) bool {
	_, err := j.Cache.Template(schema)
	return err == nil
}

// annotations are the keywords of a JSON Schema that constrain nothing. named are those whose value contains
// schemas by names that the author chose.
var (
	annotations = []string{"$schema", "$id", "id", "$comment", "title", "description", "default", "example", "examples",
		"deprecated", "readOnly", "writeOnly", "format"}
	named = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)

// schemasContradict reports whether two schemas, or two parts of them, state the same keyword differently. A
// keyword that only one of them states is no contradiction. The parameter byName reports whether the parts
// contain schemas by name.
func schemasContradict(a, b any, byName bool) bool {
	switch a := a.(type) {
	case history.Object:
		other, _ := b.(history.Object)
		for name, v := range a {
			w, stated := other[name]
			if stated && (byName || !slices.Contains(annotations, name)) &&
				schemasContradict(v, w, !byName && slices.Contains(named, name)) {
				return true
			}
		}
		return false
	case []any:
		other, isList := b.([]any)
		return isList && listsContradict(a, other)
	}
	switch b.(type) {
	case history.Object, []any:
		return false
	}
	return !jsonvalue.Equal(a, b)
}

// listsContradict compares lists of names or values as sets, and lists of schemas one by one.
func listsContradict(a, b []any) bool {
	if plain(a) && plain(b) {
		return !sameItems(a, b)
	}
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if schemasContradict(a[i], b[i], false) {
			return true
		}
	}
	return false
}

// plain reports whether a list contains neither lists nor objects.
func plain(list []any) bool {
	return !slices.ContainsFunc(list, func(item any) bool {
		switch item.(type) {
		case history.Object, []any:
			return true
		}
		return false
	})
}

func sameItems(a, b []any) bool { return containsAll(a, b) && containsAll(b, a) }

// containsAll reports whether a list contains each item of another one.
func containsAll(list, items []any) bool {
	return !slices.ContainsFunc(items, func(item any) bool {
		return !slices.ContainsFunc(list, func(other any) bool { return jsonvalue.Equal(item, other) })
	})
}
