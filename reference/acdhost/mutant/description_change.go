package acdmutant

import (
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// validAnswers is the number of answers of an operation that afterFirstAnswers leaves valid: the
// suite's first reading asks twice.
const validAnswers = 2

// afterFirstAnswers breaks the answers of an operation except the first ones.
func afterFirstAnswers(operation string, change func(h *acdhost.Host, result object)) defect {
	return func(h *acdhost.Host) {
		var answered atomic.Int64
		changesResult(operation, func(_, result object) {
			if answered.Add(1) > validAnswers {
				change(h, result)
			}
		})(h)
	}
}

// changedLater lists one descriptor with an invalid member, after the first reading.
func changedLater(path string, value any) defect {
	return afterFirstAnswers(acdhost.OpList, func(h *acdhost.Host, result object) {
		id := victim(h)["capability_id"]
		for _, item := range itemsOf(result) {
			if descriptor, is := item.(object); is && descriptor["capability_id"] == id {
				acdhost.Set(descriptor, path, value)
			}
		}
	})
}

// laterDescriptions returns agents that first show a valid descriptor or manifest and later an invalid one.
func laterDescriptions() []mutant.Mutant {
	manifest := func(path string, value any) defect {
		return afterFirstAnswers(acdhost.OpManifest, func(_ *acdhost.Host, result object) { acdhost.Set(result, path, value) })
	}
	return []mutant.Mutant{
		newMutant("later-version", "ACD-DESC-05", "Lists a descriptor with a number as version, after the first reading.",
			changedLater("version", 7)),
		newMutant("later-kind", "ACD-DESC-07",
			"Lists a descriptor of a kind that the text does not define, after the first reading.",
			changedLater("kind", "plugin")),
		newMutant("later-scope", "ACD-DESC-12", "Lists a descriptor with a list as scope, after the first reading.",
			changedLater("exposure.scope", []any{"agent"})),
		newMutant("later-danger", "ACD-DESC-17",
			"Lists a descriptor with a danger level that the text does not define, after the first reading.",
			changedLater("permissions.danger_level", "extreme")),
		newMutant("later-schema", "ACD-DESC-18",
			"Lists a descriptor with an invalid input schema, after the first reading.",
			changedLater("inputs.schema", object{"type": "text"})),
		newMutant("later-hooks", "ACD-DESC-23", "Lists a descriptor with a string as hooks, after the first reading.",
			changedLater("lifecycle.hooks.post_invoke", "cap.identify")),
		newMutant("later-signed", "ACD-DESC-26",
			"Lists a descriptor with a string as status.signed, after the first reading.",
			changedLater("status.signed", "no")),
		newMutant("later-manifest-version", "ACD-MAN-05",
			"Has a number as the version of its manifest, after the first reading.",
			manifest("version", 1)),
		newMutant("later-old-type", "ACD-DESC-02", "Lists a descriptor with an old type, after the first reading.",
			changedLater("skill_type", "procedural")),
		newMutant("later-description", "ACD-DESC-06",
			"Lists a descriptor without a description, after the first reading.",
			changedLater("description", nil)),
		newMutant("later-dependencies", "ACD-DESC-21",
			"Lists a descriptor with a string as dependencies, after the first reading.",
			changedLater("dependencies.capabilities", "cap.identify")),
		newMutant("later-audit", "ACD-DESC-25",
			"Lists a descriptor with a string as audit.log_inputs, after the first reading.",
			changedLater("audit.log_inputs", "no")),
		newMutant("later-agent-id", "ACD-MAN-03", "Has a number as agent_id, after the first reading.",
			manifest("agent_id", 7)),
		newMutant("later-manifest-name", "ACD-MAN-04", "Has no name in its manifest, after the first reading.",
			manifest("name", nil)),
		newMutant("later-registry", "ACD-MAN-06", "Does not say where its registry is, after the first reading.",
			manifest("capabilities.registry", nil)),
		newMutant("later-policies", "ACD-MAN-10", "Has a string instead of a list as a policy, after the first reading.",
			manifest("policies.llm_required_for", "delegation")),
		newMutant("later-own-registry", "ACD-SDK1-07", "Has a registry of skills, after the first reading.",
			manifest("skills_registry", object{"a": object{}})),
		newMutant("later-behaviour", "ACD-MAN-02", "Gives a channel a handler, after the first reading.",
			afterFirstAnswers(acdhost.OpManifest, func(_ *acdhost.Host, result object) {
				channels, _ := result["channels"].([]any)
				for _, item := range channels {
					if channel, is := item.(object); is {
						acdhost.Set(channel, "handler", "web.Serve")
					}
				}
			})),
	}
}
