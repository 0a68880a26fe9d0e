package capmutant

import (
	"context"
	"strings"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// adoption is a defect in how a source adopts one tool or skill of an attached source.
type adoption struct {
	name, requirement, summary string
	adopt                      func(o *caphost.Offer)
}

// attachments returns hosts that break the adoption of an attached MCP server and attached
// skills (CAP-MCP-01, CAP-SK-01), or other requirements that apply to their tools.
func attachments() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range append(schemaAdoptions(), callAdoptions()...) {
		broken = append(broken, newMutant(m.name, m.requirement, m.summary, adopts(m.adopt)).WithRole("attach"))
	}
	return append(broken,
		newMutant("attach-does-not-validate", "CAP-INV-02", "Leaves the validation of inputs to the attached server.",
			func(h *caphost.Host) {
				original := h.Validate
				h.Validate = func(c *caphost.Capability, input any) error {
					if isAttached(c) {
						return nil
					}
					return original(c, input)
				}
			}).WithRole("attach"),
	)
}

func schemaAdoptions() []adoption {
	return []adoption{
		{"attach-drops-schema", "CAP-MCP-01",
			"Lists a tool of an attached server without the restrictions of its inputSchema.",
			func(o *caphost.Offer) {
				o.Input = map[string]any{"type": "object"}
			}},
		{"attach-loosens-schema", "CAP-MCP-01",
			"Lists a tool of an attached server with only the outermost level of its inputSchema.",
			loosens},
		{"attach-tightens-schema", "CAP-MCP-01", "Lists a tool of an attached server with every property required.",
			tightens},
	}
}

func callAdoptions() []adoption {
	return []adoption{
		{"attach-calls-renamed", "CAP-MCP-01", "Calls a different tool of an attached server than the one invoked.",
			callsFirst()},
		{"attach-wraps-arguments", "CAP-MCP-01", "Calls a tool of an attached server with the input as one argument.",
			changesHandler(func(run caphost.Handler) caphost.Handler {
				return func(ctx context.Context, h *caphost.Host, input map[string]any) (any, error) {
					return run(ctx, h, map[string]any{"input": input})
				}
			})},
		{"attach-executes-at-once", "CAP-MCP-01", "Calls each tool of an attached server when the server is attached.",
			func(o *caphost.Offer) {
				if o.Kind == "tool" {
					_, _ = o.Run(context.Background(), nil, map[string]any{})
				}
			}},
	}
}

func isAttached(c *caphost.Capability) bool { return strings.HasPrefix(c.ID, "attached.") }

// adopts changes an offer before the host makes a capability from it.
func adopts(change func(o *caphost.Offer)) defect {
	return func(h *caphost.Host) {
		original := h.Adopt
		h.Adopt = func(o caphost.Offer) (map[string]any, caphost.Handler) {
			change(&o)
			return original(o)
		}
	}
}

// changesHandler changes the handlers of attached tools.
func changesHandler(change func(run caphost.Handler) caphost.Handler) func(o *caphost.Offer) {
	return func(o *caphost.Offer) {
		if o.Kind == "tool" {
			o.Run = change(o.Run)
		}
	}
}

// callsFirst calls the first tool of a server in place of each tool, like a host that loses
// names.
func callsFirst() func(o *caphost.Offer) {
	firsts := map[string]caphost.Handler{} // by server
	return func(o *caphost.Offer) {
		if o.Kind != "tool" {
			return
		}
		if firsts[o.Origin] == nil {
			firsts[o.Origin] = o.Run
		}
		o.Run = firsts[o.Origin]
	}
}

func loosens(o *caphost.Offer) {
	if o.Kind != "tool" {
		return
	}
	schema, _ := o.Input.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	loose := map[string]any{}
	for name := range properties {
		loose[name] = map[string]any{}
	}
	o.Input = map[string]any{"type": "object", "properties": loose, "required": schema["required"],
		"additionalProperties": false}
}

func tightens(o *caphost.Offer) {
	if o.Kind != "tool" {
		return
	}
	schema, _ := o.Input.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	required := []any{}
	for name := range properties {
		required = append(required, name)
	}
	o.Input = map[string]any{"type": "object", "properties": properties, "required": required,
		"additionalProperties": false}
}
