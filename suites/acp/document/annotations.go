package acpdocument

import (
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// annotations is the harness's schema of the members that the state model adds to JSON Schema.
const annotations = "acp/annotations.schema.json"

// annotated judges x-crdt and x-asm in the schema.
type annotated struct{ *manifest }

// judge judges x-crdt and x-asm.
func (m annotated) judge() {
	err := m.vocabulary.Validate(m.schema.root.Value())
	var broken *schemas.Invalidity
	switch {
	case errors.As(err, &broken):
		for _, cause := range broken.Causes {
			m.reportInvalid(cause)
		}
	case err != nil:
		for _, id := range []string{IDCRDT, IDASM} {
			m.LeaveOpen(id, "the schema at %s:%d:%d cannot be judged: %v", m.file.Path, m.schema.root.Line,
				m.schema.root.Column, err)
		}
	}
	subschemas(m.schema.root, m.judgeStrategy)
}

// reportInvalid reports one breach of the vocabulary.
func (m annotated) reportInvalid(cause schemas.Cause) {
	place := m.schema.root.At(cause.InstancePointer)
	if strings.Contains(cause.SchemaPointer, "/$defs/strategy") {
		m.breach(IDCRDT, place, "x-crdt is %s; want one of %s%s", lint.Described(place), strings.Join(strategies(), ", "),
			suggestNearest(place.Str(), strategies()))
		return
	}
	name := cause.InstancePointer[strings.LastIndexByte(cause.InstancePointer, '/')+1:]
	message := cause.Message
	if strings.HasSuffix(cause.SchemaPointer, "/pattern") {
		message = "must be an ISO 8601 duration, such as P30D or PT12H"
	}
	m.breach(IDASM, place, "%s is %s: %s", name, lint.Described(place), message)
}

// strategyTypes lists the strategies with the types for which they may be used; nil stands for all
// types.
var strategyTypes = []struct {
	strategy string
	types    []string
}{
	{"lww_register", nil}, {"mv_register", nil}, {"rga_text", []string{"string"}}, {"grow_only_set", []string{"array"}},
	{"or_map", []string{"object"}},
	{"counter", []string{"number", "integer"}}, {"flag", []string{"boolean"}}, {"log_rga", []string{"array"}},
}

func strategies() []string {
	var all []string
	for _, f := range strategyTypes {
		all = append(all, f.strategy)
	}
	return all
}

// judgeStrategy compares the strategy of a member with its type.
func (m annotated) judgeStrategy(n *document.Node) {
	strategy := n.Get("x-crdt")
	types := typesOf(n)
	for _, f := range strategyTypes {
		if f.strategy != strategy.Str() || f.types == nil || len(types) == 0 || !areTypes(types) {
			continue
		}
		if !slices.ContainsFunc(types, func(t string) bool { return slices.Contains(f.types, t) }) {
			m.breach(IDCRDTType, strategy, "%s is for %s, and the type is %s", f.strategy,
				strings.Join(f.types, " and "), jsonvalue.Print(types))
		}
	}
}

// areTypes reports whether all types are types of JSON Schema. Other words are reported elsewhere.
func areTypes(types []string) bool {
	return !slices.ContainsFunc(types, func(t string) bool {
		return !slices.Contains([]string{"string", "number", "integer", "boolean", "array", "object", "null"}, t)
	})
}

// The keywords whose value is a schema, a list of schemas, or a map of schemas.
var (
	schemaKeywords = []string{"additionalProperties", "propertyNames", "unevaluatedProperties", "items", "contains",
		"unevaluatedItems", "contentSchema", "not", "if", "then", "else"}
	listKeywords = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	mapKeywords  = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions",
		"dependencies"}
)

// subschemas visits a schema and all schemas in it. A property with the name of a keyword is not a
// keyword.
func subschemas(n *document.Node, visit func(*document.Node)) {
	if !n.Is(document.Object) {
		return
	}
	visit(n)
	for i := range n.Members {
		switch m := &n.Members[i]; {
		case slices.Contains(schemaKeywords, m.Name):
			subschemas(m.Value, visit)
		case slices.Contains(listKeywords, m.Name):
			for _, item := range m.Value.Items {
				subschemas(item, visit)
			}
		case slices.Contains(mapKeywords, m.Name):
			for j := range m.Value.Members {
				subschemas(m.Value.Members[j].Value, visit)
			}
		}
	}
}
