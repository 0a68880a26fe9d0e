package acpdocument

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// toolName matches the names of functions that OpenAI accepts, and also names with a dot, such as
// state.create.
var toolName = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// toolSection judges the section tools.
type toolSection struct{ *manifest }

func (m toolSection) judge() {
	n := m.root.Get("tools")
	if n.Absent() {
		m.toolsKnown = true
		return
	}
	m.AddKind(kindTools)
	if !n.Is(document.Array) {
		m.breach(IDTools, n, "tools is %s; want a list", lint.Described(n))
		m.leaveDependents(partTools)
		return
	}
	m.toolsKnown = true
	first := map[string]*document.Node{}
	for i, item := range n.Items {
		t := m.readTool(item)
		m.tools = append(m.tools, t)
		if t.name == "" {
			continue
		}
		name := t.function.Get("name")
		if before := first[t.name]; before != nil {
			m.breach(IDToolTwice, name, "there is another tool %s at %d:%d", jsonvalue.Print(t.name), before.Line, before.Column)
		} else {
			first[t.name] = name
		}
		if !toolName.MatchString(t.name) {
			m.breach(IDToolName, name,
				"the name %s contains characters other than letters, digits, hyphen, underscore and dot, or is longer than 64%s",
				jsonvalue.Print(t.name), suggestNearest(t.name, verbs()))
		}
		if i < maxCompiled {
			m.judgeParameters(t)
		} else if i == maxCompiled {
			m.Limit(IDParameters, "of the tools of %s only the first %d are compiled", m.file.Path, maxCompiled)
		}
		m.judgeFixedURI(t)
	}
}

// readTool judges the form of an entry of tools and returns the tool.
func (m toolSection) readTool(item *document.Node) tool {
	if !item.Is(document.Object) {
		m.breach(IDTools, item, "a tool is %s; want {type: function, function: {...}}", lint.Described(item))
		return tool{}
	}
	switch kind := item.Get("type"); {
	case kind.Absent():
		m.breach(IDTools, memberOr(item, "type"), "a tool's type is %s; want function%s", describeAbsence(kind),
			lint.Misspelt(item, "type", nil))
	case kind.Str() != "function":
		m.breach(IDTools, kind, "a tool's type is %s; want function", lint.Described(kind))
	}
	f := item.Get("function")
	switch {
	case f.Absent():
		hint := lint.Misspelt(item, "function", nil)
		if item.Has("name") {
			hint = "; name, description and parameters belong in function"
		}
		m.breach(IDTools, memberOr(item, "function"), "a tool's function is %s%s", describeAbsence(f), hint)
		return tool{}
	case !f.Is(document.Object):
		m.breach(IDTools, f, "a tool's function is %s; want an object", lint.Described(f))
		return tool{}
	}
	t := tool{name: f.Get("name").Str(), function: f}
	switch name := f.Get("name"); {
	case name.Absent():
		m.breach(IDTools, memberOr(f, "name"), "a function's name is %s%s", describeAbsence(name),
			lint.Misspelt(f, "name", nil))
	case t.name == "":
		m.breach(IDTools, name, "a function's name is %s; want a non-empty string", lint.Described(name))
	}
	if about := f.Get("description"); !about.Absent() && !about.Is(document.String) {
		m.breach(IDTools, about, "a function's description is %s; want a string", lint.Described(about))
	}
	return t
}

// schemaReference is the reference to the schema section, as the text prints it.
const schemaReference = "#/schema"

// sectionURL replaces schemaReference in parameters that are compiled.
const sectionURL = "https://schema.invalid/section"

// judgeParameters judges the parameters of a tool.
func (m toolSection) judgeParameters(t tool) {
	n := t.function.Get("parameters")
	if n.Absent() {
		return
	}
	if !n.Is(document.Object) {
		m.breach(IDParameters, n, "the parameters of %s are %s; want a JSON Schema of type object",
			jsonvalue.Print(t.name), lint.Described(n))
		return
	}
	switch kind := n.Get("type"); {
	case !kind.Absent():
		if types := typesOf(n); !slices.Equal(types, []string{"object"}) {
			m.breach(IDParameters, kind, "the parameters of %s have the type %s; want object",
				jsonvalue.Print(t.name), lint.Described(kind))
			return
		}
	case n.Has("$ref"): // the referenced schema may contain the type
	default:
		m.breach(IDParameters, memberOr(n, "type"), "the parameters of %s have no type; want object%s",
			jsonvalue.Print(t.name),
			lint.Misspelt(n, "type", nil))
		return
	}
	_, err := schemas.CompileValue(m.compilableParameters(n), schemas.Options{})
	var invalid *schemas.InvalidSchema
	var open *schemas.Undecidable
	switch {
	case errors.As(err, &invalid):
		m.invalidParameters(t, n, invalid)
	case errors.As(err, &open) && open.Reason == schemas.ReasonReference:
		m.breach(IDParameters, foreignReference(n),
			"a reference leads out of the parameters; only %s can be resolved there", schemaReference)
	case errors.As(err, &open):
		m.Undecided(IDParameters, fmt.Sprintf("the parameters at %s:%d:%d", m.file.Path, n.Line, n.Column), open)
	}
}

// compilableParameters returns the parameters in the form for a compiler. References to the schema
// section resolve to it if it is valid; a defect of the section is reported only there.
func (m toolSection) compilableParameters(n *document.Node) any {
	value, ok := n.Value().(map[string]any)
	known := m.schema != nil && m.schema.compiles
	if !ok || !replaceSchemaReferences(value, known, m.schemaURIs()) {
		return value
	}
	section := map[string]any{}
	if known {
		for name, member := range m.schema.value {
			section[name] = member
		}
	}
	section["$id"] = sectionURL
	definitions := map[string]any{"acp section": section}
	if own, ok := value["$defs"].(map[string]any); ok {
		for name, definition := range own {
			definitions[name] = definition
		}
	}
	value["$defs"] = definitions
	return value
}

// schemaURIs returns the $id of the schema section with its version and without; none if it is not known.
func (m toolSection) schemaURIs() []string {
	if m.schema == nil || m.schema.uri.Text == "" {
		return nil
	}
	return []string{m.schema.uri.Text, m.schema.uri.Base}
}

// replaceSchemaReferences redirects the references to the schema section, by one of its URIs or by
// #/schema, and to its parts, and reports whether there are any. If the section is not known, a
// reference to a part leads to the whole section.
func replaceSchemaReferences(v any, known bool, uris []string) bool {
	found := false
	switch v := v.(type) {
	case map[string]any:
		ref, _ := v["$ref"].(string)
		if slices.Contains(uris, ref) {
			ref = schemaReference
		}
		if part, within := strings.CutPrefix(ref, schemaReference); within && (part == "" || part[0] == '/') {
			v["$ref"], found = sectionURL, true
			if known && part != "" {
				v["$ref"] = sectionURL + "#" + part
			}
		}
		for _, member := range v {
			found = replaceSchemaReferences(member, known, uris) || found
		}
	case []any:
		for _, item := range v {
			found = replaceSchemaReferences(item, known, uris) || found
		}
	}
	return found
}

// invalidParameters reports what is wrong with parameters that do not compile.
func (m toolSection) invalidParameters(t tool, n *document.Node, invalid *schemas.InvalidSchema) {
	if ref := m.dangling(n); len(invalid.Causes) == 0 && ref != nil {
		m.breach(IDParameters, ref, "the parameters of %s are no JSON Schema: the reference %s leads nowhere",
			jsonvalue.Print(t.name), jsonvalue.Print(ref.Text))
		return
	}
	m.InvalidSchema(IDParameters, m.file.Path, "the parameters of "+jsonvalue.Print(t.name)+" are", n, invalid)
}

// dangling returns the first reference by a pointer that leads neither into the parameters nor into the schema
// section; nil if there is none.
func (m toolSection) dangling(n *document.Node) *document.Node {
	var found *document.Node
	lint.References(n, func(ref *document.Node) {
		root, pointer := n, strings.TrimPrefix(ref.Text, "#")
		if part, within := strings.CutPrefix(ref.Text, schemaReference); within && m.schema != nil {
			root, pointer = m.schema.root, part
		}
		if found == nil && strings.HasPrefix(ref.Text, "#/") && !leads(root, pointer) {
			found = ref
		}
	})
	return found
}

// leads reports whether a JSON Pointer leads to a value.
func leads(root *document.Node, pointer string) bool {
	if pointer == "" {
		return true
	}
	above := pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
	return leads(root, above) && root.At(pointer) != root.At(above)
}

// foreignReference returns the first reference that leads out of a document, or the document.
func foreignReference(root *document.Node) *document.Node {
	place := root
	lint.References(root, func(ref *document.Node) {
		if place == root && !strings.HasPrefix(ref.Text, "#") {
			place = ref
		}
	})
	return place
}
