package acpdocument

import (
	"errors"
	"fmt"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// Dialect is the JSON Schema dialect of state schemas.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// schemaLimits returns the limits of the text of a state schema: 1 MiB and 100,000 values.
func schemaLimits() document.Limits { return document.Limits{Size: 1 << 20, Values: 100_000} }

// schemaSection judges the section schema.
type schemaSection struct{ *manifest }

func (m schemaSection) judge() {
	n := m.root.Get("schema")
	switch {
	case n.Absent():
		m.breach(IDSchema, memberOr(m.root, "schema"), "schema is %s%s", describeAbsence(n),
			lint.Misspelt(m.root, "schema", sections))
		m.leaveDependents(partSchema)
		return
	case !n.Is(document.String):
		m.breach(IDSchema, n, "schema is %s; want a string with a JSON Schema, as a block after schema: |", n.Kind)
		m.leaveDependents(partSchema)
		return
	}
	m.AddKind(kindSchemas)
	if n.Style != document.Literal && m.root.Member("schema").Column == 1 {
		m.notice(IDSchema, n, "schema is not a block: the text writes it as schema: |")
	}
	root, err := m.file.Nested(n, schemaLimits())
	if err != nil {
		m.reportUnreadable(err)
		m.leaveDependents(partSchema)
		return
	}
	if !root.Is(document.Object) {
		m.breach(IDDialect, root, "the schema is %s; want an object", lint.Described(root))
		m.leaveDependents(partSchema)
		return
	}
	m.schema = &schemaText{root: root, value: compilableSchema(root)}
	m.judgeSchemaURI()
	m.judgeDialect()
	annotated(m).judge()
}

func (m schemaSection) reportUnreadable(err error) {
	var refused *document.Error
	if !errors.As(err, &refused) {
		m.LeaveOpen(IDDialect, "%v", err)
		return
	}
	place := &document.Node{Line: refused.Line, Column: refused.Column}
	if refused.Kind == document.Limit {
		m.Limit(IDDialect, "the schema at %s:%d:%d cannot be judged: %s", m.file.Path, refused.Line,
			refused.Column, refused.Message)
		return
	}
	m.breach(IDDialect, place, "the schema cannot be read: %s", refused.Message)
}

// judgeSchemaURI judges $id by the rules of ACP.
func (m schemaSection) judgeSchemaURI() {
	id := m.schema.root.Get("$id")
	if _, err := identifier.ParseSchema(id.Str()); err != nil {
		m.leaveDependents(partURI)
	}
	switch {
	case id.Absent():
		m.breach(IDSchemaURI, memberOr(m.schema.root, "$id"), "the $id of the schema is %s%s", describeAbsence(id),
			lint.Misspelt(m.schema.root, "$id", nil))
		return
	case !id.Is(document.String):
		m.breach(IDSchemaURI, id, "the $id of the schema is %s; want a schema URI", lint.Described(id))
		return
	}
	uri, err := identifier.ParseSchema(id.Text)
	var defect *identifier.Defect
	if errors.As(err, &defect) {
		m.breach(IDSchemaURI, id, "the $id %s is not a schema URI: %s%s", jsonvalue.Print(id.Text),
			defect.Problem, suggestion(defect.Suggestion))
		return
	}
	m.schema.uri = uri
	if strings.Contains(id.Text, "#") {
		m.noteFragment()
	}
	switch {
	case strings.TrimSuffix(id.Text, "#") == uri.Base:
		m.breach(IDUsualSchema, id, "the $id %s has no version after #%s", jsonvalue.Print(id.Text),
			suggestion(uri.Suggestion))
	case uri.Namespace == "":
		m.breach(IDUsualSchema, id,
			"the $id %s does not have a usual form, such as did:nuwa:state:NAME#v1", jsonvalue.Print(id.Text))
	case uri.Namespace == "core":
		m.breach(IDUsualSchema, id,
			"the $id %s is in the namespace core, which belongs to the platform", jsonvalue.Print(id.Text))
	case uri.Version == nil:
		m.breach(IDUsualSchema, id, "the version of the $id %s is not v1, 1 or 1.2.3", jsonvalue.Print(id.Text))
	}
	if name := uri.Owner; m.hasID && name != "" && name != m.id.Name {
		m.breach(IDSameName, id, "the $id names %s, and the capability is %s", jsonvalue.Print(name),
			jsonvalue.Print(m.id.Name))
	}
}

// judgeDialect compiles the schema, from whose copy the $id was removed.
func (m schemaSection) judgeDialect() {
	if declared := m.schema.root.Get("$schema"); !declared.Absent() && declared.Text != Dialect &&
		declared.Text != Dialect+"#" {
		m.breach(IDDialect, declared, "$schema is %s; want %s, or nothing", lint.Described(declared),
			jsonvalue.Print(Dialect))
		return
	}
	_, err := schemas.CompileValue(m.schema.value, schemas.Options{})
	var invalid *schemas.InvalidSchema
	var open *schemas.Undecidable
	switch {
	case err == nil:
		m.schema.compiles = true
	case errors.As(err, &invalid):
		m.InvalidSchema(IDDialect, m.file.Path, "the schema is", m.schema.root, invalid)
	case errors.As(err, &open):
		place := fmt.Sprintf("the schema at %s:%d:%d", m.file.Path, m.schema.root.Line, m.schema.root.Column)
		m.Undecided(IDDialect, place, open)
		m.warn(IDDialect, m.schema.root, "the schema cannot be judged: %s", open.Message)
	}
}

// compilableSchema returns the value of a schema in the form for a compiler: with the Dialect, without
// the $id of the root, and with other $ids without their fragment. References to the schema by its own
// $id point to the root.
func compilableSchema(root *document.Node) map[string]any {
	value, ok := root.Value().(map[string]any)
	if !ok {
		return map[string]any{}
	}
	own, _ := value["$id"].(string)
	bare, _, _ := strings.Cut(own, "#")
	rewriteReferences(value, own, bare)
	delete(value, "$id")
	value["$schema"] = Dialect
	return value
}

func rewriteReferences(v any, own, bare string) {
	switch v := v.(type) {
	case map[string]any:
		if id, ok := v["$id"].(string); ok {
			v["$id"], _, _ = strings.Cut(id, "#")
			if v["$id"] == "" {
				delete(v, "$id")
			}
		}
		switch ref, _ := v["$ref"].(string); {
		case bare == "":
		case ref == own, ref == bare:
			v["$ref"] = "#"
		case strings.HasPrefix(ref, bare+"#/"):
			v["$ref"] = ref[len(bare):]
		}
		for _, member := range v {
			rewriteReferences(member, own, bare)
		}
	case []any:
		for _, item := range v {
			rewriteReferences(item, own, bare)
		}
	}
}
