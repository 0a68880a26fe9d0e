package acpmutant

import "strings"

// validRevisions returns valid packages in permitted styles, and with contents that the text does not
// define.
func validRevisions() []revision {
	const pantryURI, stampURI = "did:nuwa:state:pantry#v1", "did:nuwa:cap:stamp-album:state:Stamp#2.1"
	return []revision{
		{name: "suffix-case", base: pantry, summary: "Has a file name whose suffix is in upper case.",
			file: "acp-pantry.ACP.YAML"},
		{name: "no-prompt", base: pantry, summary: "Has no prompt.", without: []string{"prompt"}},
		{name: "null-prompt", base: diary, summary: "Has null as prompt.", swaps: []swap{{"tools:\n", "prompt:\ntools:\n"}}},
		{name: "no-tools", base: pantry, summary: "Has neither tools nor bindings.",
			without: []string{"tools", "tool_bindings"}},
		{name: "no-bindings", base: tide, summary: "Has an empty list of tools and no bindings.",
			swaps: []swap{{"tool_bindings: {tide_table: {type: carrier_wave, frequency: 171.3}}\n", ""},
				{tideTools, "tools: []\n"}}},
		{name: "state-of-app", base: pantry, summary: "Has a schema URI of an application.",
			swaps: []swap{{pantryURI, "did:nuwa:app:kitchen:state:pantry#v1"}}},
		{name: "state-of-user", base: pantry, summary: "Has a schema URI of a user.",
			swaps: []swap{{pantryURI, "did:nuwa:user:7f3a:state:pantry#v1"}}},
		{name: "state-of-cap", base: pantry, summary: "Has a schema URI in its own namespace.",
			swaps: []swap{{pantryURI, "did:nuwa:cap:pantry:state:Larder#v1"}}},
		{name: "number-version", base: stamp, summary: "Has three numbers as version of its schema.",
			swaps: []swap{{stampURI, "did:nuwa:state:stamp-album#0.1.0"}}},
		{name: "pre-release", base: pantry, summary: "Has a pre-release with a build.",
			swaps: []swap{{"@1.4.0", "@1.4.0-rc.0a.12+2026.11.21"}}},
		{name: "zero", base: pantry, summary: "Has the version 0.0.0.", swaps: []swap{{"@1.4.0", "@0.0.0"}}},
		{name: "digits", base: tide, summary: "Has a name that begins with a digit.",
			swaps: []swap{{"cap:tide@", "cap:2nd_tide-table@"}, {"app:harbour:state:tide", "app:harbour:state:2nd_tide-table"}}},
		{name: "signature-in-quotes", base: pantry, summary: "Has quotes around its signature.",
			swaps: []swap{{"signature: SIGNATURE", `signature: "SIGNATURE"`}}},
		{name: "signature-quoted-later", base: published, summary: "Had quotes added around its signature after signing.",
			afterSigning: []swap{{"signature: z", "signature: \"z"}, {"\n\nschema: |", "\"\n\nschema: |"}}},
		{name: "signature-first", base: diary, summary: "Has the signature before the id, after non-ASCII text.",
			swaps: []swap{{"  signature: \"SIGNATURE\"\n", ""}, {"metadata:\n", "metadata: # 日记\n  signature: SIGNATURE\n"}}},
	}
}

// styleRevisions returns valid packages in other styles, and with fewer or more members than usual.
func styleRevisions() []revision {
	return []revision{
		{name: "foreign-words", base: pantry, summary: "Describes itself in another script.",
			swaps: []swap{{"Keeps count of groceries, and fetches what is missing.", "记录冰箱里的食物 🥛"}}},
		{name: "in-utf-16", base: tide, summary: "Is in UTF-16, with a byte order mark.", encode: encodeUTF16},
		{name: "in-utf-32", base: stamp, summary: "Is JSON in UTF-32, without a byte order mark.", encode: encodeUTF32},
		{name: "line-ends", base: pantry, summary: "Has CRLF line ends.", swaps: []swap{{"\n", "\r\n"}}},
		{name: "folded-prompt", base: pantry, summary: "Has a folded prompt.", swaps: []swap{{"prompt: |", "prompt: >-"}}},
		{name: "folded-schema", base: pantry, summary: "Has a folded schema.", swaps: []swap{{"schema: |", "schema: >"}}},
		{name: "quoted-keys", base: diary, summary: "Has quotes around its keys.",
			swaps: []swap{{"metadata:", `"metadata":`}, {"schema: |", `'schema': |`}}},
		{name: "no-dialect", base: diary, summary: "Names no dialect in its schema.",
			swaps: []swap{{`"$schema": "https://json-schema.org/draft/2020-12/schema", `, ""}}},
		{name: "bare-schema", base: stamp, summary: "Has a schema that contains only its URI.",
			swaps: []swap{{`, \"type\": \"object\", \"properties\": {\"country\": {\"type\": \"string\"}, \"year\": {\"type\": [\"integer\", \"null\"]}}`, ""}}},
		{name: "data-named-x-crdt", base: diary, summary: "Has data members with the names of annotations.",
			swaps: []swap{{`"place":`, `"x-crdt": {"type": "string"}, "x-asm": {"const": {"x-crdt": "none"}}, "place":`}}},
		{name: "open-requirements", base: pantry, summary: "Has LLM requirements that the text does not list.",
			swaps: []swap{{"min_context_window: 8000", "min_context_window: 8000.0\n    languages: [en]"}}},
		{name: "no-requirements", base: diary, summary: "Has null as LLM requirements.",
			swaps: []swap{{"  x-colour: green\n", "  llm_requirements:\n"}}},
		{name: "more-permissions", base: pantry, summary: "Declares a permission that the text does not define.",
			swaps: []swap{{`"state.delete"]`, `"state.delete", "larder.lock"]`}}},
		{name: "no-permissions", base: tide, summary: "Has no permissions and no state tools.",
			swaps: []swap{{"    permissions: {require: []}\n", ""}}},
		{name: "open-schema-uri", base: diary, summary: "Has a state tool that fixes no schema URI.", swaps: []swap{{"{schema_uri: {const: \"did:nuwa:state:diary#v2\"}, object: {$ref: \"#/schema\"}}", "{object: {$ref: \"#/schema\"}}"}}},
		{name: "several-uris", base: diary, summary: "Has a state tool that accepts two schema URIs, its own among them.",
			swaps: []swap{{"{const: \"did:nuwa:state:diary#v2\"}",
				"{enum: [\"did:nuwa:state:diary#v1\", \"did:nuwa:state:diary#v2\"]}"}}},
		{name: "long-name", base: tide, summary: "Has a tool with a name of 64 characters.",
			swaps: []swap{{"tide_table", strings.Repeat("tide_tab", 8)}}},
		{name: "section-part", base: tide, summary: "Has parameters with a reference to a part of the schema section.",
			swaps: []swap{{"{port: {type: string}}, additional", "{port: {$ref: '#/schema/properties/port'}}, additional"}}},
		{name: "name-dot", base: tide, summary: "Has a tool whose name has a dot.",
			swaps: []swap{{"tide_table", "tide.table"}}},
		{name: "cases", base: tide, summary: "Has two tools whose names differ in case.",
			swaps: []swap{{tideTools, strings.Replace(tideTools, "-   {",
				"-   {type: function, function: {name: Tide_Table}}\n-   {", 1)},
				{"tool_bindings: {", "tool_bindings: {Tide_Table: {type: http_get, url: 'HTTPS://tides.example.org'}, "}}},
		{name: "template", base: pantry, summary: "Has a URL that begins with a placeholder.",
			swaps: []swap{{"https://codes.example.org/v1/{barcode}", "{barcode}/price?lang={language}"}}},
		{name: "unknown-type", base: pantry, summary: "Has a binding of a type that the text does not list.",
			swaps: []swap{{"type: http_get", "type: grpc_call"}}},
		{name: "members-of-x", base: pantry, summary: "Has private keys that begin with x-.", swaps: []swap{{"prompt: |",
			"x-origin: kitchen\nprompt: |"}, {"type: http_get", "type: http_get\n    x-cached: true"}}},
	}
}

const tideTools = "tools:\n-   {type: function, function: {name: tide_table, strict: true, description: '', parameters: {type: object, properties: {port: {type: string}}, additionalProperties: false}}}\n"
