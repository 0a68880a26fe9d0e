package judge

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites/cap/history"
	"github.com/capconform/capconform/suites/instance"
	"github.com/capconform/capconform/suites/jsonvalue"
	"github.com/capconform/capconform/suites/verdict"
)

var manifestSentences = []verdict.Sentence[manifests]{
	verdict.Say(`the version of each manifest follows semantic versioning`, manifests.VersionsValid),
	verdict.Say(`the kind of each manifest is tool or skill`, manifests.KindsValid),
	verdict.Say(`no manifest of a tool has a prompt template or a resource`, manifests.ToolsWithoutSkillMembers),
	verdict.Say(`each member of each manifest has its printed type`, manifests.MembersHaveTypes),
	verdict.Say(`the input schema of each manifest is present and is a JSON Schema`, manifests.InputSchemasValid),
	verdict.Say(`each manifest declares an output schema`, manifests.OutputSchemasDeclared),
}

// Defect is one fault of a manifest, at a JSON pointer.
type Defect struct {
	Pointer string
	Message string // what is wrong, without values of the manifest
	Want    string
	Got     string
}

// Rule finds the defects of a manifest under one requirement. The error is an
// *schemas.Undecidable if they cannot be determined.
type Rule func(cache *instance.Cache, m history.Manifest) ([]Defect, error)

// MembersHaveTypes judges CAP-MAN-01: each member of each manifest has its printed type.
func (j manifests) MembersHaveTypes() verdict.Verdict { return j.judgeByRule(TypesRule) }

// TypesRule judges CAP-MAN-01: each member has its printed type. Other requirements judge the
// values of kind, the input schema, and the presence of the members of skills.
func TypesRule(cache *instance.Cache, m history.Manifest) ([]Defect, error) {
	var found []Defect
	for _, member := range []string{history.MemberID, history.MemberVersion} {
		if s, ok := m.Text(member); !ok || s == "" {
			found = append(found, wrongType(m, member, "a string that is not empty"))
		}
	}
	for _, member := range []string{history.MemberName, history.MemberDescription} {
		if _, ok := m.Text(member); !ok {
			found = append(found, wrongType(m, member, "a string"))
		}
	}
	if v := m[history.MemberPrompt]; v != nil && !isString(v) {
		found = append(found, wrongType(m, history.MemberPrompt, "a string or null"))
	}
	if v := m[history.MemberResources]; v != nil && !isResources(v) {
		found = append(found, wrongType(m, history.MemberResources, "an array of strings or objects, or null"))
	}
	if v := m[history.MemberPermissions]; v != nil && !isStrings(v) {
		found = append(found, wrongType(m, history.MemberPermissions, "an array of strings, or null"))
	}
	return outputSchemaDefects(cache, m, found)
}

func outputSchemaDefects(cache *instance.Cache, m history.Manifest, found []Defect) ([]Defect, error) {
	if m[history.MemberOutput] == nil {
		return found, nil
	}
	_, err := CompileSchema(cache, m, history.MemberOutput)
	if d, wrong := schemaDefect(m, history.MemberOutput, err); wrong {
		return append(found, d), nil
	}
	return found, err
}

// KindsValid judges CAP-CAP-04: the kind of each manifest is tool or skill.
func (j manifests) KindsValid() verdict.Verdict { return j.judgeByRule(KindRule) }

// KindRule judges CAP-CAP-04: the kind of a manifest is tool or skill.
func KindRule(_ *instance.Cache, m history.Manifest) ([]Defect, error) {
	if m[history.MemberKind] == history.KindTool || m[history.MemberKind] == history.KindSkill {
		return nil, nil
	}
	return []Defect{wrongType(m, history.MemberKind, `"tool" or "skill"`)}, nil
}

// InputSchemasValid judges CAP-MAN-02: the input schema of each manifest is present and is a JSON
// Schema.
func (j manifests) InputSchemasValid() verdict.Verdict { return j.judgeByRule(InputSchemaRule) }

// InputSchemaRule judges CAP-MAN-02: the input schema is present and is a JSON Schema.
func InputSchemaRule(cache *instance.Cache, m history.Manifest) ([]Defect, error) {
	if m[history.MemberInput] == nil {
		return []Defect{wrongType(m, history.MemberInput, "a JSON Schema")}, nil
	}
	_, err := CompileSchema(cache, m, history.MemberInput)
	if d, wrong := schemaDefect(m, history.MemberInput, err); wrong {
		return []Defect{d}, nil
	}
	return nil, err
}

// OutputSchemasDeclared judges CAP-MAN-03: each manifest declares an output schema. CAP-DIS-07
// judges a description that omits what the list declares.
func (j manifests) OutputSchemasDeclared() verdict.Verdict {
	return j.judgeByRule(OutputDeclaredRule, func(s shown) bool { return s.by == history.OpList })
}

// OutputDeclaredRule judges CAP-MAN-03, a SHOULD: a manifest declares an output schema.
func OutputDeclaredRule(_ *instance.Cache, m history.Manifest) ([]Defect, error) {
	if m[history.MemberOutput] != nil {
		return nil, nil
	}
	return []Defect{wrongType(m, history.MemberOutput, "a JSON Schema of the output")}, nil
}

// VersionsValid judges CAP-CAP-03: the version of each manifest follows semantic versioning.
// Attached tools and skills may have any version.
func (j manifests) VersionsValid() verdict.Verdict {
	return j.judgeByRule(VersionRule, func(s shown) bool { return s.own })
}

// versionGrammar is the grammar of Semantic Versioning 2.0.0.
var versionGrammar = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-((0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(\+([0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*))?$`)

// VersionRule judges CAP-CAP-03, a SHOULD: the version follows semantic versioning.
func VersionRule(_ *instance.Cache, m history.Manifest) ([]Defect, error) {
	if v, ok := m.Text(history.MemberVersion); !ok || versionGrammar.MatchString(v) {
		return nil, nil // CAP-MAN-01 judges a version that is not a string
	}
	return []Defect{wrongType(m, history.MemberVersion, "a semantic version such as 1.4.2")}, nil
}

// ToolsWithoutSkillMembers judges CAP-GRAN-01: no manifest of a tool has a prompt template or a resource.
func (j manifests) ToolsWithoutSkillMembers() verdict.Verdict { return j.judgeByRule(ToolRule) }

// ToolRule judges CAP-GRAN-01, a SHOULD: a tool has neither prompt nor resources.
func ToolRule(_ *instance.Cache, m history.Manifest) ([]Defect, error) {
	if m[history.MemberKind] != history.KindTool {
		return nil, nil
	}
	var found []Defect
	if prompt, _ := m.Text(history.MemberPrompt); prompt != "" {
		found = append(found, wrongType(m, history.MemberPrompt, "null or absent in a tool"))
	}
	if len(listOf(m[history.MemberResources])) > 0 {
		found = append(found, wrongType(m, history.MemberResources, "null or absent in a tool"))
	}
	return found, nil
}

// isMissing reports whether the defect is an absent member, which is less severe than a value of
// the wrong type.
func (d Defect) isMissing() bool { return strings.HasSuffix(d.Message, missingSuffix) }

const missingSuffix = " is missing"

func wrongType(m history.Manifest, member, want string) Defect {
	v, present := m[member]
	d := Defect{Pointer: "/" + member, Message: fmt.Sprintf("%s is not %s", member, want), Want: want,
		Got: jsonvalue.Print(v)}
	if v == nil {
		d.Message = member + missingSuffix
	}
	if !present {
		d.Got = "no such member"
	}
	return d
}

// CompileSchema compiles the schema of a member. For a value that cannot be a schema, as for a
// schema that breaks its dialect, the error is an *schemas.InvalidSchema.
func CompileSchema(cache *instance.Cache, m history.Manifest, member string) (*instance.Template, error) {
	switch v := m[member].(type) {
	case map[string]any, bool:
		return cache.Template(v)
	default:
		return nil, &schemas.InvalidSchema{Message: "a JSON Schema is an object or a boolean"}
	}
}

func schemaDefect(m history.Manifest, member string, err error) (Defect, bool) {
	var invalid *schemas.InvalidSchema
	if !errors.As(err, &invalid) {
		return Defect{}, false
	}
	d := wrongType(m, member, "a JSON Schema")
	d.Want = "a schema that is valid in its dialect"
	d.Got = invalid.Error() + ", in " + d.Got
	return d, true
}

func isString(v any) bool { _, ok := v.(string); return ok }

func isArray(v any) bool { _, ok := v.([]any); return ok }

// isResources accepts a string or an object for each resource: the text defines no further form.
func isResources(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool {
		_, isObject := item.(map[string]any)
		return !isObject && !isString(item)
	})
}

func isStrings(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { return !isString(item) })
}

func listOf(v any) []any {
	list, _ := v.([]any)
	return list
}
