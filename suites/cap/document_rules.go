package capsuite

import (
	"slices"

	"github.com/capconform/capconform/reports"
)

// documentRule is one requirement as it is seen on documents.
type documentRule struct {
	sentence string // of the feature
	broken   string // the message of its violation
	want     string
	// judge finds every place that breaks the rule. Its error says why nothing
	// can be said, and counts only where there is no finding.
	judge func(*inspection) ([]reports.Finding, error)
}

func documentSentences() []string {
	var all []string
	for _, r := range documentRules() {
		all = append(all, r.sentence)
	}
	return all
}

func documentRules() []documentRule { return slices.Concat(sourceRules(), upperRules()) }

// sourceRules are about what a capability source shows.
func sourceRules() []documentRule {
	return []documentRule{
		{
			"each capability has its four members and agrees with its manifest",
			"a Capability document is not whole", "capability_id, version, kind and manifest, the first three as in the manifest", capabilitiesAgree,
		},
		{
			"no two manifests have the same pair of id and version",
			"two manifests have the same pair of id and version", "each pair of capability_id and version once", pairsDiffer,
		},
		{
			"each manifest has a semantic version",
			"a version is no semantic version", "a version such as 1.4.2", eachManifest(versionRule),
		},
		{
			"each manifest is of the kind tool or skill",
			"a kind is neither tool nor skill", `"tool" or "skill"`, eachManifest(kindRule),
		},
		{
			"each manifest has members of the printed types",
			"a member of a manifest is not of its printed type", "the members of CapabilityManifest with their types", manifestsTyped,
		},
		{
			"each manifest has an input schema that is a JSON Schema",
			"an input schema is missing or is no JSON Schema", "input_schema, valid in its dialect", eachManifest(inputSchemaRule),
		},
		{
			"each manifest has an output schema",
			"an output schema is missing", "output_schema", eachManifest(outputDeclaredRule),
		},
		{
			"each tool has neither prompt template nor resources",
			"a tool has a prompt template or resources", "neither, or kind skill", eachManifest(toolRule),
		},
		{
			"each skill has the members that its Skills system supports",
			"a skill lacks a member that its Skills system supports", "prompt_template, resources and required_permissions, as far as they are supported", skillsWhole,
		},
		{
			"each skill is reducible to tools, prompt instructions, resources and permissions",
			"the reduction of a skill does not hold", "a reduction that agrees with the skill and with the manifests of its tools", skillsReducible,
		},
		{
			"no manifest shows details of a transport",
			"a manifest shows details of a transport", "no command, address, header or session in the printed members", manifestsHideTransport,
		},
	}
}

// upperRules are about documents of the layers above it.
func upperRules() []documentRule {
	return []documentRule{
		{
			"each capability is named by a CapabilityRef",
			"a capability is not named by a CapabilityRef", `{"capability_id": ..., "version": ...}`, referencesAreRefs,
		},
		{
			"each CapabilityRef holds its two members alone",
			"something stands in a CapabilityRef beside its two members", "capability_id and version and nothing else", referencesStandAlone,
		},
		{
			"no document of HACP leans on a transport",
			"a document of an upper layer leans on a transport", "capabilities by reference, without the way to them", transportIn(layerHACP, layerUpper),
		},
		{
			"no document of AAP leans on a transport",
			"a document of AAP leans on a transport", "capabilities by reference, without the way to them", transportIn(layerAAP),
		},
		{
			"no document of HACP calls a tool",
			"a document of HACP calls a tool", "capabilities declared in constraints, and no call", noCalls,
		},
	}
}
