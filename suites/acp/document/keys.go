package acpdocument

import (
	"slices"
	"strings"

	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// The keys that the text defines, for each place.
var (
	metadataKeys = []string{"id", "name", "description", "triggers", "memory_scope", "permissions",
		"llm_requirements", "signature"}
	permissionKeys = []string{"require"}
	triggerKeys    = []string{"type", "value"}
)

// keys judges the keys of a package, and its notation.
type keys struct{ *manifest }

// judgeKeys reports keys that the text does not define. In llm_requirements and in bindings of unknown
// types, any key is permitted.
func (m keys) judgeKeys() {
	m.unknownKeys(m.root, "at the top", sections)
	if m.meta == nil {
		return
	}
	m.unknownKeys(m.meta, "in metadata", metadataKeys)
	m.unknownKeys(m.meta.Get("permissions"), "in permissions", permissionKeys)
	if triggers := m.meta.Get("triggers"); triggers.Is(document.Array) {
		for _, item := range triggers.Items {
			m.unknownKeys(item, "in a trigger", triggerKeys)
		}
	}
}

func (m *manifest) unknownKeys(n *document.Node, where string, known []string) {
	if !n.Is(document.Object) {
		return
	}
	var unused []string // the keys that the author may have meant
	for _, k := range known {
		if !n.Has(k) {
			unused = append(unused, k)
		}
	}
	for i := range n.Members {
		member := &n.Members[i]
		if slices.Contains(known, member.Name) || strings.HasPrefix(member.Name, "x-") || isAuthor(n == m.meta, member) {
			continue
		}
		m.breach(IDUnknownKey, lint.NameOf(member), "the key %s is unknown %s%s", jsonvalue.Print(member.Name), where,
			m.placeHint(n, member.Name, unused))
	}
}

// isAuthor reports whether a member is the author by whose DID signatures are verified.
func isAuthor(metadata bool, member *document.Member) bool {
	return metadata && member.Name == "author" && strings.HasPrefix(member.Value.Get("did").Str(), "did:")
}

// placeHint returns a hint where a key belongs, or which key was probably meant.
func (m *manifest) placeHint(n *document.Node, name string, unused []string) string {
	if hint := suggestNearest(name, unused); hint != "" {
		return hint
	}
	switch {
	case n == m.root && slices.Contains(metadataKeys, name):
		return "; it belongs in metadata"
	case n == m.meta && slices.Contains(sections, name):
		return "; it belongs at the top level"
	}
	return ""
}

// notations lists the YAML features that some readers do not support.
var notations = []struct {
	mark document.Marks
	what string
}{
	{document.Aliased, "an alias"}, {document.Anchored, "an anchor"}, {document.Merged, "a merge key"},
	{document.Tagged, "a tag"},
	{document.Timestamp, "an unquoted time (kept as a string)"},
}

// judgeNotation judges the whole document. The contents of an alias are judged at its anchor.
func (m keys) judgeNotation() {
	var walk func(*document.Node)
	walk = func(n *document.Node) {
		for _, notation := range notations {
			if n.Marks&notation.mark != 0 {
				m.breach(IDNotation, n, "this is %s, which some YAML readers do not support", notation.what)
				break
			}
		}
		if n.Marks&document.Aliased != 0 {
			return
		}
		for _, item := range n.Items {
			walk(item)
		}
		for i := range n.Members {
			walk(n.Members[i].Value)
		}
	}
	walk(m.root)
}
