package acpdocument

import "github.com/capconform/capconform/suites/lint"

// The kinds of objects that a scenario may need among the documents.
const (
	kindPackages   = "packages"
	kindSchemas    = "schemas"
	kindPrompts    = "prompts"
	kindTools      = "tools"
	kindBindings   = "tool bindings"
	kindModels     = "LLM requirements"
	kindTriggers   = "triggers"
	kindDrafts     = "drafts"
	kindSignatures = "signatures" // a draft may lack one
	kindUpgrades   = "upgrades"
)

var allKinds = []string{kindPackages, kindSchemas, kindPrompts, kindTools, kindBindings, kindModels, kindTriggers,
	kindDrafts, kindSignatures, kindUpgrades}

// The requirements on packages.
const (
	IDSuffix      = "ACP-ABS-01"
	IDDocument    = "ACP-TERM-01"
	IDUsualSchema = "ACP-TERM-04"
	IDUsualName   = "ACP-TERM-07"
	IDSameName    = "ACP-TERM-08"
	IDMetadata    = "ACP-FILE-01"
	IDSchema      = "ACP-FILE-02"
	IDPrompt      = "ACP-FILE-03"
	IDTools       = "ACP-FILE-04"
	IDBindings    = "ACP-FILE-05"
	IDDialect     = "ACP-FILE-06"
	IDParameters  = "ACP-FILE-07"
	IDToolTwice   = "ACP-FILE-08"
	IDToolName    = "ACP-FILE-09"
	IDUnknownKey  = "ACP-FILE-10"
	IDNotation    = "ACP-FILE-11"
	IDTexts       = "ACP-FILE-12"
	IDURI         = "ACP-FIELD-01"
	IDSchemaURI   = "ACP-FIELD-03"
	IDFixedURI    = "ACP-FIELD-04"
	IDTriggers    = "ACP-FIELD-05"
	IDModels      = "ACP-FIELD-07"
	IDSignature   = "ACP-FIELD-13"
	IDVersion     = "ACP-FIELD-14"
	IDRegex       = "ACP-FIELD-16"
	IDNoTriggers  = "ACP-FIELD-17"
	IDTriggerType = "ACP-FIELD-18"
	IDBothEngines = "ACP-FIELD-19"
	IDDraft       = "ACP-FIELD-20"
	IDTriggerForm = "ACP-FIELD-21"
	IDUnbound     = "ACP-BIND-02"
	IDBoundTool   = "ACP-BIND-03"
	IDBindingType = "ACP-BIND-04"
	IDPlaceholder = "ACP-BIND-20"
	IDBoundState  = "ACP-BIND-21"
	IDCRDT        = "ACP-STATE-10"
	IDPermissions = "ACP-STATE-16"
	IDASM         = "ACP-STATE-17"
	IDCRDTType    = "ACP-STATE-18"
	IDScope       = "ACP-STATE-19"
	IDVerbs       = "ACP-STATE-20"
	IDSchemaRises = "ACP-COMP-02"
	IDSchemaSame  = "ACP-COMP-03"
	IDRises       = "ACP-COMP-04"
)

// declarations lists the built-in tools, each with the requirement that a package must declare it.
var declarations = []struct{ tool, id string }{
	{"state.create", "ACP-STATE-08"}, {"state.update", "ACP-STATE-13"}, {"state.query", "ACP-STATE-14"},
	{"state.delete", "ACP-STATE-15"},
}

// documentRules are the requirements that the harness judges on packages.
var documentRules = []lint.Rule{
	{ID: IDSuffix, Sentence: "the name of each package's file ends in .acp.yaml",
		Broken: "the name of a file does not match its content",
		Want:   "a package in a file whose name ends in .acp.yaml"},
	{ID: IDDocument, Sentence: "each package is one YAML document", Broken: "a file is not one YAML document",
		Want: "one document, a mapping without duplicate keys"},
	{ID: IDUsualSchema, Sentence: "each schema URI has a usual form", Broken: "a schema URI does not have a usual form",
		Want: "did:nuwa:state:NAME#v1"},
	{ID: IDUsualName,
		Sentence: "each name in a capability URI contains only lower-case letters, digits, hyphens and underscores",
		Broken:   "the name of a capability has unusual characters",
		Want:     "lower-case letters, digits, hyphens and underscores"},
	{ID: IDSameName, Sentence: "each schema URI names the state after the capability",
		Broken: "the schema URI does not name the state after the capability", Want: "the name of metadata.id"},
	{ID: IDMetadata, Sentence: "each package has metadata", Broken: "a package has no metadata",
		Want: "metadata, a mapping"},
	{ID: IDSchema, Sentence: "each package has a schema", Broken: "a package has no schema that is a string",
		Want: "schema, a string that contains a JSON Schema"},
	{ID: IDPrompt, Sentence: "each prompt is a string", Broken: "the prompt is not a string", Want: "a string"},
	{ID: IDTools, Sentence: "each tool is a function in the form of OpenAI",
		Broken: "a tool does not have the form of OpenAI",
		Want:   "a list of {type: function, function: {name, description, parameters}}"},
	{ID: IDBindings, Sentence: "each tool_bindings is a mapping",
		Broken: "tool_bindings is not a mapping", Want: "a mapping"},
	{ID: IDDialect, Sentence: "each schema is a JSON Schema of the dialect 2020-12",
		Broken: "the schema is not a JSON Schema of 2020-12", Want: "JSON text, an object, valid in 2020-12"},
	{ID: IDParameters, Sentence: "the parameters of each tool are a JSON Schema of type object",
		Broken: "the parameters of a tool are not a JSON Schema of type object", Want: "a JSON Schema whose type is object"},
	{ID: IDToolTwice, Sentence: "no two tools of a package have the same name", Broken: "two tools have the same name",
		Want: "a different name for each tool"},
	{ID: IDToolName, Sentence: "the name of each tool has the form that OpenAI allows, or also contains dots",
		Broken: "the name of a tool contains characters that are not allowed",
		Want:   "letters, digits, hyphens, underscores and dots, 64 at most"},
	{ID: IDUnknownKey, Sentence: "the text defines each key of a package",
		Broken: "a package has a key that the text does not define",
		Want:   "the keys of the text, and those that begin with x-"},
	{ID: IDNotation, Sentence: "each package uses no anchors, merge keys or custom tags",
		Broken: "a package uses YAML syntax that some readers do not support", Want: "plain YAML"},
	{ID: IDTexts, Sentence: "the name and the description of each package are strings",
		Broken: "the name or the description is not a string", Want: "a string"},
	{ID: IDURI, Sentence: "the id of each package is a capability URI",
		Broken: "the id of a package is not a capability URI",
		Want:   "did:nuwa:cap:NAME@1.0.0"},
	{ID: IDSchemaURI, Sentence: "each schema has a schema URI as $id", Broken: "the $id of a schema is not a schema URI",
		Want: "an absolute URI, such as did:nuwa:state:NAME#v1"},
	{ID: IDFixedURI, Sentence: "if a state tool fixes schema_uri, the $id of the schema is among the values",
		Broken: "a state tool fixes schema_uri without the $id of the schema", Want: "the $id of the schema"},
	{ID: IDTriggers, Sentence: "each trigger contains a regular expression, a keyword or a hash",
		Broken: "triggers are not a list of regular expressions, keywords and hashes",
		Want:   "a list of {type, value}, or of texts"},
	{ID: IDTriggerForm, Sentence: "each trigger has a type and a value",
		Broken: "a trigger does not have the form of the examples", Want: "{type, value}, both strings"},
	{ID: IDModels, Sentence: "each llm_requirements is an object",
		Broken: "llm_requirements is not an object", Want: "an object"},
	{ID: "ACP-FIELD-08", Sentence: "each model_family is a list of strings",
		Broken: "model_family is not a list of strings",
		Want:   "a list of strings"},
	{ID: "ACP-FIELD-09", Sentence: "each specific_model_uri is a string",
		Broken: "specific_model_uri is not a string", Want: "a string"},
	{ID: "ACP-FIELD-10", Sentence: "each min_context_window is an integer",
		Broken: "min_context_window is not an integer", Want: "an integer"},
	{ID: "ACP-FIELD-11", Sentence: "each required_features is a list of strings",
		Broken: "required_features is not a list of strings", Want: "a list of strings"},
	{ID: IDSignature, Sentence: "each signature is the author's signature over the file",
		Broken: "a package has no signature of its author", Want: "a signature of the file by a key of the author",
		Hint: "signatures are judged by a profile of this project: see --signature-profile, --author-did and --did-document"},
	{ID: IDVersion, Sentence: "the version in the id of each package is a semantic version",
		Broken: "the version in the id of a package is not a semantic version", Want: "three numbers, as in 1.0.0"},
	{ID: IDRegex, Sentence: "the value of each regex trigger is a regular expression",
		Broken: "the value of a regex trigger is not a regular expression",
		Want:   "an expression that RE2 or ECMAScript can read"},
	{ID: IDNoTriggers, Sentence: "each package has triggers", Broken: "a package has no triggers",
		Want: "at least one trigger"},
	{ID: IDTriggerType, Sentence: "each trigger has the type regex, keyword or embedding",
		Broken: "a trigger has another type", Want: "regex, keyword or embedding"},
	{ID: IDBothEngines, Sentence: "each regular expression is one that RE2 and ECMAScript can read",
		Broken: "a regular expression works in only one engine", Want: "an expression that RE2 and ECMAScript can both read"},
	{ID: IDDraft, Sentence: "each draft contains a signature that can be decoded", Broken: "a draft has no signature yet",
		Want: "a signature, before the package is published"},
	{ID: IDUnbound, Sentence: "each tool that is not built in has a binding",
		Broken: "a tool is neither built in nor bound", Want: "an entry in tool_bindings"},
	{ID: IDBoundTool, Sentence: "each key of tool_bindings is the name of a tool", Broken: "a binding belongs to no tool",
		Want: "the exact name of a tool"},
	{ID: IDBindingType, Sentence: "each binding states its type", Broken: "a binding does not state its type",
		Want: "an object with a type"},
	{ID: "ACP-BIND-12", Sentence: "each binding of type http_get has a url",
		Broken: "a binding of type http_get has no url", Want: "url, an absolute http or https address or a template"},
	{ID: "ACP-BIND-13", Sentence: "each binding of type http_post has a url",
		Broken: "a binding of type http_post has no url", Want: "url, an absolute http or https address or a template"},
	{ID: "ACP-BIND-14", Sentence: "each binding of type nuwa_a2a has a target_did",
		Broken: "a binding of type nuwa_a2a has no target_did", Want: "target_did, a DID or a placeholder"},
	{ID: "ACP-BIND-15", Sentence: "each binding of type nuwa_a2a has a service_method",
		Broken: "a binding of type nuwa_a2a has no service_method", Want: "service_method, a string"},
	{ID: "ACP-BIND-16", Sentence: "each binding of type mcp_service has a service_uri",
		Broken: "a binding of type mcp_service has no service_uri", Want: "service_uri, an absolute URI or a placeholder"},
	{ID: "ACP-BIND-17", Sentence: "each binding of type mcp_service has an mcp_action",
		Broken: "a binding of type mcp_service has no mcp_action", Want: "mcp_action, a string"},
	{ID: IDPlaceholder, Sentence: "each placeholder in a binding names a parameter of its tool",
		Broken: "a placeholder names no parameter of its tool", Want: "the name of a parameter"},
	{ID: IDBoundState, Sentence: "no built-in tool has a binding", Broken: "a built-in tool has a binding",
		Want: "no binding: the runtime executes the tool itself"},
	{ID: "ACP-STATE-08", Sentence: "each package with the tool state.create declares it",
		Broken: "state.create is used but not declared", Want: "state.create in metadata.permissions.require"},
	{ID: IDCRDT, Sentence: "each x-crdt is a strategy of the state model",
		Broken: "x-crdt is not a strategy of the state model",
		Want:   "lww_register, mv_register, rga_text, grow_only_set, or_map, counter, flag or log_rga"},
	{ID: "ACP-STATE-13", Sentence: "each package with the tool state.update declares it",
		Broken: "state.update is used but not declared", Want: "state.update in metadata.permissions.require"},
	{ID: "ACP-STATE-14", Sentence: "each package with the tool state.query declares it",
		Broken: "state.query is used but not declared", Want: "state.query in metadata.permissions.require"},
	{ID: "ACP-STATE-15", Sentence: "each package with the tool state.delete declares it",
		Broken: "state.delete is used but not declared", Want: "state.delete in metadata.permissions.require"},
	{ID: IDPermissions, Sentence: "each permissions.require is a list of strings",
		Broken: "permissions.require is not a list of strings", Want: "an object whose require is a list of strings"},
	{ID: IDASM, Sentence: "each x-asm has the form of the state model",
		Broken: "x-asm does not have the form of the state model", Want: "an object with the members and words of NIP-8"},
	{ID: IDCRDTType, Sentence: "each x-crdt fits the type of its member",
		Broken: "a strategy does not fit the type of its member", Want: "a strategy for this type"},
	{ID: IDScope, Sentence: "each memory_scope is sc, a colon and a name",
		Broken: "memory_scope does not have the usual form", Want: "sc:NAME"},
	{ID: IDVerbs, Sentence: "each tool and permission that begins with state is one of the four verbs",
		Broken: "a name that begins with state is not one of the four verbs",
		Want:   "state.create, state.update, state.query or state.delete"},
	{ID: IDSchemaRises, Sentence: "the version of each upgraded schema follows SemVer",
		Broken: "the version of an upgraded schema does not follow SemVer",
		Want:   "a version that does not go down, with a higher first number for an incompatible change"},
	{ID: IDSchemaSame, Sentence: "each incompatible schema has a new schema URI",
		Broken: "an incompatible change keeps the schema URI", Want: "a new $id"},
	{ID: IDRises, Sentence: "each upgrade has a higher version than the package that it replaces",
		Broken: "an upgrade does not have a higher version than the package that it replaces",
		Want:   "a higher version of the same capability"},
}

// Vocabulary contains the sentences of the rules.
var Vocabulary = lint.NewVocabulary(allKinds, documentRules)

// Kinds returns the kinds of objects that a scenario may need among the documents.
func Kinds() []string { return allKinds }

// Rules returns the requirements that the harness judges on packages.
func Rules() []lint.Rule { return documentRules }

// statePrefix is the prefix that is reserved for the built-in tools.
const statePrefix = "state."

// verbs returns the built-in tools.
func verbs() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.tool)
	}
	return all
}

func declarationIDs() []string {
	var all []string
	for _, d := range declarations {
		all = append(all, d.id)
	}
	return all
}
