package capsuite

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/instance"
)

// The members of a CapabilityManifest (CAP, "Capability Manifest").
const (
	memberID           = "capability_id"
	memberVersion      = "version"
	memberKind         = "kind"
	memberName         = "name"
	memberDescription  = "description"
	memberInput        = "input_schema"
	memberOutput       = "output_schema"
	memberPrompt       = "prompt_template"
	memberResources    = "resources"
	memberPermissions  = "required_permissions"
	kindTool           = "tool"
	kindSkill          = "skill"
	memberReduction    = "conformance.reduction"
	memberBriefly      = "reduction" // the same, in the fixture conformance.brief alone
	memberListed       = "capabilities"
	memberWrapped      = "manifest"
	memberRef          = "ref"
	memberInvokedInput = "input"
)

// manifestMembers are the ten members of the text; any other is a custom one.
var manifestMembers = []string{
	memberID, memberVersion, memberKind, memberName, memberDescription,
	memberInput, memberOutput, memberPrompt, memberResources, memberPermissions,
}

// manifest is a decoded CapabilityManifest.
type manifest map[string]any

// defect is one thing that is wrong with a manifest, at a JSON pointer.
type defect struct {
	Pointer string
	Message string // what is wrong, without values of the manifest
	Want    string
	Got     string
}

// manifestRule finds the defects of a manifest under one requirement. The error
// is an *schemas.Undecidable where it can't be told.
type manifestRule func(shop *instance.Workshop, m manifest) ([]defect, error)

func (m manifest) text(member string) (string, bool) {
	s, ok := m[member].(string)
	return s, ok
}

func (m manifest) isSkill() bool { return m[memberKind] == kindSkill }

// custom lists the members beyond the ten.
func (m manifest) custom() []string {
	var names []string
	for name := range m {
		if !slices.Contains(manifestMembers, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// typesRule is CAP-MAN-01: each member in its printed type. What has a
// requirement of its own is left to that: the values of kind, the input schema,
// the presence of a skill's members.
func typesRule(shop *instance.Workshop, m manifest) ([]defect, error) {
	var found []defect
	for _, member := range []string{memberID, memberVersion} {
		if s, ok := m.text(member); !ok || s == "" {
			found = append(found, wrongType(m, member, "a string that is not empty"))
		}
	}
	for _, member := range []string{memberName, memberDescription} {
		if _, ok := m.text(member); !ok {
			found = append(found, wrongType(m, member, "a string"))
		}
	}
	if v := m[memberPrompt]; v != nil && !isString(v) {
		found = append(found, wrongType(m, memberPrompt, "a string or null"))
	}
	if v := m[memberResources]; v != nil && !isResources(v) {
		found = append(found, wrongType(m, memberResources, "an array of strings or objects, or null"))
	}
	if v := m[memberPermissions]; v != nil && !isStrings(v) {
		found = append(found, wrongType(m, memberPermissions, "an array of strings, or null"))
	}
	return outputSchemaDefects(shop, m, found)
}

func outputSchemaDefects(shop *instance.Workshop, m manifest, found []defect) ([]defect, error) {
	if m[memberOutput] == nil {
		return found, nil
	}
	_, err := compileSchema(shop, m, memberOutput)
	if d, wrong := schemaDefect(m, memberOutput, err); wrong {
		return append(found, d), nil
	}
	return found, err
}

// kindRule is CAP-CAP-04.
func kindRule(_ *instance.Workshop, m manifest) ([]defect, error) {
	if m[memberKind] == kindTool || m[memberKind] == kindSkill {
		return nil, nil
	}
	return []defect{wrongType(m, memberKind, `"tool" or "skill"`)}, nil
}

// inputSchemaRule is CAP-MAN-02.
func inputSchemaRule(shop *instance.Workshop, m manifest) ([]defect, error) {
	if m[memberInput] == nil {
		return []defect{wrongType(m, memberInput, "a JSON Schema")}, nil
	}
	_, err := compileSchema(shop, m, memberInput)
	if d, wrong := schemaDefect(m, memberInput, err); wrong {
		return []defect{d}, nil
	}
	return nil, err
}

// outputDeclaredRule is CAP-MAN-03, a SHOULD.
func outputDeclaredRule(_ *instance.Workshop, m manifest) ([]defect, error) {
	if m[memberOutput] != nil {
		return nil, nil
	}
	return []defect{wrongType(m, memberOutput, "a JSON Schema of the output")}, nil
}

// versionGrammar is the grammar of Semantic Versioning 2.0.0.
var versionGrammar = regexp.MustCompile(`^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)` +
	`(-((0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?` +
	`(\+([0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*))?$`)

// versionRule is CAP-CAP-03, a SHOULD.
func versionRule(_ *instance.Workshop, m manifest) ([]defect, error) {
	if v, ok := m.text(memberVersion); !ok || versionGrammar.MatchString(v) {
		return nil, nil // a version that is no string is CAP-MAN-01's
	}
	return []defect{wrongType(m, memberVersion, "a semantic version such as 1.4.2")}, nil
}

// toolRule is CAP-GRAN-01, a SHOULD: a tool has neither prompt nor resources.
func toolRule(_ *instance.Workshop, m manifest) ([]defect, error) {
	if m[memberKind] != kindTool {
		return nil, nil
	}
	var found []defect
	if prompt, _ := m.text(memberPrompt); prompt != "" {
		found = append(found, wrongType(m, memberPrompt, "null or absent in a tool"))
	}
	if len(listOf(m[memberResources])) > 0 {
		found = append(found, wrongType(m, memberResources, "null or absent in a tool"))
	}
	return found, nil
}

// missing tells a member that is not there, which is less of a defect than a value of
// the wrong type.
func (d defect) missing() bool { return strings.HasSuffix(d.Message, isMissing) }

const isMissing = " is missing"

func wrongType(m manifest, member, want string) defect {
	v, present := m[member]
	d := defect{Pointer: "/" + member, Message: fmt.Sprintf("%s is not %s", member, want), Want: want, Got: suites.Print(v)}
	if v == nil {
		d.Message = member + isMissing
	}
	if !present {
		d.Got = "no such member"
	}
	return d
}

// compileSchema compiles the schema of a member; a value that is no schema at
// all is an *schemas.InvalidSchema like one that breaks its dialect.
func compileSchema(shop *instance.Workshop, m manifest, member string) (*instance.Template, error) {
	switch v := m[member].(type) {
	case map[string]any, bool:
		return shop.Template(v)
	default:
		return nil, &schemas.InvalidSchema{Message: "a JSON Schema is an object or a boolean"}
	}
}

func schemaDefect(m manifest, member string, err error) (defect, bool) {
	var invalid *schemas.InvalidSchema
	if !errors.As(err, &invalid) {
		return defect{}, false
	}
	d := wrongType(m, member, "a JSON Schema")
	d.Want = "a schema that is valid in its dialect"
	d.Got = invalid.Error() + ", in " + d.Got
	return d, true
}

func isString(v any) bool { _, ok := v.(string); return ok }

func isArray(v any) bool { _, ok := v.([]any); return ok }

// isResources takes a string or an object for a resource: the text does not say more.
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
