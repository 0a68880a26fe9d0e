package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// transports let the way to a capability be seen from above (CAP-MCP-03).
func transports() []mutant.Mutant {
	message := func(text string) defect {
		return func(h *caphost.Host) {
			failingTwin(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: text})
		}
	}
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		breaks        defect
	}{
		{"url-as-id", "Uses the address of an MCP server as capability id.",
			sets("capability_id", "mcp+http://127.0.0.1:3000/mcp#mix")},
		{"endpoint-in-name", "Tells an SSE endpoint in a name.", sets("name", "Mix (sse: http://127.0.0.1:3000/sse)")},
		{"command-in-description", "Tells the command line of a server in a description.",
			sets("description", "Mixes two colours. command: /usr/bin/colour-server --stdio")},
		{"url-in-description", "Tells a server's stdio address in a description.",
			sets("description", "Mixes two colours by stdio://colour-server.")},
		{"endpoint-in-schema", "Tells an SSE endpoint where an input schema describes a member.",
			edits(func(manifest map[string]any) {
				schema, _ := manifest["input_schema"].(map[string]any)
				properties, _ := schema["properties"].(map[string]any)
				first, _ := properties["first"].(map[string]any)
				first["description"] = "Sent on to the server at sse: http://127.0.0.1:3000/sse."
			})},
		{"url-in-output-schema", "Tells a server's stdio address in the title of an output schema.",
			edits(func(manifest map[string]any) {
				schema, _ := manifest["output_schema"].(map[string]any)
				schema["title"] = "What stdio://colour-server gives"
			})},
		{"url-in-refusal", "Tells a server's stdio address where it refuses an unsound input.", func(h *caphost.Host) {
			turnsResult(h, everything, func(outcome caphost.Outcome, result map[string]any) any {
				if outcome.Failure != nil && outcome.Failure.Code == caphost.InvalidInput {
					result["error"] = object{"code": caphost.InvalidInput, "message": "refused by stdio://colour-server"}
				}
				return result
			})
		}},
		{"program-in-description", "Tells how its server is started in a description.",
			sets("description", "Mixes two colours by npx colour-server --transport stdio")},
		{"command-in-custom-member", "Tells the command line of a server in a custom member.",
			sets("command", []any{"npx", "-y", "colour-server"})},
		{"endpoint-in-custom-member", "Tells the endpoint of a server in a custom member.", sets("x-server", object{"sse_endpoint": "http://colours.example.org/sse"})},
		{"transport-in-custom-member", "Tells the transport of a server within a custom member.", sets("_meta", object{"server": object{"transport": "stdio"}})},
		{"session-in-result", "Tells the headers of a session in a custom member of a result.", victimOK(mutant.With("_meta", object{"headers": object{"mcp-session-id": "6f1c2d"}}))},
		{"command-in-error", "Tells the command line of a server in a custom member of an error.", func(h *caphost.Host) {
			turnsResult(h, everything, func(outcome caphost.Outcome, result map[string]any) any {
				if outcome.Failure != nil && outcome.Failure.Code == caphost.InvalidInput {
					result["error"] = object{"code": caphost.InvalidInput, "details": object{"command": "/usr/bin/colour-server --stdio"}}
				}
				return result
			})
		}},
		{"command-in-message", "Tells the command line of a server in an error message.", message("command /usr/bin/colour-server --stdio has ended")},
		{"session-in-message", "Tells a session id in an error message.", message("Mcp-Session-Id 6f1c2d has ended")},
	} {
		broken = append(broken, newMutant("leaks-"+m.name, "CAP-MCP-03", m.summary, m.breaks))
	}
	return broken
}
