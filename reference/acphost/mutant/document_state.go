package acpmutant

import "github.com/capconform/capconform/reference/mutant"

// placelessRevisions have permissions in which nothing can be declared.
func placelessRevisions() []revision {
	const declared = "  permissions: {require: [state.create, state.query, storage.large]}\n"
	also := []mutant.Also{{ID: "ACP-STATE-16", Reason: "permissions that are no object have no list of what is required"}}
	return []revision{
		{name: "permissions-number", requirement: "ACP-STATE-08", base: diary,
			summary: "Has a state tool and a number as permissions.", also: also,
			swaps: []swap{{declared, "  permissions: 7\n"}}},
		{name: "permissions-empty", requirement: "ACP-STATE-08", base: diary,
			summary: "Has a state tool and an empty list as permissions.", also: also,
			swaps: []swap{{declared, "  permissions: []\n"}}},
	}
}

// stateRevisions break permissions and the annotations of the state model.
func stateRevisions() []revision {
	const verbs, policy = `["state.create", "state.update", "state.query", "state.delete"]`, `"container": "object",`
	var all []revision
	each := func(requirement, base, from string, forms ...[3]string) {
		for _, f := range forms {
			all = append(all, revision{name: f[0], requirement: requirement, base: base, summary: f[1],
				swaps: []swap{{from, f[2]}}})
		}
	}
	each("ACP-STATE-08", pantry, verbs, [3]string{"undeclared-create", "Does not declare state.create.",
		`["state.update", "state.query", "state.delete"]`})
	each("ACP-STATE-08", diary, "  permissions: {require: [state.create, state.query, storage.large]}\n",
		[3]string{"no-permissions", "Has a state tool and no permissions.", ""}, [3]string{"null-permissions",
			"Has a state tool and null as permissions.", "  permissions:\n"},
		[3]string{"no-require", "Has a state tool and permissions that require nothing.", "  permissions: {}\n"},
		[3]string{"empty-require", "Has a state tool and requires nothing.", "  permissions: {require: []}\n"},
		[3]string{"bare-verb", "Declares a verb without its prefix.", "  permissions: {require: [create]}\n"},
		[3]string{"verb-case", "Declares a verb in capitals.", "  permissions: {require: [STATE.CREATE]}\n"})
	each("ACP-STATE-13", pantry, verbs, [3]string{"undeclared-update", "Does not declare state.update.",
		`["state.create", "state.query", "state.delete"]`})
	each("ACP-STATE-14", pantry, verbs, [3]string{"undeclared-query", "Does not declare state.query.",
		`["state.create", "state.update", "state.delete"]`})
	each("ACP-STATE-15", pantry, verbs, [3]string{"undeclared-delete", "Does not declare state.delete.",
		`["state.create", "state.update", "state.query"]`})
	each("ACP-STATE-16", tide, "{require: []}", [3]string{"require-text", "Requires one permission as a text.",
		"{require: storage.large}"}, [3]string{"permissions-list", "Has a list as permissions.", "[storage.large]"},
		[3]string{"require-numbers", "Requires a number as permission.", "{require: [7]}"},
		[3]string{"require-mapping", "Requires permissions as a mapping.", "{require: {storage: large}}"})
	each("ACP-STATE-10", pantry, `"lww_register"`, [3]string{"strategy",
		"Has a strategy that the state model does not know.", `"last_write_wins"`},
		[3]string{"strategy-number", "Has a number as strategy.", "1"},
		[3]string{"strategy-case", "Has a strategy in capitals.", `"LWW_REGISTER"`})
	each("ACP-STATE-10", pantry, `{"by": {"type": "integer"}`,
		[3]string{"deep-strategy", "Has such a strategy deeper down.", `{"by": {"type": "integer", "x-crdt": "append_only"}`})
	each("ACP-STATE-17", pantry, policy, [3]string{"container", "Has a policy with a container that there is not.",
		`"container": "tree",`}, [3]string{"container-number", "Has a policy with a number as container.", `"container": 1,`})
	each("ACP-STATE-17", pantry, `"P90D"`, [3]string{"ttl-words", "Has a policy with a lifetime in words.", `"90 days"`},
		[3]string{"ttl-number", "Has a policy with a lifetime in seconds.", "7776000"},
		[3]string{"ttl-empty", "Has a policy with a lifetime that says nothing.", `"P"`})
	each("ACP-STATE-17", pantry, `{"window": "P30D", "strategy": "drop_oldest"}`,
		[3]string{"retention", "Has a policy with a retention that is no object.", `"P30D"`},
		[3]string{"retention-window", "Has a policy with a window in words.",
			`{"window": "a month", "strategy": "drop_oldest"}`})
	each("ACP-STATE-17", pantry, `"zstd"`, [3]string{"compression", "Has a policy with a compression that there is not.",
		`"lz4"`})
	each("ACP-STATE-17", pantry, `"shared"`, [3]string{"visibility", "Has a policy with a visibility that there is not.",
		`"friends"`})
	each("ACP-STATE-17", pantry, `"crdt": "per_field"`, [3]string{"policy-crdt", "Has a policy with a number as strategy.",
		`"crdt": 4`})
	each("ACP-STATE-17", diary, `"place": {`, [3]string{"policy-text", "Has a text as policy.",
		`"place": {"x-asm": "log", `})
	each("ACP-STATE-18", pantry, `"minimum": 0, "x-crdt": "counter"`,
		[3]string{"text-of-number", "Merges a number as text.", `"minimum": 0, "x-crdt": "rga_text"`})
	each("ACP-STATE-18", pantry, `"x-crdt": "rga_text"`, [3]string{"counter-of-text", "Counts a text.",
		`"x-crdt": "counter"`}, [3]string{"flag-of-text", "Has a text as flag.", `"x-crdt": "flag"`},
		[3]string{"set-of-text", "Has a text as growing set.", `"x-crdt": "grow_only_set"`},
		[3]string{"log-of-text", "Has a text as log.", `"x-crdt": "log_rga"`},
		[3]string{"map-of-text", "Has a text as map.", `"x-crdt": "or_map"`})
	return all
}

// signatureRevisions break the signature, or what it is made for.
func signatureRevisions() []revision {
	const line = "  signature: SIGNATURE\n"
	const author = `{did: "did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z"}`
	var all []revision
	each := func(requirement, base string, forms ...[3]string) {
		for _, f := range forms {
			all = append(all, revision{name: f[0], requirement: requirement, base: base, summary: f[1],
				swaps: []swap{{line, f[2]}}})
		}
	}
	each("ACP-FIELD-13", published, [3]string{"unsigned", "Has no signature.", ""},
		[3]string{"null-signature", "Has null as signature.", "  signature:\n"},
		[3]string{"empty-signature", "Has an empty signature.", "  signature: \"\"\n"},
		[3]string{"placeholder", "Has a placeholder as signature.", "  signature: zDIDSig2abc\u2026\n"},
		[3]string{"signature-hex", "Has a signature in another encoding.",
			"  signature: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n"},
		[3]string{"signature-number", "Has a number as signature.", "  signature: 7\n"},
		[3]string{"signature-object", "Has an object as signature.", "  signature: {key: a, value: b}\n"},
		[3]string{"signature-short", "Has a signature that is too short.", "  signature: z3SAxJ\n"},
		[3]string{"foreign-signature", "Has the signature of another file.",
			"  signature: zNNDSxLFZnR7ZiMGqz1vUrHRSzujXYfZchFdTdWsX5ngcVrgs1nbKPLpCAJiSNVAex22yiXPvHwMRycWem7iXhNd\n"})
	for _, f := range []revision{
		{name: "changed-prompt", summary: "Had one letter of its prompt changed after it was signed.",
			resigned: []swap{{"You look after", "You took after"}}},
		{name: "changed-comment", summary: "Had a comment changed after it was signed.",
			resigned: []swap{{"# filled in", "# Filled in"}}},
		{name: "changed-line-ends", summary: "Had its line ends changed after it was signed.",
			resigned: []swap{{"\n", "\r\n"}}},
		{name: "changed-version", summary: "Had its version changed after it was signed.",
			resigned: []swap{{"@1.4.0", "@1.4.1"}}},
		{name: "changed-space", summary: "Had a space added at its end after it was signed.",
			resigned: []swap{{"mcp_action: search_recipes\n", "mcp_action: search_recipes \n"}}},
		{name: "other-author", summary: "Names an author who did not sign it.",
			swaps: []swap{{author, `{did: "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"}`}}},
	} {
		f.requirement, f.base = "ACP-FIELD-13", published
		all = append(all, f)
	}
	all = append(all, revision{name: "changed-draft", requirement: "ACP-FIELD-13", base: pantry,
		summary: "Is a draft that was changed after it was signed.", resigned: []swap{{"You look after", "You took after"}}})
	each("ACP-FIELD-20", pantry, [3]string{"unsigned", "Is a draft without a signature.", ""},
		[3]string{"empty-signature", "Is a draft with an empty signature.", "  signature: \"\"\n"},
		[3]string{"signature-placeholder", "Is a draft with a placeholder as signature.", "  signature: zDIDSig2abc\u2026\n"})
	return all
}

// upgradeRevisions are upgrades of one package, sound and not.
func upgradeRevisions() []revision {
	const uri, day, mood = "did:nuwa:state:diary#v2", `"required": ["day"]`, `["good", "fair", "bad"]`
	next := func(version string) swap { return swap{uri, "did:nuwa:state:diary#" + version} }
	var all []revision
	each := func(requirement string, forms ...revision) {
		for _, f := range forms {
			f.requirement, f.base = requirement, upgraded
			all = append(all, f)
		}
	}
	each("",
		revision{name: "wider", summary: "Takes more values and types than before.",
			swaps: []swap{{mood, `["good", "fair", "bad", "mixed"]`},
				{`"day": {"type": "string"}`, `"day": {"type": ["string", "integer"]}`}}},
		revision{name: "typed", summary: "Says the type of values that it lists already.",
			swaps: []swap{{`"mood": {`, `"mood": {"type": "string", `}}},
		revision{name: "looser", summary: "Has wider bounds than before.",
			swaps: []swap{{`"maximum": 50`, `"maximum": 60`}, {`, "maxItems": 20`, ""},
				{`"type": "integer", "max`, `"type": ["integer", "null"], "max`}}},
		revision{name: "less-required", summary: "Requires less than before.", swaps: []swap{{day, `"required": []`}}},
		revision{name: "next-schema", summary: "Breaks with its schema, under a new URI.",
			swaps: []swap{next("v3"), {day, `"required": ["day", "text"]`}}},
		revision{name: "same-under-next", summary: "Keeps its schema under a higher version.", swaps: []swap{next("v2.1")}},
		revision{name: "major", summary: "Raises the first number of its version.",
			swaps: []swap{{"diary@2.1.0", "diary@3.0.0"}}},
		revision{name: "later-by-number", summary: "Has a version that is higher by number and lower as text.",
			swaps: []swap{{"diary@2.1.0", "diary@2.0.10"}}},
		revision{name: "annotated", summary: "Says more of its members than before.",
			swaps: []swap{{`"place": {`, `"place": {"title": "Place", "x-asm": {"x-visibility": "private"}, `}}})
	each("ACP-COMP-02",
		revision{name: "schema-down", summary: "Has a lower schema version than before.", swaps: []swap{next("v1")}},
		revision{name: "minor-break", summary: "Breaks with its schema under the same first number.",
			swaps: []swap{next("v2.1"), {day, `"required": ["day", "text"]`}}})
	each("ACP-COMP-03",
		revision{name: "requires", summary: "Requires a member that was optional.",
			swaps: []swap{{day, `"required": ["day", "text"]`}}},
		revision{name: "requires-new", summary: "Requires a member that is new.",
			swaps: []swap{{day, `"required": ["day", "weather"]`}}},
		revision{name: "removes", summary: "Removes a member.",
			swaps: []swap{{`, "place": {"type": ["string", "null"]}`, ""}}},
		revision{name: "narrows-type", summary: "Takes fewer types than before.",
			swaps: []swap{{`["string", "null"]`, `"string"`}}},
		revision{name: "other-type", summary: "Has another type than before.",
			swaps: []swap{{`"pages": {"type": "integer"`, `"pages": {"type": "string"`}}},
		revision{name: "narrows-values", summary: "Takes fewer values than before.",
			swaps: []swap{{mood, `["good", "bad"]`}}},
		revision{name: "enumerates", summary: "Takes a few values where it took any.", swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "string", "enum": ["monday"]}`}}},
		revision{name: "narrows-items", summary: "Takes fewer types of items than before.", swaps: []swap{{`"items": {"type": "string"}`, `"items": {"type": "integer"}`}}},
		revision{name: "narrows-bounds", summary: "Takes smaller numbers than before.", swaps: []swap{{`"maximum": 50`, `"maximum": 40`}}},
		revision{name: "bounds-length", summary: "Takes shorter texts than before.", swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "string", "maxLength": 10}`}}},
		revision{name: "closes", summary: "Takes no other members any more.", swaps: []swap{{day, `"required": ["day"], "additionalProperties": false`}}},
		revision{name: "other-strategy", summary: "Merges a member in another way.", swaps: []swap{{`"x-crdt": "rga_text"`, `"x-crdt": "lww_register"`}}},
		revision{name: "drops-strategy", summary: "Drops the strategy of a member.", swaps: []swap{{`, "x-crdt": "rga_text"`, ""}}})
	each("ACP-COMP-04",
		revision{name: "lower", summary: "Has a lower version than before.", swaps: []swap{{"diary@2.1.0", "diary@1.9.9"}}},
		revision{name: "same-version", summary: "Has the version that it had before.", swaps: []swap{{"diary@2.1.0", "diary@2.0.0"}}},
		revision{name: "pre-release", summary: "Is a pre-release of the version before.", swaps: []swap{{"diary@2.1.0", "diary@2.0.0-rc.1"}}},
		revision{name: "build-alone", summary: "Differs from the version before in build alone.", swaps: []swap{{"diary@2.1.0", "diary@2.0.0+build.2"}}})
	return all
}
