package acdmutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// soundAnswers is how many answers of an operation onceSeen leaves sound: the first
// look at an agent asks twice.
const soundAnswers = 2

// onceSeen breaks the answers of an operation but the first ones.
func onceSeen(operation string, change func(h *acdhost.Host, result object)) defect {
	return func(h *acdhost.Host) {
		var answered atomic.Int64
		answers(operation, func(_, result object) {
			if answered.Add(1) > soundAnswers {
				change(h, result)
			}
		})(h)
	}
}

// changedLater lists one descriptor with a wrong member, after the first look.
func changedLater(path string, value any) defect {
	return onceSeen(acdhost.OpList, func(h *acdhost.Host, result object) {
		id := victim(h)["capability_id"]
		for _, item := range itemsOf(result) {
			if descriptor, is := item.(object); is && descriptor["capability_id"] == id {
				acdhost.Set(descriptor, path, value)
			}
		}
	})
}

// laterDescriptions show a valid descriptor or manifest first and an invalid one later.
func laterDescriptions() []mutant.Mutant {
	manifest := func(path string, value any) defect {
		return onceSeen(acdhost.OpManifest, func(_ *acdhost.Host, result object) { acdhost.Set(result, path, value) })
	}
	return []mutant.Mutant{
		newMutant("later-version", "ACD-DESC-05", "Lists a descriptor with a number as version, after the first look.",
			changedLater("version", 7)),
		newMutant("later-kind", "ACD-DESC-07",
			"Lists a descriptor of a kind that the text does not have, after the first look.", changedLater("kind", "plugin")),
		newMutant("later-scope", "ACD-DESC-12", "Lists a descriptor with a list as scope, after the first look.",
			changedLater("exposure.scope", []any{"agent"})),
		newMutant("later-danger", "ACD-DESC-17",
			"Lists a descriptor with a danger level that the text does not have, after the first look.",
			changedLater("permissions.danger_level", "extreme")),
		newMutant("later-schema", "ACD-DESC-18", "Lists a descriptor with a broken input schema, after the first look.",
			changedLater("inputs.schema", object{"type": "text"})),
		newMutant("later-hooks", "ACD-DESC-23", "Lists a text as hooks, after the first look.",
			changedLater("lifecycle.hooks.post_invoke", "cap.identify")),
		newMutant("later-signed", "ACD-DESC-26", "Lists a text as a flag of the status, after the first look.",
			changedLater("status.signed", "no")),
		newMutant("later-manifest-version", "ACD-MAN-05", "Has a number as version of its manifest, after the first look.",
			manifest("version", 1)),
		newMutant("later-old-type", "ACD-DESC-02", "Lists a descriptor with an old type, after the first look.",
			changedLater("skill_type", "procedural")),
		newMutant("later-description", "ACD-DESC-06", "Lists a descriptor without a description, after the first look.",
			changedLater("description", nil)),
		newMutant("later-dependencies", "ACD-DESC-21", "Lists a text as dependencies, after the first look.",
			changedLater("dependencies.capabilities", "cap.identify")),
		newMutant("later-audit", "ACD-DESC-25", "Lists a text as a flag of the audit, after the first look.",
			changedLater("audit.log_inputs", "no")),
		newMutant("later-agent-id", "ACD-MAN-03", "Has a number as agent_id, after the first look.", manifest("agent_id", 7)),
		newMutant("later-manifest-name", "ACD-MAN-04", "Has no name in its manifest, after the first look.",
			manifest("name", nil)),
		newMutant("later-registry", "ACD-MAN-06", "Does not say where its registry is, after the first look.",
			manifest("capabilities.registry", nil)),
		newMutant("later-policies", "ACD-MAN-10", "Has a text in place of a list as a policy, after the first look.",
			manifest("policies.llm_required_for", "delegation")),
		newMutant("later-own-registry", "ACD-SDK1-07", "Has a registry of skills, after the first look.",
			manifest("skills_registry", object{"a": object{}})),
		newMutant("later-behaviour", "ACD-MAN-02", "Gives a channel a handler, after the first look.",
			onceSeen(acdhost.OpManifest, func(_ *acdhost.Host, result object) {
				channels, _ := result["channels"].([]any)
				for _, item := range channels {
					if channel, is := item.(object); is {
						acdhost.Set(channel, "handler", "web.Serve")
					}
				}
			})),
	}
}
