package acpmutant

import (
	"slices"

	"github.com/capconform/capconform/reference/mutant"
)

// invalidPermissionRevisions returns packages whose permissions cannot declare anything.
func invalidPermissionRevisions() []revision {
	const declared = "  permissions: {require: [state.create, state.query, storage.large]}\n"
	also := []mutant.Also{{ID: "ACP-STATE-16",
		Reason: "permissions that are not an object have no list of required permissions"}}
	return []revision{
		{name: "permissions-number", requirement: "ACP-STATE-08", base: diary,
			summary: "Has a state tool and a number as permissions.", also: also,
			swaps: []swap{{declared, "  permissions: 7\n"}}},
		{name: "permissions-empty", requirement: "ACP-STATE-08", base: diary,
			summary: "Has a state tool and an empty list as permissions.", also: also,
			swaps: []swap{{declared, "  permissions: []\n"}}},
	}
}

// permissionRevisions returns packages that break the rules on permissions.
func permissionRevisions() []revision {
	const verbs, policy = `["state.create", "state.update", "state.query", "state.delete"]`, `"container": "object",`
	return slices.Concat(
		changes("ACP-STATE-08", pantry, verbs, [3]string{"undeclared-create", "Does not declare state.create.",
			`["state.update", "state.query", "state.delete"]`}),
		changes("ACP-STATE-08", diary, "  permissions: {require: [state.create, state.query, storage.large]}\n",
			[3]string{"no-permissions", "Has a state tool and no permissions.", ""}, [3]string{"null-permissions",
				"Has a state tool and null as permissions.", "  permissions:\n"},
			[3]string{"no-require", "Has a state tool and permissions without the member require.", "  permissions: {}\n"},
			[3]string{"empty-require", "Has a state tool and an empty list of required permissions.",
				"  permissions: {require: []}\n"},
			[3]string{"bare-verb", "Declares a verb without its prefix.", "  permissions: {require: [create]}\n"},
			[3]string{"verb-case", "Declares a verb in upper case.", "  permissions: {require: [STATE.CREATE]}\n"}),
		changes("ACP-STATE-13", pantry, verbs, [3]string{"undeclared-update", "Does not declare state.update.",
			`["state.create", "state.query", "state.delete"]`}),
		changes("ACP-STATE-14", pantry, verbs, [3]string{"undeclared-query", "Does not declare state.query.",
			`["state.create", "state.update", "state.delete"]`}),
		changes("ACP-STATE-15", pantry, verbs, [3]string{"undeclared-delete", "Does not declare state.delete.",
			`["state.create", "state.update", "state.query"]`}),
		changes("ACP-STATE-16", tide, "{require: []}", [3]string{"require-text", "Has a text as required permissions.",
			"{require: storage.large}"}, [3]string{"permissions-list", "Has a list as permissions.", "[storage.large]"},
			[3]string{"require-numbers", "Has a number among its required permissions.", "{require: [7]}"},
			[3]string{"require-mapping", "Has a mapping as required permissions.", "{require: {storage: large}}"}),
	)
}

// stateRevisions returns packages that break the annotations of the state model.
func stateRevisions() []revision {
	const verbs, policy = `["state.create", "state.update", "state.query", "state.delete"]`, `"container": "object",`
	return slices.Concat(
		changes("ACP-STATE-10", pantry, `"lww_register"`, [3]string{"strategy",
			"Has a strategy that the state model does not define.", `"last_write_wins"`},
			[3]string{"strategy-number", "Has a number as strategy.", "1"},
			[3]string{"strategy-case", "Has a strategy in upper case.", `"LWW_REGISTER"`}),
		changes("ACP-STATE-10", pantry, `{"by": {"type": "integer"}`,
			[3]string{"deep-strategy", "Has an unknown strategy at a deeper level.",
				`{"by": {"type": "integer", "x-crdt": "append_only"}`}),
		changes("ACP-STATE-10", pantry, `"required": ["id", "item", "amount"]`,
			[3]string{"dependent-strategy", "Has an unknown strategy below the keyword dependencies.",
				`"required": ["id", "item", "amount"], "dependencies": {"unit": {"x-crdt": "append_only"}}`}),
		changes("ACP-STATE-17", pantry, policy, [3]string{"container", "Has a policy with an unknown container.",
			`"container": "tree",`},
			[3]string{"container-number", "Has a policy with a number as container.", `"container": 1,`}),
		changes("ACP-STATE-17", pantry, `"P90D"`,
			[3]string{"ttl-words", "Has a policy with a lifetime in words.", `"90 days"`},
			[3]string{"ttl-number", "Has a policy with a lifetime in seconds.", "7776000"},
			[3]string{"ttl-empty", "Has a policy with an empty lifetime.", `"P"`}),
		changes("ACP-STATE-17", pantry, `{"window": "P30D", "strategy": "drop_oldest"}`,
			[3]string{"retention", "Has a policy with a retention that is not an object.", `"P30D"`},
			[3]string{"retention-window", "Has a policy with a window in words.",
				`{"window": "a month", "strategy": "drop_oldest"}`},
			[3]string{"retention-strategy", "Has a policy with a number as strategy of its retention.",
				`{"window": "P30D", "strategy": 1}`}),
		changes("ACP-STATE-17", pantry, `"zstd"`, [3]string{"compression", "Has a policy with an unknown compression.",
			`"lz4"`}),
		changes("ACP-STATE-17", pantry, `"shared"`, [3]string{"visibility", "Has a policy with an unknown visibility.",
			`"friends"`}),
		changes("ACP-STATE-17", pantry, `"crdt": "per_field"`,
			[3]string{"policy-crdt", "Has a policy with a number as strategy.",
				`"crdt": 4`}),
		changes("ACP-STATE-17", diary, `"place": {`, [3]string{"policy-text", "Has a text as policy.",
			`"place": {"x-asm": "log", `}),
		changes("ACP-STATE-18", pantry, `"minimum": 0, "x-crdt": "counter"`,
			[3]string{"text-of-number", "Merges a number as text.", `"minimum": 0, "x-crdt": "rga_text"`}),
		changes("ACP-STATE-18", pantry, `"x-crdt": "rga_text"`, [3]string{"counter-of-text", "Has a text as counter.",
			`"x-crdt": "counter"`}, [3]string{"flag-of-text", "Has a text as flag.", `"x-crdt": "flag"`},
			[3]string{"set-of-text", "Has a text as growing set.", `"x-crdt": "grow_only_set"`},
			[3]string{"log-of-text", "Has a text as log.", `"x-crdt": "log_rga"`},
			[3]string{"map-of-text", "Has a text as map.", `"x-crdt": "or_map"`}),
	)
}

// signatureRevisions returns packages that break the signature, or change the file after signing.
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
		[3]string{"signature-hex", "Has a hash as signature.",
			"  signature: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n"},
		[3]string{"signature-number", "Has a number as signature.", "  signature: 7\n"},
		[3]string{"signature-object", "Has an object as signature.", "  signature: {key: a, value: b}\n"},
		[3]string{"signature-short", "Has a signature that is too short.", "  signature: z3SAxJ\n"},
		[3]string{"foreign-signature", "Has the signature of another file.",
			"  signature: zNNDSxLFZnR7ZiMGqz1vUrHRSzujXYfZchFdTdWsX5ngcVrgs1nbKPLpCAJiSNVAex22yiXPvHwMRycWem7iXhNd\n"})
	for _, f := range []revision{
		{name: "changed-prompt", summary: "Had one letter of its prompt changed after signing.",
			afterSigning: []swap{{"You look after", "You took after"}}},
		{name: "changed-comment", summary: "Had a comment changed after signing.",
			afterSigning: []swap{{"# filled in", "# Filled in"}}},
		{name: "changed-line-ends", summary: "Had its line ends changed after signing.",
			afterSigning: []swap{{"\n", "\r\n"}}},
		{name: "changed-version", summary: "Had its version changed after signing.",
			afterSigning: []swap{{"@1.4.0", "@1.4.1"}}},
		{name: "changed-space", summary: "Had a space added at its end after signing.",
			afterSigning: []swap{{"mcp_action: search_recipes\n", "mcp_action: search_recipes \n"}}},
		{name: "other-author", summary: "Names an author who did not sign it.",
			swaps: []swap{{author, `{did: "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"}`}}},
	} {
		f.requirement, f.base = "ACP-FIELD-13", published
		all = append(all, f)
	}
	all = append(all, revision{name: "changed-draft", requirement: "ACP-FIELD-13", base: pantry,
		summary: "Is a draft that was changed after signing.", afterSigning: []swap{{"You look after", "You took after"}}})
	each("ACP-FIELD-20", pantry, [3]string{"unsigned", "Is a draft without a signature.", ""},
		[3]string{"empty-signature", "Is a draft with an empty signature.", "  signature: \"\"\n"},
		[3]string{"signature-placeholder", "Is a draft with a placeholder as signature.", "  signature: zDIDSig2abc\u2026\n"})
	return all
}

// upgradesOf returns upgrades that break a requirement, or valid ones if requirement is "".
func upgradesOf(requirement string, forms ...revision) []revision {
	for i := range forms {
		forms[i].requirement, forms[i].base = requirement, upgraded
	}
	return forms
}

// nextSchema returns a change of the version of the schema URI.
func nextSchema(version string) swap {
	return swap{"did:nuwa:state:diary#v2", "did:nuwa:state:diary#" + version}
}

// The parts of the schema that upgrades change.
const (
	requiredMembers = `"required": ["day"]`
	moodValues      = `["good", "fair", "bad"]`
)

// validUpgrades returns valid upgrades of one package.
func validUpgrades() []revision {
	return upgradesOf("",
		revision{name: "wider", summary: "Accepts more values and types than before.",
			swaps: []swap{{moodValues, `["good", "fair", "bad", "mixed"]`},
				{`"day": {"type": "string"}`, `"day": {"type": ["string", "integer"]}`}}},
		revision{name: "typed", summary: "States the type of values that it already lists.",
			swaps: []swap{{`"mood": {`, `"mood": {"type": "string", `}}},
		revision{name: "looser", summary: "Has wider bounds than before.",
			swaps: []swap{{`"maximum": 50`, `"maximum": 60`}, {`, "maxItems": 20`, ""},
				{`"type": "integer", "max`, `"type": ["integer", "null"], "max`}}},
		revision{name: "less-required", summary: "Requires less than before.",
			swaps: []swap{{requiredMembers, `"required": []`}}},
		revision{name: "next-schema", summary: "Changes its schema incompatibly, under a new URI.",
			swaps: []swap{nextSchema("v3"), {requiredMembers, `"required": ["day", "text"]`}}},
		revision{name: "same-under-next", summary: "Keeps its schema under a higher version.",
			swaps: []swap{nextSchema("v2.1")}},
		revision{name: "major", summary: "Raises the first number of its version.",
			swaps: []swap{{"diary@2.1.0", "diary@3.0.0"}}},
		revision{name: "later-by-number", summary: "Has a version that is higher by number and lower as text.",
			swaps: []swap{{"diary@2.1.0", "diary@2.0.10"}}},
		revision{name: "annotated", summary: "Has more annotations of its members than before.",
			swaps: []swap{{`"place": {`, `"place": {"title": "Place", "x-asm": {"x-visibility": "private"}, `}}})
}

// upgradeRevisions returns broken upgrades of one package.
func upgradeRevisions() []revision {
	return slices.Concat(
		upgradesOf("ACP-COMP-02",
			revision{name: "schema-down", summary: "Has a lower schema version than before.", swaps: []swap{nextSchema("v1")}},
			revision{name: "minor-break", summary: "Changes its schema incompatibly under the same first number.",
				swaps: []swap{nextSchema("v2.1"), {requiredMembers, `"required": ["day", "text"]`}}}),
		upgradesOf("ACP-COMP-03",
			revision{name: "requires", summary: "Requires a member that was optional.",
				swaps: []swap{{requiredMembers, `"required": ["day", "text"]`}}},
			revision{name: "requires-new", summary: "Requires a member that is new.",
				swaps: []swap{{requiredMembers, `"required": ["day", "weather"]`}}},
			revision{name: "removes", summary: "Removes a member.",
				swaps: []swap{{`, "place": {"type": ["string", "null"]}`, ""}}},
			revision{name: "narrows-type", summary: "Accepts fewer types than before.",
				swaps: []swap{{`["string", "null"]`, `"string"`}}},
			revision{name: "other-type", summary: "Has another type than before.",
				swaps: []swap{{`"pages": {"type": "integer"`, `"pages": {"type": "string"`}}},
			revision{name: "narrows-values", summary: "Accepts fewer values than before.",
				swaps: []swap{{moodValues, `["good", "bad"]`}}},
			revision{name: "enumerates", summary: "Accepts a few values instead of any.",
				swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "string", "enum": ["monday"]}`}}},
			revision{name: "narrows-items", summary: "Accepts fewer types of items than before.",
				swaps: []swap{{`"items": {"type": "string"}`, `"items": {"type": "integer"}`}}},
			revision{name: "narrows-bounds", summary: "Accepts a smaller maximum than before.",
				swaps: []swap{{`"maximum": 50`, `"maximum": 40`}}},
			revision{name: "bounds-length", summary: "Accepts only shorter texts than before.",
				swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "string", "maxLength": 10}`}}},
			revision{name: "closes", summary: "No longer accepts other members.",
				swaps: []swap{{requiredMembers, `"required": ["day"], "additionalProperties": false`}}},
			revision{name: "limits-names", summary: "Accepts only members with short names.",
				swaps: []swap{{requiredMembers, `"required": ["day"], "propertyNames": {"maxLength": 5}`}}},
			revision{name: "limits-others", summary: "Accepts only texts as further members.",
				swaps: []swap{{requiredMembers, `"required": ["day"], "additionalProperties": {"type": "string"}`}}},
			revision{name: "excludes", summary: "Excludes a value that was accepted.",
				swaps: []swap{{`"day": {"type": "string"}`, `"day": {"type": "string", "not": {"const": "monday"}}`}}},
			revision{name: "other-strategy", summary: "Merges a member in another way.",
				swaps: []swap{{`"x-crdt": "rga_text"`, `"x-crdt": "lww_register"`}}},
			revision{name: "drops-strategy", summary: "Drops the strategy of a member.",
				swaps: []swap{{`, "x-crdt": "rga_text"`, ""}}}),
		upgradesOf("ACP-COMP-04",
			revision{name: "lower", summary: "Has a lower version than before.", swaps: []swap{{"diary@2.1.0", "diary@1.9.9"}}},
			revision{name: "same-version", summary: "Has the version that it had before.",
				swaps: []swap{{"diary@2.1.0", "diary@2.0.0"}}},
			revision{name: "pre-release", summary: "Is a pre-release of the previous version.",
				swaps: []swap{{"diary@2.1.0", "diary@2.0.0-rc.1"}}},
			revision{name: "build-alone", summary: "Differs from the previous version only in the build.",
				swaps: []swap{{"diary@2.1.0", "diary@2.0.0+build.2"}}}),
	)
}
