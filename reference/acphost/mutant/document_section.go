package acpmutant

// sectionRevisions returns packages that break the file as a whole, or its sections.
func sectionRevisions() []revision {
	const name = `  name: "Pantry"`
	return []revision{
		{name: "suffix-yaml", requirement: "ACP-ABS-01", base: pantry, summary: "Has the file name pantry.yaml.",
			file: "acp-pantry.yaml"},
		{name: "suffix-acp", requirement: "ACP-ABS-01", base: pantry, summary: "Has the file name pantry.acp.yml.",
			file: "acp-pantry.acp.yml"},
		{name: "other-format", requirement: "ACP-ABS-01", base: pantry,
			summary: "Is a cluster resource with the suffix of packages.",
			content: "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: pantry\ndata: {a: b}\n"},
		{name: "other-sections", requirement: "ACP-ABS-01", base: pantry, summary: "Has none of the sections of a package.",
			content: "services:\n  web: {image: nginx}\nvolumes: []\n"},
		{name: "later-format", requirement: "ACP-ABS-01", base: pantry, summary: "Has the later format of the same project.",
			content: "id: 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z:pantry'\nauthorDID: did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z\nidName: pantry\nmetadata: {displayName: Pantry, tags: []}\ncore: {prompt: {value: Count.}, model: {modelId: larder}, mcpServers: {}}\n"},
		{name: "flat", requirement: "ACP-ABS-01", base: pantry,
			summary: "Has its metadata at the top level and no section.",
			content: `{"id": "did:nuwa:cap:pantry@0.1.0", "name": "pantry", "description": "Counts."}`},

		{name: "empty", requirement: "ACP-TERM-01", base: pantry, summary: "Is empty except for a comment.",
			content: "# pantry\n"},
		{name: "list", requirement: "ACP-TERM-01", base: pantry, summary: "Is a list.",
			content: "- metadata: {}\n- schema: '{}'\n"},
		{name: "prose", requirement: "ACP-TERM-01", base: pantry, summary: "Is one sentence.",
			content: "A package that counts what is in the larder.\n"},
		{name: "encoding", requirement: "ACP-TERM-01", base: pantry, summary: "Is not in UTF-8.",
			swaps: []swap{{"冰箱", "\xb1\xf9\xcf\xe4"}}},
		{name: "second-document", requirement: "ACP-TERM-01", base: pantry, summary: "Contains a second document.",
			swaps: []swap{{"mcp_action: search_recipes\n", "mcp_action: search_recipes\n---\nmetadata: {}\n"}}},
		{name: "key-twice", requirement: "ACP-TERM-01", base: pantry, summary: "Has a duplicate key.",
			swaps: []swap{{name, name + "\n" + name}}},
		{name: "section-twice", requirement: "ACP-TERM-01", base: pantry, summary: "Has a duplicate section.",
			swaps: []swap{{"prompt: |", "prompt: Count.\nprompt: |"}}},
		{name: "open-quote", requirement: "ACP-TERM-01", base: pantry, summary: "Has an unterminated quote.",
			swaps: []swap{{`"Pantry"`, `"Pantry`}}},
		{name: "tabs", requirement: "ACP-TERM-01", base: pantry, summary: "Is indented with tabs.",
			swaps: []swap{{"    require:", "\trequire:"}}},
		{name: "lost-indentation", requirement: "ACP-TERM-01", base: pantry, summary: "Lost the indentation of its prompt.",
			swaps: []swap{{"  You look after a larder.", "You look after a larder."}}},
	}
}

// memberRevisions returns packages that break one section.
func memberRevisions() []revision {
	return []revision{
		{name: "no-metadata", requirement: "ACP-FILE-01", base: pantry, summary: "Has no metadata.",
			without: []string{"metadata"}},
		{name: "metadata-text", requirement: "ACP-FILE-01", base: pantry, summary: "Has a text as metadata.",
			without: []string{"metadata"}, swaps: []swap{{"schema: |", "metadata: did:nuwa:cap:pantry@1.4.0\nschema: |"}}},
		{name: "metadata-list", requirement: "ACP-FILE-01", base: tide, summary: "Has a list as metadata.",
			swaps: []swap{{"    id: 'did", "-   id: 'did"}, {"\n    triggers:\n    -   type: regex\n        value: '\\b(tide|ebb)\\b'\n    permissions: {require: []}\n    author:\n        did:", "\n    author:\n        did:"}}},
		{name: "no-schema", requirement: "ACP-FILE-02", base: stamp, summary: "Has no schema.",
			swaps: []swap{{stampSchema, `"x-album": ""`}}},
		{name: "null-schema", requirement: "ACP-FILE-02", base: stamp, summary: "Has null as schema.",
			swaps: []swap{{stampSchema, `"schema": null`}}},
		{name: "schema-mapping", requirement: "ACP-FILE-02", base: stamp, summary: "Has its schema as a mapping.",
			swaps: []swap{{stampSchema, `"schema": {"$id": "did:nuwa:state:stamp-album#v1", "type": "object"}`}}},
		{name: "prompt-list", requirement: "ACP-FILE-03", base: diary, summary: "Has its prompt as a list of lines.",
			swaps: []swap{{"tools:\n", "prompt: [Keep a diary., Be brief.]\ntools:\n"}}},
		{name: "prompt-number", requirement: "ACP-FILE-03", base: diary, summary: "Has a number as prompt.",
			swaps: []swap{{"tools:\n", "prompt: 42\ntools:\n"}}},
		{name: "prompt-mapping", requirement: "ACP-FILE-03", base: diary, summary: "Has a mapping of roles as prompt.",
			swaps: []swap{{"tools:\n", "prompt: {system: Keep a diary.}\ntools:\n"}}},
		{name: "bindings-list", requirement: "ACP-FILE-05", base: tide, summary: "Has its bindings as a list.",
			swaps: []swap{{"{tide_table: {type: carrier_wave, frequency: 171.3}}", "[{type: carrier_wave}]"}}},
		{name: "bindings-text", requirement: "ACP-FILE-05", base: tide, summary: "Has a text as bindings.",
			swaps: []swap{{"{tide_table: {type: carrier_wave, frequency: 171.3}}", "none"}}},
	}
}

// notationRevisions returns packages that break the schema, the names of members, or the notation.
func notationRevisions() []revision {
	const name = `  name: "Pantry"`
	return []revision{
		{name: "schema-no-json", requirement: "ACP-FILE-06", base: stamp, summary: "Has a schema in YAML.",
			swaps: []swap{{stampSchema, `"schema": "$id: did:nuwa:state:stamp-album#v1\ntype: object"`}}},
		{name: "schema-comma", requirement: "ACP-FILE-06", base: stamp, summary: "Has a schema with a trailing comma.",
			swaps: []swap{{`[\"integer\", \"null\"]`, `[\"integer\", \"null\",]`}}},
		{name: "schema-list", requirement: "ACP-FILE-06", base: stamp, summary: "Has a list as schema.",
			swaps: []swap{{stampSchema, `"schema": "[]"`}}},
		{name: "schema-boolean", requirement: "ACP-FILE-06", base: stamp, summary: "Has a boolean as schema.",
			swaps: []swap{{stampSchema, `"schema": "true"`}}},
		{name: "schema-type", requirement: "ACP-FILE-06", base: diary, summary: "Has a schema with an unknown type.",
			swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "text"}`}}},
		{name: "schema-required", requirement: "ACP-FILE-06", base: diary, summary: "Has a schema whose required is a word.",
			swaps: []swap{{`"required": ["day"]`, `"required": "day"`}}},
		{name: "schema-reference", requirement: "ACP-FILE-06", base: pantry,
			summary: "Has a schema with a reference to nothing.", swaps: []swap{{`"#/$defs/move"`, `"#/$defs/turn"`}}},
		{name: "schema-dialect", requirement: "ACP-FILE-06", base: diary, summary: "Has a schema of an older dialect.",
			swaps: []swap{{"https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#"}}},

		{name: "unknown-section", requirement: "ACP-FILE-10", base: diary, summary: "Has a section with a misspelt name.",
			swaps: []swap{{"tools:\n", "promt: Keep a diary.\ntools:\n"}}},
		{name: "unknown-metadata", requirement: "ACP-FILE-10", base: diary,
			summary: "Has metadata that the text does not define.",
			swaps:   []swap{{"  x-colour: green\n", "  avatar: https://example.org/diary.png\n"}}},
		{name: "unknown-permissions", requirement: "ACP-FILE-10", base: diary, summary: "Has optional permissions.",
			swaps: []swap{{"permissions: {", "permissions: {optional: [], "}}},
		{name: "unknown-trigger", requirement: "ACP-FILE-10", base: diary, summary: "Has a trigger with a weight.",
			swaps: []swap{{"value: diary}", "value: diary, weight: 2}"}}},
		{name: "unknown-binding", requirement: "ACP-FILE-10", base: pantry, summary: "Has a binding with headers.",
			swaps: []swap{{"type: http_post\n", "type: http_post\n    headers: {accept: text/plain}\n"}}},
		{name: "anchor", requirement: "ACP-FILE-11", base: diary, summary: "Uses an anchor.",
			swaps: []swap{{"x-colour: green", "x-colour: &c green\n  x-cover: *c"}}},
		{name: "merge", requirement: "ACP-FILE-11", base: pantry, summary: "Merges one binding into another.",
			swaps: []swap{{"  read_barcode:\n", "  read_barcode: &web\n"}, {"    type: http_post\n", "    <<: *web\n    type: http_post\n"}}},
		{name: "tag", requirement: "ACP-FILE-11", base: diary, summary: "Uses a private tag.",
			swaps: []swap{{"x-colour: green", "x-colour: !colour green"}}},
		{name: "name-number", requirement: "ACP-FILE-12", base: pantry, summary: "Has a number as name.",
			swaps: []swap{{name, "  name: 7"}}},
		{name: "description-list", requirement: "ACP-FILE-12", base: diary, summary: "Has a list as description.",
			swaps: []swap{{"  x-colour: green\n", "  description: [Keeps a diary.]\n"}}},
	}
}

const stampSchema = `"schema": "{\"$id\": \"did:nuwa:cap:stamp-album:state:Stamp#2.1\", \"type\": \"object\", \"properties\": {\"country\": {\"type\": \"string\"}, \"year\": {\"type\": [\"integer\", \"null\"]}}}"`
