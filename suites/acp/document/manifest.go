package acpdocument

import (
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// sharedState is the common state of the judgements on all packages.
type sharedState struct {
	*lint.Findings
	settings   settings
	vocabulary *schemas.Schema // of the members that the state model adds to JSON Schema
	fragments  bool            // the note about fragments in schema URIs was added
}

// noteFragment adds, once, a note that applies to every package that conforms to the text.
func (s *sharedState) noteFragment() {
	if !s.fragments {
		s.fragments = true
		s.Note("JSON Schema 2020-12 allows no fragment in $id, but ACP prints one: the harness compiles schemas without it, and so must every user of them")
	}
}

// manifest is one package under judgement.
type manifest struct {
	*sharedState
	file       *document.File
	root, meta *document.Node // meta is nil if it is not a mapping
	id         identifier.Capability
	hasID      bool        // id is valid
	schema     *schemaText // nil if there is no readable schema
	tools      []tool
	toolsKnown bool // tools is a list or absent, so the names are known
}

func newManifest(s *sharedState, file *document.File, root *document.Node) *manifest {
	m := &manifest{sharedState: s, file: file, root: root}
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

// leaveDependents leaves open all requirements that cannot be judged because a part is broken.
func (m *manifest) leaveDependents(p part) {
	for _, id := range p.dependents {
		m.LeaveOpen(id, "%s of %s is not valid, so this cannot be judged", p.name, m.file.Path)
	}
}

// schemaText is the parsed schema section.
type schemaText struct {
	root     *document.Node    // the JSON, with its positions in the file
	value    map[string]any    // the same in the form for a compiler: see adopted
	uri      identifier.Schema // zero if $id is not a schema URI
	compiles bool              // the schema compiles
}

// tool is one entry of tools.
type tool struct {
	name     string         // "" if it has none
	function *document.Node // nil if it is not an object
}

// maxCompiled limits how many schemas and regular expressions of a file are compiled.
const maxCompiled = 1000
