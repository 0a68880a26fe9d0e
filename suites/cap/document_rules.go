package capsuite

import "github.com/capconform/capconform/suites/lint"

// The kinds of documents that a scenario may need.
const (
	kindCapabilities = "capabilities"
	kindManifests    = "manifests"
	kindSkills       = "skills"
	kindTools        = "tools"
	kindAAP          = "documents of AAP"
	kindHACP         = "documents of HACP"
	kindTasks        = "tasks or references"
	kindNames        = "names of capabilities"
	kindReferences   = "references to capabilities"
)

var documentKinds = []string{
	kindCapabilities, kindManifests, kindSkills, kindTools, kindAAP, kindHACP, kindTasks, kindNames, kindReferences,
}

// The requirements on documents.
const (
	idWhole          = "CAP-CAP-01"
	idPair           = "CAP-CAP-02"
	idVersion        = "CAP-CAP-03"
	idKind           = "CAP-CAP-04"
	idTypes          = "CAP-MAN-01"
	idInput          = "CAP-MAN-02"
	idOutput         = "CAP-MAN-03"
	idTool           = "CAP-GRAN-01"
	idSkill          = "CAP-MAN-04"
	idReduction      = "CAP-GRAN-05"
	idShown          = "CAP-MCP-03"
	idReference      = "CAP-REF-02"
	idAlone          = "CAP-REF-04"
	idUpperTransport = "CAP-REF-03"
	idAgentTransport = "CAP-IL-02"
	idCall           = "CAP-IL-03"
)

// documentRules are the requirements on documents: first those of a capability source, then those
// of upper layers.
var documentRules = []lint.Rule{
	{ID: idWhole, Sentence: "each capability has its four members and agrees with its manifest",
		Broken: "a Capability document is incomplete or contradicts its manifest",
		Want:   "capability_id, version, kind and manifest, the first three as in the manifest"},
	{ID: idPair, Sentence: "no two manifests have the same pair of id and version",
		Broken: "two manifests have the same pair of id and version", Want: "each pair of capability_id and version once"},
	{ID: idVersion, Sentence: "each manifest has a semantic version", Broken: "a version is not a semantic version",
		Want: "a version such as 1.4.2"},
	{ID: idKind, Sentence: "each manifest is of the kind tool or skill", Broken: "a kind is neither tool nor skill",
		Want: `"tool" or "skill"`},
	{ID: idTypes, Sentence: "each manifest has members of the printed types",
		Broken: "a member of a manifest is not of its printed type",
		Want:   "the members of CapabilityManifest with their types"},
	{ID: idInput, Sentence: "each manifest has an input schema that is a JSON Schema",
		Broken: "an input schema is missing or is not a JSON Schema", Want: "input_schema, valid in its dialect"},
	{ID: idOutput, Sentence: "each manifest has an output schema", Broken: "an output schema is missing",
		Want: "output_schema"},
	{ID: idTool, Sentence: "each tool has neither prompt template nor resources",
		Broken: "a tool has a prompt template or resources", Want: "neither, or kind skill"},
	{ID: idSkill, Sentence: "each skill has the members that its Skills system supports",
		Broken: "a skill lacks a member that its Skills system supports",
		Want:   "prompt_template, resources and required_permissions, as far as they are supported"},
	{ID: idReduction, Sentence: "each skill can be reduced to tools, prompt instructions, resources and permissions",
		Broken: "the reduction of a skill is wrong",
		Want:   "a reduction that agrees with the skill and with the manifests of its tools"},
	{ID: idShown, Sentence: "no manifest contains transport details", Broken: "a manifest shows details of a transport",
		Want: "no command, address, header or session of the transport"},
	{ID: idReference, Sentence: "each capability is named by a CapabilityRef",
		Broken: "a capability is not named by a CapabilityRef", Want: `{"capability_id": ..., "version": ...}`},
	{ID: idAlone, Sentence: "every capability is named only by a CapabilityRef",
		Broken: "a capability is named in another way than by a CapabilityRef",
		Want:   "only references, where capabilities are named"},
	{ID: idUpperTransport, Sentence: "no document of HACP depends on a transport",
		Broken: "a document of an upper layer depends on a transport",
		Want:   "capabilities by reference, without transport details"},
	{ID: idAgentTransport, Sentence: "no document of AAP depends on a transport",
		Broken: "a document of AAP depends on a transport", Want: "capabilities by reference, without transport details"},
	{ID: idCall, Sentence: "no document of HACP calls a tool", Broken: "a document of HACP calls a tool",
		Want: "capabilities declared in constraints, and no call"},
}

var documentVocabulary = lint.NewVocabulary(documentKinds, documentRules)
