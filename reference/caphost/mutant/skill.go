package capmutant

import (
	"context"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// skills break what a tool and a skill are (CAP-GRAN) and what a skill's
// manifest holds (CAP-MAN-04).
func skills() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("tool-with-prompt", "CAP-GRAN-01", "Gives a tool a prompt template.",
			sets("prompt_template", "Mix the colours.")),
		newMutant("tool-with-resources", "CAP-GRAN-01", "Gives a tool bundled resources.",
			sets("resources", []any{map[string]any{"name": "chart"}})),
		newMutant("skill-not-invocable", "CAP-GRAN-04", "Lists a skill that invoke does not know.",
			skillByAnotherCall(func() (any, error) {
				outcome := caphost.Outcome{Failure: &caphost.Failure{Code: caphost.NotFound,
					Message: "skills are started elsewhere"}}
				return outcome.JSON(), nil
			})).WithRole("skill"),
		newMutant("skill-needs-other-call", "CAP-GRAN-04", "Refuses the invoke of a skill and wants another operation.",
			skillByAnotherCall(func() (any, error) {
				return nil, &rpc.Error{Number: rpc.InvalidParams, Message: "skills take vars, by skill.start"}
			})).WithRole("skill").AlsoBreaks("CAP-INV-01", "what is refused as an operation has no InvokeResult"),
		newMutant("skill-answers-text", "CAP-GRAN-04", "Answers the invoke of a skill with its filled prompt as bare text.",
			skillByAnotherCall(func() (any, error) {
				return "Say in two sentences what matters.", nil
			})).WithRole("skill").AlsoBreaks("CAP-INV-01", "bare text is no InvokeResult"),
	}
	for _, m := range []struct {
		name, summary string
		change        func(manifest map[string]any)
	}{
		{"without-permissions", "Leaves required_permissions out of a skill's manifest.",
			dropsMember("required_permissions")},
		{"null-permissions", "Gives null for a skill's required_permissions.", setsMember("required_permissions", nil)},
		{"without-resources", "Leaves resources out of a skill's manifest.", dropsMember("resources")},
		{"without-prompt", "Leaves prompt_template out of a skill's manifest.", dropsMember("prompt_template")},
		{"empty-prompt", "Gives a skill an empty prompt template.", setsMember("prompt_template", "")},
	} {
		broken = append(broken, newMutant("skill-"+m.name, "CAP-MAN-04", m.summary, editsSkill(m.change)).WithRole("skill"))
	}
	return append(broken, witnesses()...)
}

// witnesses break the reduction of a skill to a package (CAP-GRAN-05).
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
		{"fewer-permissions", "Leaves a declared permission out of the reduction.", "permissions", []any{}},
		{"other-prompt", "Reduces a skill to instructions that do not hold its prompt template.", "prompt_instructions",
			"Be brief."},
		{"no-resources", "Leaves the skill's resources out of the reduction.", "resources", []any{}},
		{"further-part", "Reduces a skill to something besides tools, instructions, resources and permissions.", "hooks",
			[]any{"after"}},
		{"no-tools", "Reduces a skill without saying to which tools.", "tools", nil},
		{"other-skill", "Reduces another skill than the one described.", "skill", ref("conformance.other")},
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

// editsSkill changes the manifest of the skill, where there is one.
func editsSkill(change func(manifest map[string]any)) defect {
	return func(h *caphost.Host) {
		if c := skill(h); c != nil {
			h.Replace(c.Ref, c.Edit(change))
		}
	}
}

func skillByAnotherCall(answer func() (any, error)) defect {
	return func(h *caphost.Host) {
		c, sound := skill(h), h.Invoke
		if c == nil {
			return
		}
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			if refOf(params) == c.Ref {
				return answer()
			}
			return sound(ctx, params)
		}
	}
}
