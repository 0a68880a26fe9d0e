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
		m.listed = true
		return
	}
	m.Hold(heldTools)
	if !n.Is(document.Array) {
		m.breach(IDTools, n, "tools is %s; want a list", lint.Described(n))
		m.hidden(partTools)
		return
	}
	m.listed = true
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
				jsonvalue.Print(t.name), nearest(t.name, verbs()))
		}
		if i < mostCompiled {
			m.judgeParameters(t)
		} else if i == mostCompiled {
			m.Limit(IDParameters, "of the tools of %s only the first %d are compiled", m.file.Path, mostCompiled)
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
		m.breach(IDTools, at(item, "type"), "a tool's type is %s; want function%s", absence(kind),
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
		m.breach(IDTools, at(item, "function"), "a tool's function is %s%s", absence(f), hint)
		return tool{}
	case !f.Is(document.Object):
		m.breach(IDTools, f, "a tool's function is %s; want an object", lint.Described(f))
		return tool{}
	}
	t := tool{name: f.Get("name").Str(), function: f}
	switch name := f.Get("name"); {
	case name.Absent():
		m.breach(IDTools, at(f, "name"), "a function's name is %s%s", absence(name), lint.Misspelt(f, "name", nil))
	case t.name == "":
		m.breach(IDTools, name, "a function's name is %s; want a non-empty string", lint.Described(name))
	}
	if about := f.Get("description"); !about.Absent() && !about.Is(document.String) {
		m.breach(IDTools, about, "a function's description is %s; want a string", lint.Described(about))
	}
	return t
}

// ownSchema is the reference to the schema section, as the text prints it.
const ownSchema = "#/schema"

// sectionURL replaces ownSchema in parameters that are compiled.
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
		m.breach(IDParameters, at(n, "type"), "the parameters of %s have no type; want object%s", jsonvalue.Print(t.name),
			lint.Misspelt(n, "type", nil))
		return
	}
	_, err := schemas.CompileValue(m.parameters(n), schemas.Options{})
	var invalid *schemas.InvalidSchema
	var open *schemas.Undecidable
	switch {
	case errors.As(err, &invalid):
		m.InvalidSchema(IDParameters, m.file.Path, "the parameters of "+jsonvalue.Print(t.name)+" are", n, invalid)
	case errors.As(err, &open) && open.Reason == schemas.ReasonReference:
		m.breach(IDParameters, foreign(n),
			"a reference leads out of the parameters; only %s can be resolved there", ownSchema)
	case errors.As(err, &open):
		m.Undecided(IDParameters, fmt.Sprintf("the parameters at %s:%d:%d", m.file.Path, n.Line, n.Column), open)
	}
}

// parameters returns the parameters in the form for a compiler. References to the schema section resolve
// to it if it is valid; a defect of the section is reported only there.
func (m toolSection) parameters(n *document.Node) any {
	value, ok := n.Value().(map[string]any)
	if !ok || !resolve(value) {
		return value
	}
	section := map[string]any{}
	if m.schema != nil && m.schema.sound {
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

// resolve replaces the references to the schema section, and reports whether there are any.
func resolve(v any) bool {
	found := false
	switch v := v.(type) {
	case map[string]any:
		if v["$ref"] == ownSchema {
			v["$ref"], found = sectionURL, true
		}
		for _, member := range v {
			found = resolve(member) || found
		}
	case []any:
		for _, item := range v {
			found = resolve(item) || found
		}
	}
	return found
}

// foreign returns the first reference that points outside a document, or the document if there is none.
func foreign(root *document.Node) *document.Node {
	place := root
	lint.References(root, func(ref *document.Node) {
		if place == root && !strings.HasPrefix(ref.Text, "#") {
			place = ref
		}
	})
	return place
}

// judgeFixedURI compares the values to which a state tool restricts schema_uri with the $id.
func (m toolSection) judgeFixedURI(t tool) {
	if !strings.HasPrefix(t.name, statePrefix) || m.schema == nil || m.schema.uri.Text == "" {
		return
	}
	fixing := fixing{parameters: t.function.Get("parameters"), steps: mostSteps}
	fixed := fixing.values(fixing.parameters.Get("properties", "schema_uri"))
	if len(fixed) == 0 || slices.ContainsFunc(fixed, func(v *document.Node) bool { return v.Str() == m.schema.uri.Text }) {
		return
	}
	m.breach(IDFixedURI, fixed[0], "%s fixes schema_uri to %s; the $id of the schema is %s", t.name,
		lint.Described(fixed[0]), jsonvalue.Print(m.schema.uri.Text))
}

// mostSteps limits how many schemas are followed, because references may form a cycle.
const mostSteps = 100

// fixing finds the values to which the parameters of a tool restrict a member.
type fixing struct {
	parameters *document.Node
	steps      int // the number of schemas that may still be followed
}

// values returns the values to which a schema restricts a member: by const, by enum, by a reference
// within the parameters, or by alternatives that all restrict it. It returns none if the schema allows
// other values.
func (f *fixing) values(n *document.Node) []*document.Node {
	f.steps--
	if f.steps < 0 || !n.Is(document.Object) {
		return nil
	}
	if value := n.Get("const"); value != nil {
		return []*document.Node{value}
	}
	if list := n.Get("enum"); list.Is(document.Array) {
		return list.Items
	}
	if path, within := strings.CutPrefix(n.Get("$ref").Str(), "#/"); within && !strings.ContainsAny(path, "~%") {
		return f.values(f.parameters.Get(strings.Split(path, "/")...))
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if list := n.Get(keyword); list.Is(document.Array) {
			return f.ofAll(list.Items)
		}
	}
	return nil
}

// ofAll returns the values of all alternatives, none if one of them does not restrict the member.
func (f *fixing) ofAll(alternatives []*document.Node) []*document.Node {
	var all []*document.Node
	for _, item := range alternatives {
		fixed := f.values(item)
		if len(fixed) == 0 {
			return nil
		}
		all = append(all, fixed...)
	}
	return all
}
