package acpdocument

import (
	"errors"
	"strings"

	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// metadata judges the section metadata, and the prompt.
type metadata struct{ *manifest }

func (m metadata) judge() {
	meta := m.root.Get("metadata")
	switch {
	case meta.Absent():
		m.breach(IDMetadata, memberOr(m.root, "metadata"), "metadata is %s%s", describeAbsence(meta),
			lint.Misspelt(m.root, "metadata", sections))
	case m.meta == nil:
		m.breach(IDMetadata, meta, "metadata is %s; want a mapping", lint.Described(meta))
	}
	if prompt := m.root.Get("prompt"); !prompt.Absent() {
		m.AddKind(kindPrompts)
		if !prompt.Is(document.String) {
			m.breach(IDPrompt, prompt, "prompt is %s; want a string", prompt.Kind)
		}
	}
	if m.meta == nil {
		m.leaveDependents(partMetadata)
		return
	}
	m.judgeID()
	for _, name := range []string{"name", "description"} {
		if n := m.meta.Get(name); !n.Absent() && !n.Is(document.String) {
			m.breach(IDTexts, n, "%s is %s; want a string", name, lint.Described(n))
		}
	}
	if scope := m.meta.Get("memory_scope"); !scope.Absent() && !usualScope(scope.Str()) {
		m.breach(IDScope, scope, "memory_scope is %s; the usual form is sc: and a name%s",
			lint.Described(scope), m.scopeHint(scope))
	}
	models(m).judge()
	triggers(m).judge()
}

func usualScope(text string) bool {
	name, ok := strings.CutPrefix(text, "sc:")
	return ok && name != "" && !strings.ContainsAny(name, " \t\r\n")
}

func (m metadata) scopeHint(scope *document.Node) string {
	if name := scope.Str(); name != "" && !strings.ContainsAny(name, ": \t\n") {
		return "; did you mean " + jsonvalue.Print("sc:"+name) + "?"
	}
	return ""
}

func (m metadata) judgeID() {
	id := m.meta.Get("id")
	switch {
	case id.Absent():
		m.breach(IDURI, memberOr(m.meta, "id"), "metadata.id is %s%s", describeAbsence(id),
			lint.Misspelt(m.meta, "id", metadataKeys))
		m.leaveDependents(partID)
		return
	case !id.Is(document.String):
		m.breach(IDURI, id, "metadata.id is %s; want a capability URI, %sNAME@1.0.0", lint.Described(id),
			identifier.CapabilityPrefix)
		m.leaveDependents(partID)
		return
	}
	parsed, err := identifier.ParseCapability(id.Text)
	var defect *identifier.Defect
	if errors.As(err, &defect) {
		requirement, broken := IDURI, partID
		if defect.OnlyVersion {
			requirement, broken = IDVersion, partVersion
		}
		m.leaveDependents(broken)
		m.breach(requirement, id, "metadata.id %s is not a capability URI: %s%s", jsonvalue.Print(id.Text),
			defect.Problem, suggestion(defect.Suggestion))
		return
	}
	m.id, m.hasID = parsed, true
	if !parsed.HasUsualName() {
		m.breach(IDUsualName, id,
			"the name %s contains characters other than lower-case letters, digits, hyphens and underscores, "+
				"which registries may refuse", jsonvalue.Print(parsed.Name))
	}
}
