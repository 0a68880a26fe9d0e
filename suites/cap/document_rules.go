package capsuite

import "github.com/capconform/capconform/suites/lint"

// The kinds of things that a scenario may need among the documents.
const (
	heldCapabilities = "capabilities"
	heldManifests    = "manifests"
	heldSkills       = "skills"
	heldTools        = "tools"
	heldAAP          = "documents of AAP"
	heldHACP         = "documents of HACP"
	heldTasks        = "tasks or references"
	heldNames        = "names of capabilities"
	heldReferences   = "references to capabilities"
)

var heldKinds = []string{
	heldCapabilities, heldManifests, heldSkills, heldTools, heldAAP, heldHACP, heldTasks, heldNames, heldReferences,
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

// documentRules are the requirements on documents: those on what a capability source
// shows, then those on the layers above it.
var documentRules = []lint.Rule{
	{ID: idWhole, Sentence: "each capability has its four members and agrees with its manifest",
		Broken: "a Capability document is not whole",
		Want:   "capability_id, version, kind and manifest, the first three as in the manifest"},
	{ID: idPair, Sentence: "no two manifests have the same pair of id and version",
		Broken: "two manifests have the same pair of id and version", Want: "each pair of capability_id and version once"},
	{ID: idVersion, Sentence: "each manifest has a semantic version", Broken: "a version is no semantic version",
		Want: "a version such as 1.4.2"},
	{ID: idKind, Sentence: "each manifest is of the kind tool or skill", Broken: "a kind is neither tool nor skill",
		Want: `"tool" or "skill"`},
	{ID: idTypes, Sentence: "each manifest has members of the printed types",
		Broken: "a member of a manifest is not of its printed type",
		Want:   "the members of CapabilityManifest with their types"},
	{ID: idInput, Sentence: "each manifest has an input schema that is a JSON Schema",
		Broken: "an input schema is missing or is no JSON Schema", Want: "input_schema, valid in its dialect"},
	{ID: idOutput, Sentence: "each manifest has an output schema", Broken: "an output schema is missing",
		Want: "output_schema"},
	{ID: idTool, Sentence: "each tool has neither prompt template nor resources",
		Broken: "a tool has a prompt template or resources", Want: "neither, or kind skill"},
	{ID: idSkill, Sentence: "each skill has the members that its Skills system supports",
		Broken: "a skill lacks a member that its Skills system supports",
		Want:   "prompt_template, resources and required_permissions, as far as they are supported"},
	{ID: idReduction, Sentence: "each skill can be reduced to tools, prompt instructions, resources and permissions",
		Broken: "the reduction of a skill does not hold",
		Want:   "a reduction that agrees with the skill and with the manifests of its tools"},
	{ID: idShown, Sentence: "no manifest contains transport details", Broken: "a manifest shows details of a transport",
		Want: "no command, address, header or session of the transport"},
	{ID: idReference, Sentence: "each capability is named by a CapabilityRef",
		Broken: "a capability is not named by a CapabilityRef", Want: `{"capability_id": ..., "version": ...}`},
	{ID: idAlone, Sentence: "every capability is named only by a CapabilityRef",
		Broken: "a capability is named in another way than by a CapabilityRef",
		Want:   "references alone, where capabilities are named"},
	{ID: idUpperTransport, Sentence: "no document of HACP depends on a transport",
		Broken: "a document of an upper layer leans on a transport",
		Want:   "capabilities by reference, without the way to them"},
	{ID: idAgentTransport, Sentence: "no document of AAP depends on a transport",
		Broken: "a document of AAP leans on a transport", Want: "capabilities by reference, without the way to them"},
	{ID: idCall, Sentence: "no document of HACP calls a tool", Broken: "a document of HACP calls a tool",
		Want: "capabilities declared in constraints, and no call"},
}

var documentVocabulary = lint.NewVocabulary(heldKinds, documentRules)
