package capvariant

import (
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/variant"
)

// nullable are the members of a manifest that may be null or absent.
var nullable = []string{"output_schema", "prompt_template", "resources", "required_permissions"}

func withoutNulls(manifest map[string]any) {
	for _, member := range nullable {
		if manifest[member] == nil {
			delete(manifest, member)
		}
	}
}

func withNulls(manifest map[string]any) {
	for _, member := range nullable {
		if _, written := manifest[member]; !written {
			manifest[member] = nil
		}
	}
}

// manifests returns sources that write the members of a manifest in other ways.
func manifests() []variant.Variant {
	type object = map[string]any
	return []variant.Variant{
		newVariant("nulls-left-out", "Omits null members of manifests.", remakes(all, withoutNulls), "CAP-MAN-01"),
		newVariant("nulls-written", "Writes all ten members into every manifest.", remakes(all, withNulls), "CAP-MAN-01"),
		newVariant("nulls-differ", "Omits null members in the list and writes them in descriptions.", nullsDiffer,
			"CAP-DIS-07", "CAP-MAN-01"),
		newVariant("custom-members", "Adds custom members to every manifest.", remakes(all, func(manifest object) {
			manifest["x-owner"], manifest["tags"], manifest["annotations"] = "colours", []any{"a", 1,
				nil}, object{"readOnlyHint": true}
			manifest["side_effects"] = "none"
		}), "CAP-MAN-05", "CAP-MAY-05", "CAP-MAN-06"),
		newVariant("custom-transport-words", "Adds custom members with names of transport details that mean other things.",
			remakes(isTool, func(manifest object) {
				manifest["transport"], manifest["command"], manifest["headers"] = "tram", "mix", []any{"First", "Second"}
				manifest["docs"] = object{"url": "https://docs.example.org/colours", "path": "/colours"}
				manifest["examples"] = []any{object{"input": object{"command": "/usr/bin/mix --stdio",
					"endpoint": "https://example.org/mix"}}}
			}), "CAP-MCP-03", "CAP-MAN-05"),
		newVariant("custom-empty-members", "Adds custom members that are null, empty or deeply nested.",
			remakes(all, func(manifest object) {
				manifest[""], manifest["x-none"], manifest["x-empty"] = "unnamed", nil, object{}
				manifest["x-deep"] = object{"a": []any{object{"b": []any{object{"c": []any{[]any{}}}}}}}
			}), "CAP-MAN-05"),
		newVariant("custom-member-of-answer",
			"Counts in a custom member of every manifest how often a manifest was returned.",
			countsAnswers, "CAP-MAN-05", "CAP-DIS-07"),
		newVariant("texts-empty", "Leaves names and descriptions empty.", remakes(all, func(manifest object) {
			manifest["name"], manifest["description"] = "", ""
		}), "CAP-MAN-01"),
		newVariant("texts-long", "Describes a capability in a very long text with line breaks.", remakes(isPlainTool,
			sets("description", strings.Repeat("Mixes two colours,\r\n\tgiven as six hexadecimal digits. ", 1500))),
			"CAP-MAN-01"),
		newVariant("texts-unicode", "Names capabilities in many scripts, with quotes, markup and control characters.",
			remakes(all, func(manifest object) {
				manifest["annotations"] = object{"readOnlyHint": true} // the lists of words do not cover such a name
				manifest["name"] = "Größe 混ぜる \u202eמיקס\u202c <b>\"x\"</b> \u001b[31m ::error:: \U0001F3A8"
			}), "CAP-MAN-01"),
		newVariant("texts-about-addresses", "Describes a capability that is about addresses and files.", remakes(isPlainTool,
			sets("description",
				"Mixes colours as on https://example.org/colours, for files such as /tmp/palette.txt "+
					"and requests like GET /colours.")), "CAP-MCP-03"),
		newVariant("texts-about-servers", "Describes a capability that starts other servers.", remakes(isPlainTool,
			sets("description",
				"Mixes colours for editors: it launches ./node_modules/.bin/palette --stdio "+
					"and starts /usr/bin/other --sse.")), "CAP-MCP-03"),
		newVariant("permissions-empty", "Declares an empty list of permissions on tools that need none.",
			remakes(func(c *caphost.Capability) bool {
				return isTool(c) && len(c.Permissions) == 0
			}, sets("required_permissions", []any{})), "CAP-GRAN-02"),
		newVariant("permissions-on-tools", "Declares permissions on tools that every caller has.",
			remakes(func(c *caphost.Capability) bool {
				return isTool(c) && len(c.Permissions) == 0 && c.ID != "conformance.echo"
			}, sets("required_permissions", []any{"colours.read", "colours.read:all"})), "CAP-GRAN-02"),
		newVariant("resources-empty", "Lists tools with an empty list of resources.",
			remakes(isTool, sets("resources", []any{})),
			"CAP-GRAN-01"),
	}
}

func countsAnswers(h *caphost.Host) {
	var given atomic.Int64
	h.Publish = func(_ string, c *caphost.Capability) any {
		manifest := c.Manifest()
		manifest["x-given"] = given.Add(1)
		return manifest
	}
}

func nullsDiffer(h *caphost.Host) {
	remakes(all, withNulls)(h)
	h.Publish = func(operation string, c *caphost.Capability) any {
		manifest := c.Manifest()
		if operation == caphost.OpList {
			withoutNulls(manifest)
		}
		return manifest
	}
}

// skills returns sources that write reductions and resources in other ways.
func skills() []variant.Variant {
	type object = map[string]any
	reduced := func(change func(manifest, reduction object)) style {
		return remakes(isSkill, func(manifest object) {
			if reduction, isObject := manifest["conformance.reduction"].(object); isObject {
				change(manifest, reduction)
			}
		})
	}
	return []variant.Variant{
		newVariant("reduction-missing", "Lists a skill without a reduction.",
			remakes(isSkill, func(manifest object) { delete(manifest, "conformance.reduction") }), "CAP-GRAN-05"),
		newVariant("reduction-of-its-own", "Lists a skill with a custom member reduction of another meaning.",
			remakes(isSkill, func(manifest object) {
				delete(manifest, "conformance.reduction")
				manifest["capability_id"], manifest["description"] = "noise.analyse", "Analyses noise."
				manifest["reduction"] = object{"skill": "noise reduction", "tools": []any{"denoiser"},
					"decibel": json.Number("20")}
			}), "CAP-GRAN-05", "CAP-MAN-05"),
		newVariant("reduction-of-profile", "Names the reduction of the fixture reduction.",
			remakes(isSkill, func(manifest object) {
				manifest["reduction"] = manifest["conformance.reduction"]
				delete(manifest, "conformance.reduction")
			}), "CAP-GRAN-05"),
		newVariant("reduction-without-tools", "Reduces a skill to an empty list of tools.",
			reduced(func(_, reduction object) { reduction["tools"] = []any{} }), "CAP-GRAN-05"),
		newVariant("reduction-more-instructions", "Reduces a skill to its prompt template and further instructions.",
			reduced(func(manifest, reduction object) {
				template, _ := manifest["prompt_template"].(string)
				reduction["prompt_instructions"] = "Read the house style first.\n" + template + "\nThen stop."
			}), "CAP-GRAN-05"),
		newVariant("reduction-more-resources", "Reduces a skill to its resources and a further one.",
			reduced(func(_, reduction object) {
				resources, _ := reduction["resources"].([]any)
				reduction["resources"] = append([]any{object{"name": "glossary"}}, resources...)
			}), "CAP-GRAN-05"),
		newVariant("resources-as-names", "Returns the resources of a skill as strings.",
			reduced(func(manifest, reduction object) {
				manifest["resources"], reduction["resources"] = []any{"house-style",
					"https://example.org/style"}, []any{"house-style", "https://example.org/style"}
			}), "CAP-MAN-01"),
		newVariant("resources-none", "Lists a skill with empty lists of resources and permissions.",
			reduced(func(manifest, reduction object) {
				manifest["resources"], reduction["resources"] = []any{}, []any{}
				manifest["required_permissions"], reduction["permissions"] = []any{}, []any{}
			}), "CAP-MAN-04"),
	}
}
