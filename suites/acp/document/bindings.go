package acpdocument

import (
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// BindingType is a type of binding that the text lists.
type BindingType struct {
	Name       string
	Parameters []Parameter
}

// Parameter is a required parameter of a type of binding.
type Parameter struct {
	Name, ID string // ID is the requirement
	form     *regexp.Regexp
	want     string
}

// The forms of parameters. A placeholder in braces is accepted everywhere.
var (
	addressForm = regexp.MustCompile(`^(?i:https?)://[^\s/?#:]\S*$|\{[^{}]+\}`)
	uriForm     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:\S+$|\{[^{}]+\}`)
	didForm     = regexp.MustCompile(`^did:[a-z0-9]+:\S+$|\{[^{}]+\}`)
	textForm    = regexp.MustCompile(`.`)
)

// BindingTypes returns the types that the text lists. Other types are permitted.
func BindingTypes() []BindingType { return bindingTypes }

var bindingTypes = []BindingType{
	{"http_get", []Parameter{{"url", "ACP-BIND-12", addressForm, "an absolute http or https address, or a template"}}},
	{"http_post", []Parameter{{"url", "ACP-BIND-13", addressForm, "an absolute http or https address, or a template"}}},
	{"nuwa_a2a",
		[]Parameter{{"target_did", "ACP-BIND-14", didForm, "a DID, or a placeholder in braces"},
			{"service_method", "ACP-BIND-15", textForm, "a string that is not empty"}}},
	{"mcp_service",
		[]Parameter{{"service_uri", "ACP-BIND-16", uriForm, "an absolute URI, or a placeholder in braces"},
			{"mcp_action", "ACP-BIND-17", textForm, "a string that is not empty"}}},
}

func bindingTypeNames() []string {
	var all []string
	for _, t := range bindingTypes {
		all = append(all, t.Name)
	}
	return all
}

// bindings judges the section tool_bindings.
type bindings struct{ *manifest }

func (m bindings) judge() {
	n := m.root.Get("tool_bindings")
	if n.Absent() {
		m.judgeUnbound(nil)
		return
	}
	m.AddKind(kindBindings)
	if !n.Is(document.Object) {
		m.breach(IDBindings, n, "tool_bindings is %s; want a mapping from the names of tools", lint.Described(n))
		m.leaveDependents(partBindings)
		return
	}
	m.judgeUnbound(n)
	tools := map[string]tool{}
	for _, t := range m.tools {
		tools[t.name] = t
	}
	for i := range n.Members {
		m.judgeBinding(&n.Members[i], tools)
	}
}

// judgeUnbound reports tools without a binding.
func (m bindings) judgeUnbound(bindings *document.Node) {
	bound := map[string]bool{}
	for _, name := range memberNames(bindings) {
		bound[name] = true
	}
	for _, t := range m.tools {
		if t.name != "" && !strings.HasPrefix(t.name, statePrefix) && !bound[t.name] {
			m.breach(IDUnbound, t.function.Get("name"),
				"the tool %s is not built in and has no entry in tool_bindings, so the runtime may be unable to execute it",
				jsonvalue.Print(t.name))
		}
	}
}

func (m bindings) judgeBinding(b *document.Member, tools map[string]tool) {
	key := lint.NameOf(b)
	of, bound := tools[b.Name]
	if m.toolsKnown && !bound {
		m.breach(IDBoundTool, key, "no tool is called %s%s", jsonvalue.Print(b.Name), suggestNearest(b.Name, m.toolNames()))
	}
	if slices.Contains(verbs(), b.Name) {
		m.breach(IDBoundState, key, "%s is built in, so the runtime never uses its binding", b.Name)
	}
	if !b.Value.Is(document.Object) {
		m.breach(IDBindingType, b.Value, "the binding of %s is %s; want an object with a type", jsonvalue.Print(b.Name),
			lint.Described(b.Value))
		return
	}
	kind := b.Value.Get("type")
	switch {
	case kind.Absent():
		m.breach(IDBindingType, memberOr(b.Value, "type"), "the type of the binding of %s is %s%s", jsonvalue.Print(b.Name),
			describeAbsence(kind), lint.Misspelt(b.Value, "type", nil))
		return
	case kind.Str() == "":
		m.breach(IDBindingType, kind, "the type of the binding of %s is %s; want a string",
			jsonvalue.Print(b.Name), lint.Described(kind))
		return
	}
	known := slices.IndexFunc(bindingTypeNames(), func(name string) bool { return name == kind.Text })
	if known < 0 {
		m.notice(IDBindingType, kind, "the text does not define the type of binding %s%s", jsonvalue.Print(kind.Text),
			suggestNearest(kind.Text, bindingTypeNames()))
	} else {
		m.judgeKnownBinding(b, bindingTypes[known].Parameters)
	}
	if bound {
		m.judgePlaceholders(b.Value, of)
	}
}

// toolNames returns the tools that a misspelt key is compared with. Their number is limited, because
// comparing many tools with many keys would take too long.
func (m bindings) toolNames() []string {
	const maxNames = 100
	var all []string
	for _, t := range m.tools[:min(maxNames, len(m.tools))] {
		if t.name != "" {
			all = append(all, t.name)
		}
	}
	return all
}

// judgeKnownBinding judges the parameters of a type that the text defines.
func (m bindings) judgeKnownBinding(b *document.Member, parameters []Parameter) {
	keys := []string{"type"}
	for _, p := range parameters {
		keys = append(keys, p.Name)
		switch value := b.Value.Get(p.Name); {
		case value.Absent():
			m.breach(p.ID, memberOr(b.Value, p.Name), "the binding of %s: %s is %s%s", jsonvalue.Print(b.Name), p.Name,
				describeAbsence(value),
				lint.Misspelt(b.Value, p.Name, []string{"type"}))
		case !value.Is(document.String) || !p.form.MatchString(value.Text):
			m.breach(p.ID, value, "the binding of %s: %s is %s; want %s", jsonvalue.Print(b.Name), p.Name,
				lint.Described(value), p.want)
		}
	}
	m.unknownKeys(b.Value, "in this type of binding", keys)
}

// placeholder matches a name in braces.
var placeholder = regexp.MustCompile(`\{([A-Za-z_][A-Za-z0-9_.-]*)\}`)

// judgePlaceholders compares the placeholders of a binding with the parameters of its tool, if they are
// known.
func (m bindings) judgePlaceholders(n *document.Node, t tool) {
	declared := t.function.Get("parameters", "properties")
	if t.function.Get("parameters").Has("$ref", "allOf", "anyOf", "oneOf") {
		return // the names may be defined there
	}
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, found := range placeholder.FindAllStringSubmatch(n.Str(), -1) {
			// A path begins with the name of a parameter.
			top, _, _ := strings.Cut(found[1], ".")
			if !declared.Has(found[1]) && !declared.Has(top) {
				m.breach(IDPlaceholder, n, "the placeholder {%s} names no parameter of %s%s", found[1], jsonvalue.Print(t.name),
					suggestNearest(found[1], memberNames(declared)))
			}
		}
		for _, item := range n.Items {
			walk(item)
		}
		for i := range n.Members {
			walk(n.Members[i].Value)
		}
	}
	walk(n)
}
