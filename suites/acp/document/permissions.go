package acpdocument

import (
	"slices"
	"strings"
	"unicode"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// permissions compares the tools with the declared permissions.
type permissions struct{ *manifest }

// judge compares the tools with the declared permissions.
func (m permissions) judge() {
	m.judgeVerbs()
	if m.meta == nil {
		return
	}
	declared, place, ok := m.declared()
	if !ok {
		m.leaveDependents(partPermissions)
		return
	}
	for _, d := range declarations {
		used := slices.ContainsFunc(m.tools, func(t tool) bool { return t.name == d.tool })
		switch {
		case !used && slices.Contains(declared, d.tool) && len(m.tools) > 0:
			m.notice(d.id, place, "the package declares %s, but has no tool of this name", d.tool)
		case !used || slices.Contains(declared, d.tool):
		case mayDeclare(m.meta.Get("permissions", "require"), d.tool):
			m.LeaveOpen(d.id, "%s declares %s in a form that the text does not define", m.file.Path, d.tool)
			m.warn(d.id, place, "%s is declared in a form that the text does not define", d.tool)
		default:
			m.breach(d.id, place, "the package has the tool %s, but does not declare it in metadata.permissions.require", d.tool)
		}
	}
}

// declared returns the permissions and their position. The result ok is false if verbs are declared in
// another form.
func (m permissions) declared() (permissions []string, place *document.Node, ok bool) {
	n := m.meta.Get("permissions")
	if n.Absent() {
		return nil, memberOr(m.meta, "permissions"), true
	}
	if !n.Is(document.Object) {
		m.breach(IDPermissions, n, "permissions is %s; want an object with require", lint.Described(n))
		// Verbs in another place than metadata.permissions.require may be meant as a declaration, so
		// this is left open.
		return nil, n, !slices.ContainsFunc(entriesOf(n), func(p permission) bool { return slices.Contains(verbs(), p.text) })
	}
	list := n.Get("require")
	if list.Absent() {
		return nil, n, true
	}
	if !isStringList(list) {
		m.breach(IDPermissions, firstNonString(list), "permissions.require %s; want a list of strings",
			describeWrongItem(list))
	}
	for _, entry := range entriesOf(list) {
		permissions = append(permissions, entry.text)
		m.judgeVerb(entry.text, entry.place, "the permission")
	}
	return permissions, list, true
}

// mayDeclare reports whether a value contains a verb, or a pattern that covers it, in a form that
// entriesOf does not read. The text does not define the form of the list.
func mayDeclare(n *document.Node, verb string) bool {
	if n == nil {
		return false
	}
	names := func(n *document.Node, texts ...string) bool {
		return slices.ContainsFunc(entriesOf(n), func(p permission) bool { return slices.Contains(texts, p.text) })
	}
	if names(n, verb, statePrefix+"*", "*") {
		return true
	}
	for i := range n.Members {
		member := &n.Members[i]
		if member.Name+"." == statePrefix && names(member.Value, strings.TrimPrefix(verb, statePrefix), "*") ||
			mayDeclare(member.Value, verb) {
			return true
		}
	}
	return slices.ContainsFunc(n.Items, func(item *document.Node) bool { return mayDeclare(item, verb) })
}

// permission is a declared permission with its position.
type permission struct {
	text  string
	place *document.Node
}

// entriesOf returns the permissions in a value of any form: the words of a string, the strings of a
// list, or the names of members that are not false.
func entriesOf(n *document.Node) []permission {
	var all []permission
	for _, word := range strings.FieldsFunc(n.Str(), func(r rune) bool { return r == ',' || unicode.IsSpace(r) }) {
		all = append(all, permission{word, n})
	}
	for _, item := range n.Items {
		if item.Str() != "" {
			all = append(all, permission{item.Text, item})
		}
	}
	for i := range n.Members {
		if member := &n.Members[i]; !member.Value.Is(document.Boolean) || member.Value.Text == "true" {
			all = append(all, permission{member.Name, lint.NameOf(member)})
		}
	}
	return all
}

func (m permissions) judgeVerbs() {
	for _, t := range m.tools {
		if t.name != "" {
			m.judgeVerb(t.name, t.function.Get("name"), "the tool")
		}
	}
}

// judgeVerb judges a name with the reserved prefix.
func (m permissions) judgeVerb(verb string, place *document.Node, what string) {
	if strings.HasPrefix(verb, statePrefix) && !slices.Contains(verbs(), verb) {
		m.breach(IDVerbs, place, "%s %s is not one of the four built-in verbs%s", what, jsonvalue.Print(verb),
			suggestNearest(verb, verbs()))
	}
}
