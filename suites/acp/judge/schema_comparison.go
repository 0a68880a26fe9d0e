package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// schemaComparison compares the parameters of a tool with those that a model receives. Model services
// require other forms of a schema, so a router may change it: it may add members, omit comments, and
// resolve, move or keep a reference to #/schema.
type schemaComparison struct {
	schema any // of the package
	root   any // the parameters that the model receives
}

// ignoredKeywords contains keywords that do not affect validity, or that services commonly refuse. It
// does not contain description, which tells the model what a parameter is for.
var ignoredKeywords = []string{"$schema", "$id", "title", "default", "examples", "format", "$comment"}

// schemaMapKeywords contains the keywords whose value maps names chosen by the author to schemas. These
// names are not keywords.
var schemaMapKeywords = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}

// maxDepth limits how many references and levels are followed.
const maxDepth = 32

// missingPart names the part of a schema that the model does not receive, "" if it receives all of it.
func (r schemaComparison) missingPart(want, got any) string {
	return r.missing("the schema", want, got, maxDepth)
}

func (r schemaComparison) missing(where string, want, got any, depth int) string {
	if depth == 0 {
		return ""
	}
	keywords, isObject := want.(history.Object)
	if !isObject {
		if list, isList := want.([]any); isList {
			return r.missingItem(where, list, got, depth)
		}
		if list, isList := got.([]any); isList { // the router may add null to a type
			return r.missingItem(where, []any{want}, list, depth)
		}
		if jsonvalue.Equal(want, got) {
			return ""
		}
		return where
	}
	received, _ := got.(history.Object)
	if ref, isReference := keywords["$ref"].(string); isReference {
		if received["$ref"] == ref {
			return ""
		}
		want, _ = r.schema.(history.Object)
		keywords, _ = want.(history.Object)
	}
	for range maxDepth {
		ref, isReference := received["$ref"].(string)
		if !isReference {
			break
		}
		resolved, found := r.resolve(ref).(history.Object)
		if !found {
			return where
		}
		received = resolved
	}
	if received == nil {
		return where
	}
	for name, inner := range keywords {
		if slices.Contains(ignoredKeywords, name) || strings.HasPrefix(name, "x-") {
			continue
		}
		what := fmt.Sprintf("%s of %s", name, where)
		if part := r.member(what, name, inner, received[name], depth-1); part != "" {
			return part
		}
	}
	return ""
}

// member compares the value of a keyword with the one that the model receives.
func (r schemaComparison) member(what, keyword string, want, got any, depth int) string {
	if text, isText := want.(string); isText && keyword == "description" {
		if received, _ := got.(string); !strings.Contains(normalizeSpace(received), normalizeSpace(text)) {
			return what
		}
		return ""
	}
	schemas, isObject := want.(history.Object)
	if !isObject || !slices.Contains(schemaMapKeywords, keyword) {
		return r.missing(what, want, got, depth)
	}
	received, _ := got.(history.Object)
	for name, inner := range schemas {
		if part := r.missing(fmt.Sprintf("%s of %s", name, what), inner, received[name], depth-1); part != "" {
			return part
		}
	}
	return ""
}

// missingItem compares lists as sets, because required, enum and type have no order. A single type may
// be written without a list, or with null added.
func (r schemaComparison) missingItem(where string, want []any, got any, depth int) string {
	list, isList := got.([]any)
	if !isList {
		list = []any{got}
	}
	for _, item := range want {
		if !slices.ContainsFunc(list, func(other any) bool { return r.missing("an item", item, other, depth-1) == "" }) {
			return where
		}
	}
	return ""
}

// resolve resolves a reference within the parameters, nil if it cannot.
func (r schemaComparison) resolve(ref string) any {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local {
		return nil
	}
	value := r.root
	for _, step := range strings.Split(strings.TrimPrefix(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		members, _ := value.(history.Object)
		value = members[strings.NewReplacer("~1", "/", "~0", "~").Replace(step)]
	}
	return value
}
