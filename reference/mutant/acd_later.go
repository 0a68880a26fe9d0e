package mutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
)

// soundAnswers is how many answers of an operation onceSeen leaves sound: the first
// look at an agent asks twice.
const soundAnswers = 2

// onceSeen breaks the answers of an operation but the first ones.
func onceSeen(operation string, change func(h *acdhost.Host, result object)) acdDefect {
	return func(h *acdhost.Host) {
		var answered atomic.Int64
		answers(operation, func(_, result object) {
			if answered.Add(1) > soundAnswers {
				change(h, result)
			}
		})(h)
	}
}

// laterDescriptor lists one descriptor with a wrong member, after the first look.
func laterDescriptor(path string, value any) acdDefect {
	return onceSeen(acdhost.OpList, func(h *acdhost.Host, result object) {
		id := acdVictim(h)["capability_id"]
		for _, item := range itemsOf(result) {
			if descriptor, is := item.(object); is && descriptor["capability_id"] == id {
				acdhost.Set(descriptor, path, value)
			}
		}
	})
}

// acdLater break what was sound when the agent was looked at first: a descriptor or a
// manifest has to be sound whenever it is shown.
func acdLater() []Mutant {
	manifest := func(path string, value any) acdDefect {
		return onceSeen(acdhost.OpManifest, func(_ *acdhost.Host, result object) { acdhost.Set(result, path, value) })
	}
	return []Mutant{
		acdMutant("later-version", "ACD-DESC-05", "Lists a descriptor with a number as version, after the first look.", laterDescriptor("version", 7)),
		acdMutant("later-kind", "ACD-DESC-07", "Lists a descriptor of a kind that the text does not have, after the first look.", laterDescriptor("kind", "plugin")),
		acdMutant("later-scope", "ACD-DESC-12", "Lists a descriptor with a list as scope, after the first look.", laterDescriptor("exposure.scope", []any{"agent"})),
		acdMutant("later-danger", "ACD-DESC-17", "Lists a descriptor with a danger level that the text does not have, after the first look.", laterDescriptor("permissions.danger_level", "extreme")),
		acdMutant("later-schema", "ACD-DESC-18", "Lists a descriptor with a broken input schema, after the first look.", laterDescriptor("inputs.schema", object{"type": "text"})),
		acdMutant("later-hooks", "ACD-DESC-23", "Lists a text as hooks, after the first look.", laterDescriptor("lifecycle.hooks.post_invoke", "cap.identify")),
		acdMutant("later-signed", "ACD-DESC-26", "Lists a text as a flag of the status, after the first look.", laterDescriptor("status.signed", "no")),
		acdMutant("later-manifest-version", "ACD-MAN-05", "Has a number as version of its manifest, after the first look.", manifest("version", 1)),
		acdMutant("later-old-type", "ACD-DESC-02", "Lists a descriptor with an old type, after the first look.", laterDescriptor("skill_type", "procedural")),
		acdMutant("later-description", "ACD-DESC-06", "Lists a descriptor without a description, after the first look.", laterDescriptor("description", nil)),
		acdMutant("later-dependencies", "ACD-DESC-21", "Lists a text as dependencies, after the first look.", laterDescriptor("dependencies.capabilities", "cap.identify")),
		acdMutant("later-audit", "ACD-DESC-25", "Lists a text as a flag of the audit, after the first look.", laterDescriptor("audit.log_inputs", "no")),
		acdMutant("later-agent-id", "ACD-MAN-03", "Has a number as agent_id, after the first look.", manifest("agent_id", 7)),
		acdMutant("later-manifest-name", "ACD-MAN-04", "Has no name in its manifest, after the first look.", manifest("name", nil)),
		acdMutant("later-registry", "ACD-MAN-06", "Does not say where its registry is, after the first look.", manifest("capabilities.registry", nil)),
		acdMutant("later-policies", "ACD-MAN-10", "Has a text in place of a list as a policy, after the first look.", manifest("policies.llm_required_for", "delegation")),
		acdMutant("later-own-registry", "ACD-SDK1-07", "Has a registry of skills, after the first look.", manifest("skills_registry", object{"a": object{}})),
		acdMutant("later-behaviour", "ACD-MAN-02", "Gives a channel a handler, after the first look.", onceSeen(acdhost.OpManifest, func(_ *acdhost.Host, result object) {
			channels, _ := result["channels"].([]any)
			for _, item := range channels {
				if channel, is := item.(object); is {
					acdhost.Set(channel, "handler", "web.Serve")
				}
			}
		})),
	}
}
