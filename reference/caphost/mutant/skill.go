package capmutant

import (
	"context"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// skills returns hosts that break the definition of tools and skills (CAP-GRAN) and the
// manifest of a skill (CAP-MAN-04).
func skills() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("tool-with-prompt", "CAP-GRAN-01", "Lists a tool with a prompt template.",
			sets("prompt_template", "Mix the colours.")),
		newMutant("tool-with-resources", "CAP-GRAN-01", "Lists a tool with bundled resources.",
			sets("resources", []any{map[string]any{"name": "chart"}})),
		newMutant("skill-not-invocable", "CAP-GRAN-04", "Lists a skill that invoke does not know.",
			skillByAnotherCall(func() (any, error) {
				outcome := caphost.Outcome{Failure: &caphost.Failure{Code: caphost.NotFound,
					Message: "skills are started elsewhere"}}
				return outcome.JSON(), nil
			})).WithRole("skill"),
		newMutant("skill-refuses-input", "CAP-ERR-02", "Refuses every input of a skill as invalid.",
			skillByAnotherCall(func() (any, error) {
				return caphost.Outcome{Failure: &caphost.Failure{Code: caphost.InvalidInput, Message: "no"}}.JSON(), nil
			})).WithRole("skill"),
		newMutant("skill-needs-other-call", "CAP-GRAN-04", "Refuses the invoke of a skill and requires another operation.",
			skillByAnotherCall(func() (any, error) {
				return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "skills take vars, by skill.start"}
			})).WithRole("skill").AlsoBreaks("CAP-INV-01", "a refused operation has no InvokeResult"),
		newMutant("skill-answers-text", "CAP-GRAN-04", "Answers the invoke of a skill with its filled prompt as bare text.",
			skillByAnotherCall(func() (any, error) {
				return "Say in two sentences what matters.", nil
			})).WithRole("skill").AlsoBreaks("CAP-INV-01", "bare text is not an InvokeResult"),
	}
	for _, m := range []struct {
		name, summary string
		change        func(manifest map[string]any)
	}{
		{"without-permissions", "Omits required_permissions in the manifest of a skill.",
			dropsMember("required_permissions")},
		{"null-permissions", "Returns null for the required_permissions of a skill.",
			setsMember("required_permissions", nil)},
		{"without-resources", "Omits resources in the manifest of a skill.", dropsMember("resources")},
		{"without-prompt", "Omits prompt_template in the manifest of a skill.", dropsMember("prompt_template")},
		{"empty-prompt", "Returns an empty prompt template for a skill.", setsMember("prompt_template", "")},
	} {
		broken = append(broken, newMutant("skill-"+m.name, "CAP-MAN-04", m.summary, editsSkill(m.change)).WithRole("skill"))
	}
	return append(broken, witnesses()...)
}

// witnesses returns hosts that break the reduction of a skill to a package (CAP-GRAN-05).
func witnesses() []mutant.Mutant {
	ref := func(id string) map[string]any { return caphost.Ref{ID: id, Version: "1.0.0"}.JSON() }
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary, member string
		value                 any
	}{
		{"unknown-tool", "Reduces a skill to a tool that does not exist.", "tools", []any{ref("conformance.nothing")}},
		{"unknown-tool-version", "Reduces a skill to a version of a tool that does not exist.", "tools",
			[]any{caphost.Ref{ID: "conformance.echo", Version: "7.0.0"}.JSON()}},
		{"skill-as-tool", "Reduces a skill to itself.", "tools", []any{ref("conformance.brief")}},
		{"tool-names", "Reduces a skill to names of tools instead of references.", "tools", []any{"conformance.echo"}},
		{"undeclared-permission", "Reduces a skill to a tool whose permission the skill does not declare.", "tools",
			[]any{ref("conformance.restricted")}},
		{"fewer-permissions", "Omits a declared permission in the reduction.", "permissions", []any{}},
		{"other-prompt", "Reduces a skill to instructions that do not contain its prompt template.", "prompt_instructions",
			"Be brief."},
		{"no-resources", "Omits the resources of the skill in the reduction.", "resources", []any{}},
		{"further-part", "Reduces a skill to an additional part besides tools, instructions, resources and permissions.",
			"hooks",
			[]any{"after"}},
		{"no-tools", "Omits the tools in the reduction of a skill.", "tools", nil},
		{"other-skill", "Names another skill than the described one in a reduction.", "skill", ref("conformance.other")},
	} {
		broken = append(broken, newMutant("reduction-"+m.name, "CAP-GRAN-05", m.summary,
			editsSkill(func(manifest map[string]any) {
				if reduction, isObject := manifest["conformance.reduction"].(map[string]any); isObject {
					reduction[m.member] = m.value
				}
			})).WithRole("skill"))
	}
	return broken
}

func dropsMember(member string) func(map[string]any) {
	return func(manifest map[string]any) { delete(manifest, member) }
}

func setsMember(member string, value any) func(map[string]any) {
	return func(manifest map[string]any) { manifest[member] = value }
}

// editsSkill changes the manifest of the skill, if there is one.
func editsSkill(change func(manifest map[string]any)) defect {
	return func(h *caphost.Host) {
		if c := skill(h); c != nil {
			h.Replace(c.Ref, c.Edit(change))
		}
	}
}

func skillByAnotherCall(answer func() (any, error)) defect {
	return func(h *caphost.Host) {
		c, original := skill(h), h.Invoke
		if c == nil {
			return
		}
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			if refOf(params) == c.Ref {
				return answer()
			}
			return original(ctx, params)
		}
	}
}
