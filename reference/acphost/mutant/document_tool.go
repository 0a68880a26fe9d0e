package acpmutant

import "strings"

// toolRevisions break tools and their bindings.
func toolRevisions() []revision {
	const recipe = "      name: find_recipe\n"
	const port, wave = "{type: object, properties: {port: {type: string}}, additionalProperties: false}", "tide_table: {type: carrier_wave, frequency: 171.3}"
	var all []revision
	each := func(requirement, base, from string, forms ...[3]string) {
		for _, f := range forms {
			all = append(all,
				revision{name: f[0], requirement: requirement, base: base, summary: f[1], swaps: []swap{{from, f[2]}}})
		}
	}
	each("ACP-FILE-04", diary, "tools:\n  - type: function\n",
		[3]string{"tool-no-type", "Has a tool without a type.", "tools:\n  - x-type: function\n"},
		[3]string{"tool-type", "Has a tool of another type.", "tools:\n  - type: tool\n"})
	each("ACP-FILE-04", diary, "  - type: function\n    function:\n      name: state.create\n",
		[3]string{"tool-text", "Has the name of a tool in place of the tool.",
			"  - state.create\n  - type: function\n    function:\n      name: state.create\n"},
		[3]string{"tool-flat", "Has a tool without a member function.",
			"  - {type: function, name: count_days}\n  - type: function\n    function:\n      name: state.create\n"},
		[3]string{"tool-no-name", "Has a tool without a name.",
			"  - {type: function, function: {description: Count.}}\n  - type: function\n    function:\n      name: state.create\n"},
		[3]string{"tool-name-number", "Has a tool with a number as name.",
			"  - {type: function, function: {name: 7}}\n  - type: function\n    function:\n      name: state.create\n"})
	each("ACP-FILE-04", tide, "description: ''",
		[3]string{"description-list", "Has a tool with a list as description.", "description: [Tides]"})
	each("ACP-FILE-07", tide, port, [3]string{"parameters-text", "Has a text as parameters.", "port"}, [3]string{"parameters-list", "Has a list as parameters.", "[{name: port, type: string}]"},
		[3]string{"parameters-untyped", "Has parameters without a type.", "{properties: {port: {type: string}}}"}, [3]string{"parameters-array", "Has parameters of the type array.", "{type: array, items: {type: string}}"},
		[3]string{"parameters-broken", "Has parameters that are no schema.", "{type: object, properties: {port: {type: text}}}"},
		[3]string{"parameters-reference", "Has parameters with a reference to nothing.", "{type: object, properties: {port: {$ref: '#/$defs/port'}}}"},
		[3]string{"parameters-metadata", "Has parameters with a reference to another section.", "{type: object, properties: {port: {$ref: '#/metadata'}}}"})
	each("ACP-FILE-08", pantry, recipe, [3]string{"name-twice", "Has two tools of one name.", recipe + "  - {type: function, function: {name: find_recipe}}\n"})
	each("ACP-FILE-09", tide, "tide_table", [3]string{"name-space", "Has a tool whose name has a space.", "tide table"}, [3]string{"name-slash", "Has a tool whose name has a slash.", "tide/table"},
		[3]string{"name-script", "Has a tool whose name is in another script.", "潮汐表"}, [3]string{"name-long", "Has a tool with a name of 65 characters.", strings.Repeat("t", 65)})
	each("ACP-FIELD-04", pantry, `enum: ["did:nuwa:state:pantry#v1"]`, [3]string{"pinned-version", "Has a state tool that fixes an older schema URI.", `enum: ["did:nuwa:state:pantry#v0"]`},
		[3]string{"pinned-others", "Has a state tool that takes two foreign schema URIs.", `enum: ["did:nuwa:state:larder#v1", "did:nuwa:state:pantry"]`})
	each("ACP-FIELD-04", pantry, `const: "did:nuwa:state:pantry#v1"`, [3]string{"pinned-const", "Has a state tool that fixes a foreign schema URI.", `const: "did:nuwa:state:larder#v1"`})
	each("ACP-STATE-20", pantry, recipe, [3]string{"fifth-verb", "Has a tool state.upsert.", recipe + "  - {type: function, function: {name: state.upsert}}\n"})
	each("ACP-STATE-20", diary, "storage.large", [3]string{"fifth-permission", "Asks for the permission state.upsert.", "state.upsert"})

	each("ACP-BIND-02", pantry, "  order_food:\n    type: http_post\n    url: \"https://shop.example.org/orders\"\n", [3]string{"unbound", "Has a tool without a binding.", ""})
	each("ACP-BIND-02", tide, "tool_bindings: {"+wave+"}\n", [3]string{"tool-alone", "Has a tool and no bindings.", ""}, [3]string{"empty-bindings", "Has a tool and empty bindings.", "tool_bindings: {}\n"})
	each("ACP-BIND-03", tide, wave, [3]string{"stray", "Has a binding for a tool that there is not.", wave + ", ebb_table: {type: carrier_wave}"},
		[3]string{"case", "Has a second binding whose key differs in case.", wave + ", Tide_Table: {type: carrier_wave}"})
	each("ACP-BIND-04", tide, "{type: carrier_wave, frequency: 171.3}", [3]string{"untyped", "Has a binding without a type.", "{frequency: 171.3}"}, [3]string{"text", "Has the type in place of a binding.", "carrier_wave"},
		[3]string{"list", "Has a list as binding.", "[{type: carrier_wave}]"}, [3]string{"null", "Has null as binding.", "null"}, [3]string{"type-number", "Has a binding with a number as type.", "{type: 1713}"},
		[3]string{"type-empty", "Has a binding with an empty type.", "{type: ''}"})
	each("ACP-BIND-12", pantry, `    url: "https://codes.example.org/v1/{barcode}" # filled in by the runtime`+"\n", [3]string{"get-no-url", "Has a GET without an address.", ""},
		[3]string{"get-relative", "Has a GET of a relative address.", "    url: /v1/codes\n"}, [3]string{"get-ftp", "Has a GET of an address of another scheme.", "    url: ftp://codes.example.org/\n"},
		[3]string{"get-number", "Has a GET of a number.", "    url: 443\n"})
	each("ACP-BIND-13", pantry, `    url: "https://shop.example.org/orders"`+"\n", [3]string{"post-no-url", "Has a POST without an address.", ""}, [3]string{"post-empty", "Has a POST to an empty address.", "    url: ''\n"},
		[3]string{"post-host", "Has a POST to a bare name of a host.", "    url: shop.example.org\n"})
	each("ACP-BIND-14", pantry, `    target_did: "{neighbour}"`+"\n", [3]string{"no-target", "Has a call of no agent.", ""}, [3]string{"target-name", "Has a call of an agent without a DID.", "    target_did: bob\n"},
		[3]string{"target-list", "Has a call of several agents.", "    target_did: ['did:nuwa:agent:bob']\n"})
	each("ACP-BIND-15", pantry, "    service_method: askForHelp\n", [3]string{"no-method", "Has a call of no method.", ""}, [3]string{"method-empty", "Has a call of a method without a name.", "    service_method: ''\n"})
	each("ACP-BIND-16", pantry, `    service_uri: "did:nuwa:mcp:cookbook:stable"`+"\n", [3]string{"no-service", "Has an action of no service.", ""}, [3]string{"service-name", "Has an action of a service without a URI.", "    service_uri: cookbook\n"})
	each("ACP-BIND-17", pantry, "    mcp_action: search_recipes\n", [3]string{"no-action", "Has a service without an action.", ""}, [3]string{"action-list", "Has a service with several actions.", "    mcp_action: [search_recipes]\n"})
	each("ACP-BIND-20", pantry, `/v1/{barcode}`, [3]string{"placeholder", "Has a placeholder that no parameter fills.", `/v1/{code}`})
	each("ACP-BIND-20", pantry, `"{neighbour}"`, [3]string{"target-placeholder", "Has a placeholder for an agent that no parameter fills.", `"{friend_did}"`})
	each("ACP-BIND-21", pantry, "tool_bindings:\n", [3]string{"bound-built-in", "Has a binding for a built-in tool.", "tool_bindings:\n  state.query: {type: http_get, url: \"https://larder.example.org/\"}\n"})
	return all
}
