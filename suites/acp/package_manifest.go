package acpsuite

import (
	"errors"
	"math/big"
	"path/filepath"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// manifest is one package that is judged.
type manifest struct {
	*documentReading
	file       *document.File
	root, meta *document.Node // meta is nil where it is no mapping
	id         identifier.Capability
	identified bool        // id is known
	schema     *schemaText // nil where there is none that can be read
	tools      []tool
	listed     bool // tools is a list, or not there: the names are known
}

func newManifest(r *documentReading, file *document.File, root *document.Node) *manifest {
	m := &manifest{documentReading: r, file: file, root: root}
	if meta := root.Get("metadata"); meta.Is(document.Object) {
		m.meta = meta
	}
	return m
}

// breach reports that a requirement is broken at a value.
func (m *manifest) breach(id string, n *document.Node, format string, args ...any) {
	m.Breach(id, m.file.Path, n, format, args...)
}

// notice reports a note that is not a breach.
func (m *manifest) notice(id string, n *document.Node, format string, args ...any) {
	m.Remark(reports.Notice, id, m.file.Path, n, format, args...)
}

// warn reports a warning that is not a breach.
func (m *manifest) warn(id string, n *document.Node, format string, args ...any) {
	m.Remark(reports.Warning, id, m.file.Path, n, format, args...)
}

// at returns a member's value, or the object where it is missing.
func at(n *document.Node, name string) *document.Node {
	if value := n.Get(name); value != nil {
		return value
	}
	return n
}

// judge goes through the package. What depends on something that is broken is not
// judged a second time.
func (m *manifest) judge() {
	m.judgeMetadata()
	m.judgeSchema()
	m.judgeTools()
	m.judgeBindings()
	m.judgePermissions()
	m.judgeKeys()
	m.judgeNotation()
	m.judgeSignature()
}

// absence describes how a member is absent.
func absence(n *document.Node) string {
	if n == nil {
		return "missing"
	}
	return "null, which counts as missing"
}

func (m *manifest) judgeMetadata() {
	meta := m.root.Get("metadata")
	switch {
	case meta.Absent():
		m.breach(idMetadata, at(m.root, "metadata"), "metadata is %s%s", absence(meta),
			lint.Misspelt(m.root, "metadata", sections))
	case m.meta == nil:
		m.breach(idMetadata, meta, "metadata is %s; want a mapping", lint.Described(meta))
	}
	if prompt := m.root.Get("prompt"); !prompt.Absent() {
		m.Hold(heldPrompts)
		if !prompt.Is(document.String) {
			m.breach(idPrompt, prompt, "prompt is %s; want a string", prompt.Kind)
		}
	}
	if m.meta == nil {
		m.hidden(partMetadata)
		return
	}
	m.judgeID()
	for _, name := range []string{"name", "description"} {
		if n := m.meta.Get(name); !n.Absent() && !n.Is(document.String) {
			m.breach(idTexts, n, "%s is %s; want a string", name, lint.Described(n))
		}
	}
	if scope := m.meta.Get("memory_scope"); !scope.Absent() && !usualScope(scope.Str()) {
		m.breach(idScope, scope, "memory_scope is %s; the usual form is sc: and a name%s",
			lint.Described(scope), m.scopeHint(scope))
	}
	m.judgeModels()
	m.judgeTriggers()
}

func usualScope(text string) bool {
	name, ok := strings.CutPrefix(text, "sc:")
	return ok && name != "" && !strings.ContainsAny(name, " \t\r\n")
}

func (m *manifest) scopeHint(scope *document.Node) string {
	if name := scope.Str(); name != "" && !strings.ContainsAny(name, ": \t\n") {
		return "; did you mean " + jsonvalue.Print("sc:"+name) + "?"
	}
	return ""
}

func (m *manifest) judgeID() {
	id := m.meta.Get("id")
	switch {
	case id.Absent():
		m.breach(idURI, at(m.meta, "id"), "metadata.id is %s%s", absence(id), lint.Misspelt(m.meta, "id", metadataKeys))
		m.hidden(partID)
		return
	case !id.Is(document.String):
		m.breach(idURI, id, "metadata.id is %s; want a capability URI, %sNAME@1.0.0", lint.Described(id),
			identifier.CapabilityPrefix)
		m.hidden(partID)
		return
	}
	parsed, err := identifier.ParseCapability(id.Text)
	var defect *identifier.Defect
	if errors.As(err, &defect) {
		requirement, hides := idURI, partID
		if defect.OfVersion {
			requirement, hides = idVersion, partVersion
		}
		m.hidden(hides)
		m.breach(requirement, id, "metadata.id %s is not a capability URI: %s%s", jsonvalue.Print(id.Text),
			defect.Problem, meant(defect.Likely))
		return
	}
	m.id, m.identified = parsed, true
	if !parsed.Usual() {
		m.breach(idUsualName, id,
			"the name %s contains characters other than lower-case letters, digits, hyphens and underscores, which registries may refuse", jsonvalue.Print(parsed.Name))
	}
}

// meant returns the end of a message with what was probably meant.
func meant(text string) string {
	if text == "" {
		return ""
	}
	return "; did you mean " + jsonvalue.Print(text) + "?"
}

// properName is a name for the file of a package.
func properName(path string, root *document.Node) string {
	base := filepath.Base(path)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	base = strings.TrimSuffix(base, ".acp")
	if id, err := identifier.ParseCapability(root.Get("metadata", "id").Str()); err == nil && base == "" {
		base = id.Name
	}
	return base + suffix
}

// modelMembers are the members of llm_requirements that the text lists.
var modelMembers = []struct {
	name, id, want string
	fits           func(*document.Node) bool
}{
	{"model_family", "ACP-FIELD-08", "a list of strings", isTexts},
	{"specific_model_uri", "ACP-FIELD-09", "a string", func(n *document.Node) bool { return n.Is(document.String) }},
	{"min_context_window", "ACP-FIELD-10", "an integer", isWhole},
	{"required_features", "ACP-FIELD-11", "a list of strings", isTexts},
}

func isTexts(n *document.Node) bool {
	if !n.Is(document.Array) {
		return false
	}
	for _, item := range n.Items {
		if !item.Is(document.String) {
			return false
		}
	}
	return true
}

func isWhole(n *document.Node) bool {
	if !n.Is(document.Number) {
		return false
	}
	r, ok := new(big.Rat).SetString(n.Text)
	return ok && r.IsInt()
}

func (m *manifest) judgeModels() {
	n := m.meta.Get("llm_requirements")
	if n.Absent() {
		return
	}
	m.Hold(heldModels)
	if !n.Is(document.Object) {
		m.breach(idModels, n, "llm_requirements is %s; want an object", lint.Described(n))
		m.hidden(partModels)
		return
	}
	for _, member := range modelMembers {
		value := n.Get(member.name)
		if value.Absent() || member.fits(value) {
			continue
		}
		m.breach(member.id, offending(value), "%s %s; want %s", member.name, wrongPart(value), member.want)
	}
}

// wrongPart describes a value that is not a list of strings, with the first item that is not a string.
func wrongPart(n *document.Node) string {
	if item := offending(n); item != n {
		return "is a list with " + lint.Described(item)
	}
	return "is " + lint.Described(n)
}

// offending returns the first item of a list that is no string, or the value itself.
func offending(n *document.Node) *document.Node {
	for _, item := range n.Items {
		if !item.Is(document.String) {
			return item
		}
	}
	return n
}
