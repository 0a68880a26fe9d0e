package acpmutant

import (
	"github.com/capconform/capconform/reference/acphost"
	"github.com/capconform/capconform/reference/mutant"
)

// takeDefects are routers that take one kind of unsound package each.
func takeDefects() []mutant.Mutant {
	reads := func(takes acphost.Lenience) defect {
		return func(h *acphost.Host) { h.Read = acphost.Lenient(takes) }
	}
	var all []mutant.Mutant
	for _, m := range []struct {
		name, kind string
		takes      defect
	}{
		{"two-documents", "of two YAML documents", reads(acphost.SecondDocument)},
		{"repeated-key", "with a repeated key", reads(acphost.RepeatedKey)},
		{"no-metadata", "without metadata, whose members stand at the top", reads(acphost.NoMetadata)},
		{"schema-mapping", "whose schema is a mapping", reads(acphost.MappedSchema)},
		{"prompt-list", "whose prompt is a list", unruled("prompt")},
		{"tool-type", "with a tool that has no type", unruled("tool-types")},
		{"bindings-list", "whose tool bindings are a list", unruled("bindings-mapping")},
		{"dialect", "whose schema is of another dialect", unruled("dialect")},
		{"fixed-uri", "with a state tool that fixes another schema URI", unruled("fixed-uri")},
		{"null-trigger", "with null among its triggers", unruled("trigger-values")},
		{"expression", "with a trigger that is no regular expression", unruled("trigger-expressions")},
		{"requirements-list", "whose LLM requirements are a list", unruled("requirements")},
		{"model-family", "whose model family is a text", unruled("model_family")},
		{"model-uri", "whose model URI is a list", unruled("specific_model_uri")},
		{"context-window", "whose context window is a text", unruled("min_context_window")},
		{"features", "whose required features are a text", unruled("required_features")},
		{"binding-type", "with a binding that has no type", unruled("binding-types")},
		{"get-nowhere", "with a binding of type http_get that has no url", unruled("http_get.url")},
		{"post-nowhere", "with a binding of type http_post that has no url", unruled("http_post.url")},
		{"no-agent", "with a binding of type nuwa_a2a that has no target_did", unruled("nuwa_a2a.target_did")},
		{"no-method", "with a binding of type nuwa_a2a that has no service_method", unruled("nuwa_a2a.service_method")},
		{"no-service", "with a binding of type mcp_service that has no service_uri", unruled("mcp_service.service_uri")},
		{"no-action", "with a binding of type mcp_service that has no mcp_action", unruled("mcp_service.mcp_action")},
	} {
		all = append(all, newMutant("takes-"+m.name, "ACP-SEC-08", "Takes a package "+m.kind+".", m.takes))
	}
	return all
}
