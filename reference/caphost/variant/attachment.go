package capvariant

import (
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/variant"
)

// attachments returns sources that adopt an attached MCP server and attached skills in other
// lawful ways.
func attachments() []variant.Variant {
	return []variant.Variant{
		newVariant("attach-other-ids", "Gives attached tools and skills new ids and versions.",
			adopts(nil, func(manifest map[string]any) {
				id, _ := manifest["capability_id"].(string)
				manifest["capability_id"] = "source/1:" + strings.ToUpper(strings.ReplaceAll(id, "_", "-"))
				manifest["version"] = "2026.11"
			}), "CAP-MCP-01", "CAP-SK-01"),
		newVariant("attach-schema-respelled", "Writes the inputSchema of an attached tool in another way.",
			adopts(nil, func(manifest map[string]any) {
				manifest["input_schema"] = map[string]any{
					"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Input",
					"allOf": []any{manifest["input_schema"]},
				}
			}), "CAP-MCP-01"),
		newVariant("attach-prompt-framed", "Puts the instructions of an attached skill between other words.",
			adopts(func(o *caphost.Offer) {
				o.Instructions = "Follow these instructions.\n\n" + o.Instructions + "\n\nThe input is {{input}}."
				for i := range o.Permissions {
					o.Permissions[i] = "tools:" + strings.ToLower(o.Permissions[i].(string)) + ":use"
				}
				for i := range o.Resources {
					o.Resources[i] = "skill://" + o.Name + "/" + o.Resources[i].(map[string]any)["name"].(string)
				}
			}, nil), "CAP-SK-01"),
		newVariant("attach-needs-approval",
			"Denies every invocation of an attached tool or skill until it is approved.", func(h *caphost.Host) {
				original := h.Authorize
				h.Authorize = func(c *caphost.Capability) error {
					if strings.HasPrefix(c.ID, "attached.") {
						return &caphost.Failure{Code: caphost.PermissionDenied, Message: "nobody approved it"}
					}
					return original(c)
				}
			}, "CAP-MCP-01", "CAP-ERR-03"),
		newVariant("attach-servers-alone", "Attaches MCP servers, but no folder of skills.", takesAlone("mcp"),
			"CAP-SK-01"),
		newVariant("attach-skills-alone", "Attaches folders of skills, but no MCP server.", takesAlone("skills"),
			"CAP-MCP-01"),
	}
}

// adopts changes an offer, and the manifest that the host makes from it.
func adopts(offer func(o *caphost.Offer), change func(manifest map[string]any)) style {
	return func(h *caphost.Host) {
		original := h.Adopt
		h.Adopt = func(o caphost.Offer) (map[string]any, caphost.Handler) {
			if offer != nil && o.Kind == "skill" {
				offer(&o)
			}
			manifest, run := original(o)
			if change != nil {
				change(manifest)
			}
			return manifest, run
		}
	}
}

// takesAlone removes all other members from the input of the instrument.
func takesAlone(member string) style {
	return remakes(func(c *caphost.Capability) bool { return c.ID == caphost.Attach }, func(manifest map[string]any) {
		manifest["input_schema"] = map[string]any{
			"type": "object", "properties": map[string]any{member: map[string]any{"type": "string"}},
			"additionalProperties": false,
		}
	})
}
