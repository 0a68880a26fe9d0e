package acpsuite

import "github.com/capconform/capconform/suites/lint"

// The kinds of things that a scenario may need among the documents.
const (
	heldPackages   = "packages"
	heldSchemas    = "schemas"
	heldPrompts    = "prompts"
	heldTools      = "tools"
	heldBindings   = "tool bindings"
	heldModels     = "LLM requirements"
	heldTriggers   = "triggers"
	heldDrafts     = "drafts"
	heldSignatures = "signatures" // what may be missing in a draft
	heldUpgrades   = "upgrades"
)

var heldKinds = []string{heldPackages, heldSchemas, heldPrompts, heldTools, heldBindings, heldModels, heldTriggers,
	heldDrafts, heldSignatures, heldUpgrades}

// The requirements on packages.
const (
	idSuffix      = "ACP-ABS-01"
	idDocument    = "ACP-TERM-01"
	idUsualSchema = "ACP-TERM-04"
	idUsualName   = "ACP-TERM-07"
	idSameName    = "ACP-TERM-08"
	idMetadata    = "ACP-FILE-01"
	idSchema      = "ACP-FILE-02"
	idPrompt      = "ACP-FILE-03"
	idTools       = "ACP-FILE-04"
	idBindings    = "ACP-FILE-05"
	idDialect     = "ACP-FILE-06"
	idParameters  = "ACP-FILE-07"
	idToolTwice   = "ACP-FILE-08"
	idToolName    = "ACP-FILE-09"
	idUnknownKey  = "ACP-FILE-10"
	idNotation    = "ACP-FILE-11"
	idTexts       = "ACP-FILE-12"
	idURI         = "ACP-FIELD-01"
	idSchemaURI   = "ACP-FIELD-03"
	idFixedURI    = "ACP-FIELD-04"
	idTriggers    = "ACP-FIELD-05"
	idModels      = "ACP-FIELD-07"
	idSignature   = "ACP-FIELD-13"
	idVersion     = "ACP-FIELD-14"
	idRegex       = "ACP-FIELD-16"
	idNoTriggers  = "ACP-FIELD-17"
	idTriggerType = "ACP-FIELD-18"
	idBothEngines = "ACP-FIELD-19"
	idDraft       = "ACP-FIELD-20"
	idTriggerForm = "ACP-FIELD-21"
	idUnbound     = "ACP-BIND-02"
	idBoundTool   = "ACP-BIND-03"
	idBindingType = "ACP-BIND-04"
	idPlaceholder = "ACP-BIND-20"
	idBoundState  = "ACP-BIND-21"
	idCRDT        = "ACP-STATE-10"
	idPermissions = "ACP-STATE-16"
	idASM         = "ACP-STATE-17"
	idCRDTType    = "ACP-STATE-18"
	idScope       = "ACP-STATE-19"
	idVerbs       = "ACP-STATE-20"
	idSchemaRises = "ACP-COMP-02"
	idSchemaSame  = "ACP-COMP-03"
	idRises       = "ACP-COMP-04"
)

// The built-in tools with the requirement that each be declared.
var declarations = []struct{ tool, id string }{
	{"state.create", "ACP-STATE-08"}, {"state.update", "ACP-STATE-13"}, {"state.query", "ACP-STATE-14"},
	{"state.delete", "ACP-STATE-15"},
}

// documentRules are the requirements as they are seen on packages.
var documentRules = []lint.Rule{
	{ID: idSuffix, Sentence: "each package lies in a file whose name ends in .acp.yaml",
		Broken: "the name of a file and what it holds do not fit together",
		Want:   "a package in a file whose name ends in .acp.yaml"},
	{ID: idDocument, Sentence: "each package is one YAML document", Broken: "a file is not one YAML document",
		Want: "one document, a mapping, with no key twice"},
	{ID: idUsualSchema, Sentence: "each schema URI has a usual form", Broken: "a schema URI has no usual form",
		Want: "did:nuwa:state:NAME#v1"},
	{ID: idUsualName,
		Sentence: "each name in a capability URI keeps to lower-case letters, digits, hyphens and underscores",
		Broken:   "the name of a capability has unusual characters",
		Want:     "lower-case letters, digits, hyphens and underscores"},
	{ID: idSameName, Sentence: "each schema URI names the state after the capability",
		Broken: "the schema URI names the state otherwise than the capability", Want: "the name of metadata.id"},
	{ID: idMetadata, Sentence: "each package has its metadata", Broken: "a package has no metadata",
		Want: "metadata, a mapping"},
	{ID: idSchema, Sentence: "each package has its schema", Broken: "a package has no schema that is a string",
		Want: "schema, a string that holds a JSON Schema"},
	{ID: idPrompt, Sentence: "each prompt is a string", Broken: "the prompt is no string", Want: "a string"},
	{ID: idTools, Sentence: "each tool is a function in the form of OpenAI", Broken: "a tool has not the form of OpenAI",
		Want: "a list of {type: function, function: {name, description, parameters}}"},
	{ID: idBindings, Sentence: "each tool_bindings is a mapping",
		Broken: "tool_bindings is no mapping", Want: "a mapping"},
	{ID: idDialect, Sentence: "each schema is a JSON Schema of the dialect 2020-12",
		Broken: "the schema is no JSON Schema of 2020-12", Want: "JSON text, an object, valid in 2020-12"},
	{ID: idParameters, Sentence: "each parameters of a tool is a JSON Schema of type object",
		Broken: "the parameters of a tool are no JSON Schema of type object", Want: "a JSON Schema whose type is object"},
	{ID: idToolTwice, Sentence: "no two tools of a package have one name", Broken: "two tools have one name",
		Want: "a name for each tool"},
	{ID: idToolName, Sentence: "each name of a tool has the form that OpenAI allows, dots beside it",
		Broken: "the name of a tool has other characters than are allowed",
		Want:   "letters, digits, hyphens, underscores and dots, 64 at most"},
	{ID: idUnknownKey, Sentence: "each key of a package is one that the text knows",
		Broken: "a package has a key that the text does not know",
		Want:   "the keys of the text, and those that begin with x-"},
	{ID: idNotation, Sentence: "each package does without anchors, merge keys and custom tags",
		Broken: "a package uses what not every reader of YAML takes", Want: "plain YAML"},
	{ID: idTexts, Sentence: "each name and description of a package is a string",
		Broken: "name or description is no string", Want: "a string"},
	{ID: idURI, Sentence: "each id of a package is a capability URI", Broken: "the id of a package is no capability URI",
		Want: "did:nuwa:cap:NAME@1.0.0"},
	{ID: idSchemaURI, Sentence: "each schema has a schema URI as $id", Broken: "the $id of a schema is no schema URI",
		Want: "an absolute URI, such as did:nuwa:state:NAME#v1"},
	{ID: idFixedURI, Sentence: "each schema_uri that a state tool fixes is the $id of the schema",
		Broken: "a state tool fixes a schema_uri that is not the schema's", Want: "the $id of the schema"},
	{ID: idTriggers, Sentence: "each trigger holds a regular expression, a keyword or a hash",
		Broken: "triggers are no list of regular expressions, keywords and hashes",
		Want:   "a list of {type, value}, or of texts"},
	{ID: idTriggerForm, Sentence: "each trigger has its type and value",
		Broken: "a trigger has another form than those of the examples", Want: "{type, value}, both strings"},
	{ID: idModels, Sentence: "each llm_requirements is an object",
		Broken: "llm_requirements is no object", Want: "an object"},
	{ID: "ACP-FIELD-08", Sentence: "each model_family is a list of strings", Broken: "model_family is no list of strings",
		Want: "a list of strings"},
	{ID: "ACP-FIELD-09", Sentence: "each specific_model_uri is a string",
		Broken: "specific_model_uri is no string", Want: "a string"},
	{ID: "ACP-FIELD-10", Sentence: "each min_context_window is an integer",
		Broken: "min_context_window is no integer", Want: "an integer"},
	{ID: "ACP-FIELD-11", Sentence: "each required_features is a list of strings",
		Broken: "required_features is no list of strings", Want: "a list of strings"},
	{ID: idSignature, Sentence: "each signature is one of the author over the file",
		Broken: "a package has no signature of its author", Want: "a signature of the file by a key of the author's",
		Hint: "signatures are judged by a profile of this project: see --signature-profile, --author-did and --did-document"},
	{ID: idVersion, Sentence: "each version in the id of a package is a semantic version",
		Broken: "the version in the id of a package is no semantic version", Want: "three numbers, as in 1.0.0"},
	{ID: idRegex, Sentence: "each value of a regex trigger is a regular expression",
		Broken: "the value of a regex trigger is no regular expression", Want: "what RE2 or ECMAScript can read"},
	{ID: idNoTriggers, Sentence: "each package has triggers", Broken: "a package has no triggers",
		Want: "a trigger at least"},
	{ID: idTriggerType, Sentence: "each trigger is of the type regex, keyword or embedding",
		Broken: "a trigger is of another type", Want: "regex, keyword or embedding"},
	{ID: idBothEngines, Sentence: "each regular expression is one for RE2 and ECMAScript",
		Broken: "a regular expression works in one engine alone", Want: "what RE2 and ECMAScript can both read"},
	{ID: idDraft, Sentence: "each draft bears a signature that can be decoded", Broken: "a draft bears no signature yet",
		Want: "a signature, before the package is published"},
	{ID: idUnbound, Sentence: "each tool that is not built in has a binding",
		Broken: "a tool is neither built in nor bound", Want: "an entry in tool_bindings"},
	{ID: idBoundTool, Sentence: "each key of tool_bindings is the name of a tool", Broken: "a binding is for no tool",
		Want: "the name of a tool, letter by letter"},
	{ID: idBindingType, Sentence: "each binding says its type", Broken: "a binding does not say its type",
		Want: "an object with a type"},
	{ID: "ACP-BIND-12", Sentence: "each binding of type http_get has its url",
		Broken: "a binding of type http_get has no url", Want: "url, an absolute http or https address or a template"},
	{ID: "ACP-BIND-13", Sentence: "each binding of type http_post has its url",
		Broken: "a binding of type http_post has no url", Want: "url, an absolute http or https address or a template"},
	{ID: "ACP-BIND-14", Sentence: "each binding of type nuwa_a2a has its target_did",
		Broken: "a binding of type nuwa_a2a has no target_did", Want: "target_did, a DID or a placeholder"},
	{ID: "ACP-BIND-15", Sentence: "each binding of type nuwa_a2a has its service_method",
		Broken: "a binding of type nuwa_a2a has no service_method", Want: "service_method, a string"},
	{ID: "ACP-BIND-16", Sentence: "each binding of type mcp_service has its service_uri",
		Broken: "a binding of type mcp_service has no service_uri", Want: "service_uri, an absolute URI or a placeholder"},
	{ID: "ACP-BIND-17", Sentence: "each binding of type mcp_service has its mcp_action",
		Broken: "a binding of type mcp_service has no mcp_action", Want: "mcp_action, a string"},
	{ID: idPlaceholder, Sentence: "each placeholder in a binding names a parameter of its tool",
		Broken: "a placeholder names no parameter of its tool", Want: "the name of a parameter"},
	{ID: idBoundState, Sentence: "each built-in tool is without a binding", Broken: "a built-in tool is bound",
		Want: "no binding: the runtime executes the tool itself"},
	{ID: "ACP-STATE-08", Sentence: "each package with the tool state.create declares it",
		Broken: "state.create is used and not declared", Want: "state.create in metadata.permissions.require"},
	{ID: idCRDT, Sentence: "each x-crdt is a strategy of the state model",
		Broken: "x-crdt is no strategy of the state model",
		Want:   "lww_register, mv_register, rga_text, grow_only_set, or_map, counter, flag or log_rga"},
	{ID: "ACP-STATE-13", Sentence: "each package with the tool state.update declares it",
		Broken: "state.update is used and not declared", Want: "state.update in metadata.permissions.require"},
	{ID: "ACP-STATE-14", Sentence: "each package with the tool state.query declares it",
		Broken: "state.query is used and not declared", Want: "state.query in metadata.permissions.require"},
	{ID: "ACP-STATE-15", Sentence: "each package with the tool state.delete declares it",
		Broken: "state.delete is used and not declared", Want: "state.delete in metadata.permissions.require"},
	{ID: idPermissions, Sentence: "each permissions.require is a list of strings",
		Broken: "permissions.require is no list of strings", Want: "an object whose require is a list of strings"},
	{ID: idASM, Sentence: "each x-asm has the form of the state model", Broken: "x-asm has not the form of the state model", Want: "an object with the members and words of NIP-8"},
	{ID: idCRDTType, Sentence: "each x-crdt fits the type of its member", Broken: "a strategy does not fit the type of its member", Want: "a strategy for this type"},
	{ID: idScope, Sentence: "each memory_scope is sc, a colon and a name", Broken: "memory_scope has not the usual form", Want: "sc:NAME"},
	{ID: idVerbs, Sentence: "each tool and permission below state is one of the four verbs", Broken: "what begins with state is none of the four verbs", Want: "state.create, state.update, state.query or state.delete"},
	{ID: idSchemaRises, Sentence: "each upgraded schema has a version that follows SemVer", Broken: "the version of an upgraded schema does not follow SemVer", Want: "a version that does not fall, and a higher first number for an incompatible change"},
	{ID: idSchemaSame, Sentence: "each incompatible change of a schema has a new schema URI", Broken: "an incompatible change keeps the schema URI", Want: "a new $id"},
	{ID: idRises, Sentence: "each upgrade has a higher version than what it replaces", Broken: "an upgrade has no higher version than what it replaces", Want: "a higher version of the same capability"},
}

var documentVocabulary = lint.NewVocabulary(heldKinds, documentRules)
