package acpdocument

import (
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// shared is what the judgements on all packages share.
type shared struct {
	*lint.Findings
	settings   settings
	vocabulary *schemas.Schema // of what the state model adds to JSON Schema
	fragments  bool            // that schema URIs have one was noted
}

// noteFragment says once what is so with every package that conforms to the text.
func (s *shared) noteFragment() {
	if !s.fragments {
		s.fragments = true
		s.Note("JSON Schema 2020-12 allows no fragment in $id, but ACP prints one: the harness compiles schemas without it, and so must every user of them")
	}
}

// manifest is one package that is judged.
type manifest struct {
	*shared
	file       *document.File
	root, meta *document.Node // meta is nil where it is no mapping
	id         identifier.Capability
	identified bool        // id is known
	schema     *schemaText // nil where there is none that can be read
	tools      []tool
	listed     bool // tools is a list, or not there: the names are known
}

func newManifest(s *shared, file *document.File, root *document.Node) *manifest {
	m := &manifest{shared: s, file: file, root: root}
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

// hidden leaves open what a part shows nothing of.
func (m *manifest) hidden(p part) {
	for _, id := range p.hid {
		m.Leave(id, "%s of %s is not valid, so this cannot be judged", p.name, m.file.Path)
	}
}

// schemaText is the schema section, read.
type schemaText struct {
	root  *document.Node    // the JSON, with the places of the file
	value map[string]any    // the same as a compiler takes it: see adopted
	uri   identifier.Schema // zero where $id is none
	sound bool              // it compiles
}

// tool is one entry of tools.
type tool struct {
	name     string         // "" where it has none
	function *document.Node // nil where it is no object
}

// mostCompiled bounds the schemas and the regular expressions of a file that are
// given to a compiler.
const mostCompiled = 1000
