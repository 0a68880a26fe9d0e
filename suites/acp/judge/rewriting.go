package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// rewriting compares the parameters of a tool with what a model receives of them.
// Model services want other forms of a schema, so that much may change on the way:
// members may be added and comments left out, and a reference to #/schema may be
// resolved, moved, or left as it is.
type rewriting struct {
	schema any // of the package
	root   any // of the parameters that are shown
}

// ofNoWeight are keywords that say nothing about what is valid, or that services
// commonly refuse. A description tells the model what a parameter is for.
var ofNoWeight = []string{"$schema", "$id", "title", "default", "examples", "format", "$comment"}

// schemasByName are the keywords whose members have names of the author's choice: none of them is a keyword.
var schemasByName = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}

// deepest bounds how far references are followed.
const deepest = 32

// lost names what of a schema is not shown, "" if all of it is.
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
		if list, isList := got.([]any); isList { // a type that may be null as well
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

// member compares a keyword of a schema with what is shown of it.
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

// missingItem compares lists as sets: required, enum and type have no order. One
// type may stand there without its list, or with null beside it.
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

// at resolves a reference within the parameters.
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
