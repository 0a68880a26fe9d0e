package caphost

// Offer is one tool or one skill of an attached source.
type Offer struct {
	Kind         string // tool or skill
	Name         string
	Description  string
	Input        any // the inputSchema of a tool
	Output       any // its outputSchema, nil if it does not declare one
	Instructions string
	Resources    []any
	Permissions  []any
	Origin       string // where the source is
	Run          Handler
}

// adopt returns the manifest and the handler of the capability for an offer.
func adopt(o Offer) (manifest map[string]any, run Handler) {
	manifest = map[string]any{
		"capability_id": "attached." + o.Name, "version": "1.0.0", "kind": o.Kind, "name": o.Name,
		"description":  o.Description,
		"input_schema": o.Input, "output_schema": o.Output, "prompt_template": nil, "resources": nil,
		"required_permissions": nil,
	}
	if manifest["output_schema"] == nil {
		manifest["output_schema"] = map[string]any{"type": "object"}
	}
	if o.Kind == "skill" {
		manifest["prompt_template"], manifest["resources"] = o.Instructions, o.Resources
		manifest["required_permissions"] = o.Permissions
	}
	return manifest, o.Run
}
