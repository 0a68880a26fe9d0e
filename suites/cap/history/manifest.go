package history

import (
	"encoding/json"
	"slices"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/record"
)

// The members of a CapabilityManifest (CAP, "Capability Manifest"), and those that are sent
// with it.
const (
	MemberID          = "capability_id"
	MemberVersion     = "version"
	MemberKind        = "kind"
	MemberName        = "name"
	MemberDescription = "description"
	MemberInput       = "input_schema"
	MemberOutput      = "output_schema"
	MemberPrompt      = "prompt_template"
	MemberResources   = "resources"
	MemberPermissions = "required_permissions"
	MemberListed      = "capabilities"
	MemberWrapped     = "manifest"
	MemberRef         = "ref"
	MemberInvoked     = "input"
)

// The kinds of a capability.
const (
	KindTool  = "tool"
	KindSkill = "skill"
)

// ManifestMembers are the ten members of the text; all others are custom members.
var ManifestMembers = []string{
	MemberID, MemberVersion, MemberKind, MemberName, MemberDescription,
	MemberInput, MemberOutput, MemberPrompt, MemberResources, MemberPermissions,
}

// Ref is a CapabilityRef.
type Ref struct {
	ID      string `json:"capability_id"`
	Version string `json:"version"`
}

// String prints the pair for a message.
func (r Ref) String() string { return r.ID + " " + r.Version }

// RefOf reads a reference from an object, as far as its members are strings.
func RefOf(members map[string]any) Ref {
	id, _ := members[MemberID].(string)
	version, _ := members[MemberVersion].(string)
	return Ref{id, version}
}

// Manifest is a decoded CapabilityManifest.
type Manifest map[string]any

// ReadManifest decodes a manifest. It returns nil if the text is not an object.
func ReadManifest(raw json.RawMessage) Manifest {
	value, err := schemas.Decode(raw, schemas.Limits{})
	m, _ := value.(map[string]any)
	if err != nil {
		return nil
	}
	return m
}

// Text returns a member that is a string.
func (m Manifest) Text(member string) (string, bool) {
	s, ok := m[member].(string)
	return s, ok
}

// Ref returns the pair of the manifest.
func (m Manifest) Ref() Ref { return RefOf(m) }

// IsSkill reports whether the manifest describes a skill.
func (m Manifest) IsSkill() bool { return m[MemberKind] == KindSkill }

// Custom returns the names of the custom members.
func (m Manifest) Custom() []string {
	var names []string
	for name := range m {
		if !slices.Contains(ManifestMembers, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// NeedsPermission reports whether the manifest declares a required permission.
func (m Manifest) NeedsPermission() bool {
	declared, _ := m[MemberPermissions].([]any)
	return slices.ContainsFunc(declared, func(v any) bool { _, ok := v.(string); return ok })
}

// RawManifest is a manifest as it was received. Equal texts share one sheet: a source may list 10,000
// capabilities many times. The manifest of a long list is decoded whenever it is needed.
type RawManifest struct {
	Raw         []byte
	ID, Version string // "" if it is not a string
	Kind        string
	First       record.Tick // the entry that showed it first
	kept        Manifest    // nil: not kept
}

// Decoded returns the sheet of a manifest, without its text.
func Decoded(m Manifest) *RawManifest {
	s := &RawManifest{kept: m}
	s.ID, _ = m.Text(MemberID)
	s.Version, _ = m.Text(MemberVersion)
	s.Kind, _ = m.Text(MemberKind)
	return s
}

// Ref returns the pair of the sheet.
func (s *RawManifest) Ref() Ref { return Ref{s.ID, s.Version} }

// Manifest returns the decoded manifest.
func (s *RawManifest) Manifest() Manifest {
	if s.kept != nil {
		return s.kept
	}
	return ReadManifest(s.Raw)
}

// The custom member that shows the reduction of a skill (see the resolution of CAP-GRAN-05), and
// its second name, which is valid only in the fixture conformance.brief: elsewhere, a member
// named reduction may mean anything.
const (
	MemberReduction      = "conformance.reduction"
	memberReductionShort = "reduction"
	FixtureSkill         = "conformance.brief"
)

// WitnessMember returns the name of the custom member that shows a reduction.
func (m Manifest) WitnessMember() string {
	if m[MemberID] == FixtureSkill && m[MemberReduction] == nil {
		return memberReductionShort
	}
	return MemberReduction
}

// Witness returns the custom member that shows a reduction.
func (m Manifest) Witness() (Manifest, bool) {
	witness, ok := m[m.WitnessMember()].(map[string]any)
	return witness, ok && (witness["skill"] != nil || witness["tools"] != nil || witness["prompt_instructions"] != nil)
}

// ReducedTo returns the tools that a skill is reduced to, without those that are not references.
func (m Manifest) ReducedTo() []Ref {
	witness, _ := m.Witness()
	tools, _ := witness["tools"].([]any)
	var all []Ref
	for _, item := range tools {
		tool, _ := item.(map[string]any)
		if r := RefOf(tool); r.ID != "" && r.Version != "" {
			all = append(all, r)
		}
	}
	return all
}

// Needs reports whether the manifest declares each permission that another manifest declares.
func (m Manifest) Needs(other Manifest) bool {
	own, _ := m[MemberPermissions].([]any)
	needed, _ := other[MemberPermissions].([]any)
	for _, p := range needed {
		if !slices.ContainsFunc(own, func(v any) bool { return jsonvalue.Equal(v, p) }) {
			return false
		}
	}
	return true
}
