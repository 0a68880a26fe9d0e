package capsuite

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/lint"
)

// eachManifest judges manifests in files by the rule for those on the wire.
func eachManifest(rule manifestRule) func(*inspection) ([]reports.Finding, error) {
	return func(d *inspection) ([]reports.Finding, error) {
		var findings []reports.Finding
		var open error
		for _, m := range d.manifests {
			if m.manifest == nil {
				continue // no object: CAP-MAN-01 says so
			}
			defects, err := rule(nil, m.manifest)
			for _, defect := range defects {
				findings = append(findings, m.places(defect)...)
			}
			if unknown, ok := errors.AsType[*schemas.Undecidable](err); ok {
				err = suites.Undecided("a schema of %s:%d:%d can't be decided: %s", m.file, m.node.Line, m.node.Column, unknown.Message)
			}
			if open == nil {
				open = err
			}
		}
		return findings, open
	}
}

// manifestsTyped is CAP-MAN-01, which also says what is no manifest at all.
func manifestsTyped(d *inspection) ([]reports.Finding, error) {
	findings, err := eachManifest(typesRule)(d)
	for _, m := range d.manifests {
		if m.manifest == nil {
			findings = append(findings, findingAt(m.file, m.node, "a manifest is an object; this is %s", m.node.Kind))
		}
	}
	return findings, err
}

// places turns a defect into findings: one, or one for each place in a schema.
func (m manifestDocument) places(d defect) []reports.Finding {
	member := strings.TrimPrefix(d.Pointer, "/")
	value := m.node.Get(member)
	if value.Absent() {
		at := m.node
		if value != nil {
			at = value
		}
		return []reports.Finding{findingAt(m.file, at, "%s is %s%s", member, absence(value), lint.Misspelt(m.node, member, manifestMembers))}
	}
	if member == memberInput || member == memberOutput {
		return m.schemaPlaces(member, value)
	}
	hint := ""
	switch {
	case value.Is(document.Number):
		hint = fmt.Sprintf("; write it in quotes: %q", value.Text)
	case member == memberKind && lint.EditDistance(strings.ToLower(value.Str()), kindTool, 2) < 2:
		hint = `; is "tool" meant?`
	case member == memberKind && lint.EditDistance(strings.ToLower(value.Str()), kindSkill, 2) < 2:
		hint = `; is "skill" meant?`
	}
	return []reports.Finding{findingAt(m.file, m.node.At(d.Pointer), "%s, but %s%s", d.Message, suites.Clip(d.Got), hint)}
}

func absence(value *document.Node) string {
	if value == nil {
		return "missing"
	}
	return "null"
}

// schemaPlaces says where a schema breaks its dialect.
func (m manifestDocument) schemaPlaces(member string, value *document.Node) []reports.Finding {
	_, err := compileSchema(nil, m.manifest, member)
	invalid, ok := errors.AsType[*schemas.InvalidSchema](err)
	if !ok || len(invalid.Causes) == 0 {
		message := "a JSON Schema is an object or a boolean"
		if ok {
			message = invalid.Message
		}
		return []reports.Finding{findingAt(m.file, value, "%s is no JSON Schema: %s", member, message)}
	}
	var findings []reports.Finding
	for _, cause := range invalid.Causes {
		f := findingAt(m.file, value.At(cause.InstancePointer), "%s is no JSON Schema: %s: %s", member, orTop(cause.InstancePointer), cause.Message)
		if !slices.Contains(findings, f) {
			findings = append(findings, f)
		}
	}
	return findings
}

func orTop(pointer string) string {
	if pointer == "" {
		return "at the top"
	}
	return "at " + pointer
}

// capabilitiesAgree is CAP-CAP-01.
func capabilitiesAgree(d *inspection) ([]reports.Finding, error) {
	var findings []reports.Finding
	known := []string{memberID, memberVersion, memberKind, memberWrapped}
	for _, r := range d.documents {
		if r.form != formCapability {
			continue
		}
		inner := r.node.Get(memberWrapped)
		switch {
		case inner.Absent():
			findings = append(findings, findingAt(r.file, r.node, "%s is missing%s", memberWrapped, lint.Misspelt(r.node, memberWrapped, known)))
		case !inner.Is(document.Object):
			findings = append(findings, findingAt(r.file, inner, "%s is %s and no CapabilityManifest", memberWrapped, inner.Kind))
		}
		for _, name := range []string{memberID, memberVersion, memberKind} {
			if f, broken := textMember(r.file, r.node, name, known); broken {
				findings = append(findings, f)
				continue
			}
			outside, inside := r.node.Get(name), inner.Get(name)
			if inside.Is(document.String) && inside.Text != "" && inside.Text != outside.Text {
				findings = append(findings, findingAt(r.file, inside, "%s is %s in the manifest and %s outside of it, at %d:%d",
					name, quote(inside.Text), quote(outside.Text), outside.Line, outside.Column))
			}
		}
	}
	return findings, nil
}

// pairsDiffer is CAP-CAP-02, over everything given.
func pairsDiffer(d *inspection) ([]reports.Finding, error) {
	var findings []reports.Finding
	first := map[ref]manifestDocument{}
	for _, m := range d.manifests {
		pair := ref{m.node.Get(memberID).Str(), m.node.Get(memberVersion).Str()}
		if pair.ID == "" || pair.Version == "" {
			continue
		}
		if before, twice := first[pair]; twice {
			findings = append(findings, findingAt(m.file, m.node, "the pair %s, %s stands here again; it is taken by %s:%d:%d",
				quote(pair.ID), quote(pair.Version), before.file, before.node.Line, before.node.Column))
			continue
		}
		first[pair] = m
	}
	if len(first) == 0 {
		return nil, suites.Undecided("no manifest has both an id and a version to compare")
	}
	return findings, nil
}
