package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// rewriting compares the parameters of a tool with those that a model receives. Model services require
// other forms of a schema, so a router may change it: it may add members, omit comments, and resolve,
// move or keep a reference to #/schema.
type rewriting struct {
	schema any // of the package
	root   any // the parameters that the model receives
}

// ofNoWeight contains keywords that do not affect validity, or that services commonly refuse. It does
// not contain description, which tells the model what a parameter is for.
var ofNoWeight = []string{"$schema", "$id", "title", "default", "examples", "format", "$comment"}

// schemasByName contains the keywords whose value maps names chosen by the author to schemas. These
// names are not keywords.
var schemasByName = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}

// deepest limits how many references and levels are followed.
const deepest = 32

// lost names the part of a schema that the model does not receive, "" if it receives all of it.
func (r rewriting) lost(want, got any) string { return r.missing("the schema", want, got, deepest) }

func (r rewriting) missing(where string, want, got any, deep int) string {
	if deep == 0 {
		return ""
	}
	wanted, isObject := want.(history.Object)
	if !isObject {
		if list, isList := want.([]any); isList {
			return r.missingItem(where, list, got, deep)
		}
		if list, isList := got.([]any); isList { // the router may add null to a type
			return r.missingItem(where, []any{want}, list, deep)
		}
		if jsonvalue.Equal(want, got) {
			return ""
		}
		return where
	}
	shown, _ := got.(history.Object)
	if ref, refers := wanted["$ref"].(string); refers {
		if shown["$ref"] == ref {
			return ""
		}
		want, _ = r.schema.(history.Object)
		wanted, _ = want.(history.Object)
	}
	for range deepest {
		ref, refers := shown["$ref"].(string)
		if !refers {
			break
		}
		resolved, found := r.at(ref).(history.Object)
		if !found {
			return where
		}
		shown = resolved
	}
	if shown == nil {
		return where
	}
	for name, inner := range wanted {
		if slices.Contains(ofNoWeight, name) || strings.HasPrefix(name, "x-") {
			continue
		}
		what := fmt.Sprintf("%s of %s", name, where)
		if lost := r.member(what, name, inner, shown[name], deep-1); lost != "" {
			return lost
		}
	}
	return ""
}

// member compares the value of a keyword with the one that the model receives.
func (r rewriting) member(what, keyword string, want, got any, deep int) string {
	if text, isText := want.(string); isText && keyword == "description" {
		if shown, _ := got.(string); !strings.Contains(folded(shown), folded(text)) {
			return what
		}
		return ""
	}
	named, isObject := want.(history.Object)
	if !isObject || !slices.Contains(schemasByName, keyword) {
		return r.missing(what, want, got, deep)
	}
	shown, _ := got.(history.Object)
	for name, inner := range named {
		if lost := r.missing(fmt.Sprintf("%s of %s", name, what), inner, shown[name], deep-1); lost != "" {
			return lost
		}
	}
	return ""
}

// missingItem compares lists as sets, because required, enum and type have no order. A single type may
// be written without a list, or with null added.
func (r rewriting) missingItem(where string, want []any, got any, deep int) string {
	list, isList := got.([]any)
	if !isList {
		list = []any{got}
	}
	for _, item := range want {
		if !slices.ContainsFunc(list, func(other any) bool { return r.missing("an item", item, other, deep-1) == "" }) {
			return where
		}
	}
	return ""
}

// at resolves a reference within the parameters, nil if it cannot.
func (r rewriting) at(ref string) any {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	here := r.root
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		members, _ := here.(history.Object)
		here = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return here
}
