package acpdocument

import (
	"github.com/capconform/capconform/suites/acp/compatibility"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/lint"
)

// readOlder reads a package that another one replaces, and judges nothing of it. If the file is not a
// package with an id, readOlder returns nil and leaves the rules on upgrades open.
func (r reading) readOlder(file *document.File) *manifest {
	separate := reading{&sharedState{Findings: lint.NewFindings(), settings: r.settings, vocabulary: r.vocabulary}}
	if m := separate.judgeFile(file); m != nil && m.hasID {
		return m
	}
	for _, id := range []string{IDSchemaRises, IDSchemaSame, IDRises} {
		r.LeaveOpen(id, "%s, the older package, is not a package with an id", file.Path)
	}
	return nil
}

// judgeUpgrade compares a package with the one that it replaces.
func (r reading) judgeUpgrade(m *manifest, before map[string]*manifest) {
	if m.meta == nil || !m.hasID {
		return // ACP-FIELD-01
	}
	old := before[m.id.Name]
	if old == nil {
		for name := range before {
			m.warn(IDRises, m.meta.Get("id"), "%s replaces nothing: the older package is %s; a capability keeps its name",
				jsonvalue.Print(m.id.Name), jsonvalue.Print(name))
			break
		}
		return
	}
	r.AddKind(kindUpgrades)
	id, order := m.meta.Get("id"), m.id.Version.Compare(old.id.Version)
	switch {
	case order < 0:
		m.breach(IDRises, id, "the version %s is lower than %s of %s", m.id.Version, old.id.Version, old.file.Path)
	case order == 0 && string(m.file.Text) != string(old.file.Text):
		m.breach(IDRises, id, "the version %s is that of %s, which has other content", m.id.Version, old.file.Path)
	}
	if m.schema != nil && old.schema != nil && m.schema.uri.Text != "" && old.schema.uri.Text != "" {
		m.judgeSchemaUpgrade(old)
	}
}

// judgeSchemaUpgrade compares the schemas and their versions. The version must not become lower.
// Anything that the new schema no longer allows requires a higher major version.
func (m *manifest) judgeSchemaUpgrade(old *manifest) {
	id, uri, before := m.schema.root.Get("$id"), m.schema.uri, old.schema.uri
	if uri.Base != before.Base {
		return // another schema
	}
	comparable := uri.Version != nil && before.Version != nil
	if comparable && uri.Version.LessThan(before.Version) {
		m.breach(IDSchemaRises, id, "the schema's version %s is lower than %s of %s", uri.Version.Original(),
			before.Version.Original(), old.file.Path)
		return
	}
	for _, change := range compatibility.Changes(old.schema.root, m.schema.root) {
		switch {
		case uri.Text == before.Text:
			m.breach(IDSchemaSame, change.Place, "%s, but the schema URI is still %s", change.Message, uri.Text)
		case comparable && uri.Version.Major() == before.Version.Major():
			m.breach(IDSchemaRises, id, "%s, but the first number of the schema's version is still that of %s",
				change.Message, before.Text)
		}
	}
}
