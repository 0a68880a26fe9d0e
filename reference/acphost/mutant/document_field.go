package acpmutant

import "slices"

// fieldRevisions returns packages that break the rules on fields and the terms for metadata and schema
// URIs.
func fieldRevisions() []revision {
	const id, uri = "did:nuwa:cap:pantry@1.4.0", "did:nuwa:state:pantry#v1"
	return slices.Concat(
		changes("ACP-FIELD-01", pantry, "  id: "+id+"\n",
			[3]string{"no-id", "Has no id.", ""}, [3]string{"null-id", "Has null as id.", "  id:\n"},
			[3]string{"id-number", "Has a number as id.", "  id: 140\n"},
			[3]string{"id-bare", "Has a bare name as id.", "  id: pantry\n"},
			[3]string{"id-other-prefix", "Has an id with another prefix.", "  id: did:nuwa:capability:pantry@1.4.0\n"},
			[3]string{"id-prefix-case", "Has an id with a prefix in capitals.", "  id: DID:NUWA:CAP:pantry@1.4.0\n"},
			[3]string{"id-no-name", "Has an id without a name.", "  id: did:nuwa:cap:@1.4.0\n"},
			[3]string{"id-no-version", "Has an id without a version.", "  id: did:nuwa:cap:pantry\n"},
			[3]string{"id-empty-version", "Has an id with an empty version.", "  id: \"did:nuwa:cap:pantry@\"\n"},
			[3]string{"id-space", "Has a name with a space.", "  id: did:nuwa:cap:my pantry@1.4.0\n"},
			[3]string{"id-slash", "Has a name with a slash.", "  id: did:nuwa:cap:my/pantry@1.4.0\n"},
			[3]string{"id-fragment", "Has its version after a hash sign.", "  id: did:nuwa:cap:pantry#1.4.0\n"}),
		changes("ACP-FIELD-14", pantry, "@1.4.0",
			[3]string{"two-numbers", "Has a version of two numbers.", "@1.4"},
			[3]string{"one-number", "Has a version of one number.", "@1"},
			[3]string{"letter-v", "Has a version with a leading v.", "@v1.4.0"},
			[3]string{"leading-zero", "Has a version with a leading zero.", "@1.04.0"},
			[3]string{"zero-in-pre-release", "Has a pre-release with a leading zero.", "@1.4.0-rc.01"},
			[3]string{"empty-build", "Has a version with an empty build.", "@1.4.0+"},
			[3]string{"four-numbers", "Has a version of four numbers.", "@1.4.0.2"},
			[3]string{"latest", "Has the version latest.", "@latest"}, [3]string{"range", "Has a range as version.", "@^1.4.0"}),
		changes("ACP-FIELD-03", stamp, `\"$id\": \"did:nuwa:cap:stamp-album:state:Stamp#2.1\", `,
			[3]string{"no-uri", "Has a schema without $id.", ""},
			[3]string{"uri-number", "Has a schema with a number as $id.", `\"$id\": 21, `},
			[3]string{"uri-empty", "Has a schema with an empty $id.", `\"$id\": \"\", `},
			[3]string{"uri-relative", "Has a schema with a relative URI.", `\"$id\": \"stamp-album#v1\", `}),
		changes("ACP-TERM-04", stamp, `\"$id\": \"did:nuwa:cap:stamp-album:state:Stamp#2.1\", `,
			[3]string{"uri-no-version", "Has a schema URI without a version.", `\"$id\": \"did:nuwa:state:stamp-album\", `},
			[3]string{"uri-empty-version", "Has a schema URI with an empty version.",
				`\"$id\": \"did:nuwa:state:stamp-album#\", `}),
	)
}

// triggerRevisions returns packages that break the rules on triggers.
func triggerRevisions() []revision {
	const trigger, requirements = "{type: keyword, value: pantry}", `model_family: ["gpt-4", "claude-3"]`
	return slices.Concat(
		changes("ACP-FIELD-05", pantry, trigger,
			[3]string{"trigger-no-value", "Has a trigger without a value.", "{type: keyword}"},
			[3]string{"trigger-null", "Has null among its triggers.", "null"},
			[3]string{"trigger-null-value", "Has a trigger with null as value.", "{type: keyword, value: null}"},
			[3]string{"trigger-no-keywords", "Has a trigger with an empty list of keywords.", "{type: keyword, value: []}"},
			[3]string{"trigger-boolean", "Has a boolean among its triggers.", "true"}),
		changes("ACP-FIELD-21", pantry, trigger, [3]string{"trigger-text", "Has a single word as trigger.", "pantry"},
			[3]string{"trigger-no-type", "Has a trigger without a type.", "{value: pantry}"},
			[3]string{"trigger-values", "Has a trigger with several values.", "{type: keyword, value: [pantry, larder]}"},
			[3]string{"trigger-list", "Has a list of keywords among its triggers.", "[pantry, larder]"},
			[3]string{"trigger-type-number", "Has a trigger with a number as type.", "{type: 2, value: pantry}"}),
		changes("ACP-FIELD-05", stamp, `[{"type": "keyword", "value": "邮票"}]`,
			[3]string{"triggers-mapping", "Has a mapping as triggers.", `{"keyword": "邮票"}`},
			[3]string{"triggers-text", "Has a text as triggers.", `"邮票"`}),
		changes("ACP-FIELD-16", pantry, "larder|(out of|need) (milk|flour)|冰箱",
			[3]string{"regex-group", "Has a regular expression with an open group.", "(milk"},
			[3]string{"regex-class", "Has a regular expression with an open class.", "[milk"},
			[3]string{"regex-repeat", "Has a regular expression that repeats nothing.", "*milk"}),
		changes("ACP-FIELD-17", diary, "  triggers: [{type: regex, value: diary}]\n",
			[3]string{"no-triggers", "Has no triggers.", ""},
			[3]string{"empty-triggers", "Has an empty list of triggers.", "  triggers: []\n"}),
		changes("ACP-FIELD-18", pantry, "type: keyword",
			[3]string{"trigger-type", "Has a trigger of another type.", "type: mood"},
			[3]string{"trigger-type-case", "Has a trigger type in capitals.", "type: Keyword"}),
		changes("ACP-FIELD-19", pantry, "larder|(out of|need) (milk|flour)|冰箱",
			[3]string{"regex-ahead", "Has a regular expression with a look-ahead.", "milk(?! powder)"},
			[3]string{"regex-behind", "Has a regular expression with a back-reference.", "(m|fl)our and \\\\1our"},
			[3]string{"regex-flag", "Has a regular expression with a flag.", "(?i)milk"}),
	)
}

// requirementRevisions returns packages that break the rules on LLM requirements, names and memory
// scopes.
func requirementRevisions() []revision {
	const id, uri = "did:nuwa:cap:pantry@1.4.0", "did:nuwa:state:pantry#v1"
	const trigger, requirements = "{type: keyword, value: pantry}", `model_family: ["gpt-4", "claude-3"]`
	return slices.Concat(
		changes("ACP-FIELD-07", diary, "  x-colour: green\n",
			[3]string{"requirements-list", "Has a list as LLM requirements.", "  llm_requirements: [gpt-4]\n"},
			[3]string{"requirements-text", "Has a text as LLM requirements.", "  llm_requirements: gpt-4\n"}),
		changes("ACP-FIELD-08", pantry, requirements,
			[3]string{"family-text", "Has one text as model family.", "model_family: gpt-4"},
			[3]string{"family-number", "Has a number among its model families.", "model_family: [4]"}),
		changes("ACP-FIELD-09", pantry, `"did:nuwa:model:larder-small"`,
			[3]string{"model-list", "Has a list of model URIs.", `["did:nuwa:model:larder-small"]`},
			[3]string{"model-number", "Has a number as model URI.", "7"}),
		changes("ACP-FIELD-10", pantry, "min_context_window: 8000",
			[3]string{"window-text", "Has its context window in quotes.", `min_context_window: "8000"`},
			[3]string{"window-unit", "Has its context window with a unit.", "min_context_window: 8k"},
			[3]string{"window-fraction", "Has a context window with a fraction.", "min_context_window: 8000.5"}),
		changes("ACP-FIELD-11", pantry, `["parallel_tool_calls"]`,
			[3]string{"features-text", "Has one text as required features.", "parallel_tool_calls"},
			[3]string{"features-mapping", "Has a mapping as required features.", "{parallel_tool_calls: true}"}),
		changes("ACP-TERM-04", pantry, uri,
			[3]string{"uri-address", "Has an address as schema URI.", "https://states.example.org/pantry#v1"},
			[3]string{"uri-core", "Has a schema URI of the platform.", "did:nuwa:core:Pantry#v1"},
			[3]string{"uri-latest", "Has a schema URI with the version latest.", "did:nuwa:state:pantry#latest"}),
		changes("ACP-TERM-08", pantry, uri,
			[3]string{"other-state", "Names its state after another capability.", "did:nuwa:state:larder#v1"}),
		changes("ACP-TERM-08", stamp, "cap:stamp-album:state",
			[3]string{"other-namespace", "Has its state in the namespace of another capability.", "cap:coin-album:state"}),
		changes("ACP-TERM-07", stamp, "stamp-album", [3]string{"name-capitals", "Has a name with capitals.", "Stamp-Album"},
			[3]string{"name-dots", "Has a name with a dot.", "stamp.album"}),
		changes("ACP-TERM-07", tide, "cap:tide@", [3]string{"name-colon", "Has a name with a colon.", "cap:harbour:tide@"}),
		changes("ACP-STATE-19", pantry, "memory_scope: sc:pantry",
			[3]string{"scope-bare", "Has a bare name as memory scope.", "memory_scope: pantry"},
			[3]string{"scope-number", "Has a number as memory scope.", "memory_scope: 7"},
			[3]string{"scope-empty", "Has a memory scope without a name.", `memory_scope: "sc:"`},
			[3]string{"scope-word", "Has a memory scope with another prefix.", "memory_scope: scope:pantry"}),
	)
}
