package capmutant

import (
	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
)

// transports returns hosts that show details of the transport to upper layers (CAP-MCP-03).
func transports() []mutant.Mutant {
	message := func(text string) defect {
		return func(h *caphost.Host) {
			failingDuplicate(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: text})
		}
	}
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		breaks        defect
	}{
		{"url-as-id", "Uses the address of an MCP server as capability id.",
			sets("capability_id", "mcp+http://127.0.0.1:3000/mcp#mix")},
		{"endpoint-in-name", "Shows an SSE endpoint in a name.", sets("name", "Mix (sse: http://127.0.0.1:3000/sse)")},
		{"command-in-description", "Shows the command line of a server in a description.",
			sets("description", "Mixes two colours. command: /usr/bin/colour-server --stdio")},
		{"url-in-description", "Shows the stdio address of a server in a description.",
			sets("description", "Mixes two colours by stdio://colour-server.")},
		{"endpoint-in-schema", "Shows an SSE endpoint in the description of an input member.",
			edits(func(manifest map[string]any) {
				schema, _ := manifest["input_schema"].(map[string]any)
				properties, _ := schema["properties"].(map[string]any)
				first, _ := properties["first"].(map[string]any)
				first["description"] = "Sent on to the server at sse: http://127.0.0.1:3000/sse."
			})},
		{"url-in-output-schema", "Shows the stdio address of a server in the title of an output schema.",
			edits(func(manifest map[string]any) {
				schema, _ := manifest["output_schema"].(map[string]any)
				schema["title"] = "What stdio://colour-server gives"
			})},
		{"url-in-refusal", "Shows the stdio address of a server in the refusal of an invalid input.",
			inRefusal("message", "refused by stdio://colour-server")},
		{"program-in-description", "Shows in a description how its server is started.",
			sets("description", "Mixes two colours by npx colour-server --transport stdio")},
		{"command-in-custom-member", "Shows the command line of a server in a custom member.",
			sets("command", []any{"npx", "-y", "colour-server"})},
		{"endpoint-in-custom-member", "Shows the endpoint of a server in a custom member.",
			sets("x-server", object{"sse_endpoint": "http://colours.example.org/sse"})},
		{"transport-in-custom-member", "Shows the transport of a server inside a custom member.",
			sets("_meta", object{"server": object{"transport": "stdio"}})},
		{"session-in-result", "Shows the headers of a session in a custom member of a result.",
			changesVictimSuccess(mutant.With("_meta", object{"headers": object{"mcp-session-id": "6f1c2d"}}))},
		{"command-in-error", "Shows the command line of a server in a custom member of an error.",
			inRefusal("details", object{"command": "/usr/bin/colour-server --stdio"})},
		{"command-in-message", "Shows the command line of a server in an error message.",
			message("command /usr/bin/colour-server --stdio has ended")},
		{"session-in-message", "Shows a session id in an error message.", message("Mcp-Session-Id 6f1c2d has ended")},
	} {
		broken = append(broken, newMutant("leaks-"+m.name, "CAP-MCP-03", m.summary, m.breaks))
	}
	return broken
}

// inRefusal adds a member to the error for an invalid input.
func inRefusal(member string, value any) defect {
	return func(h *caphost.Host) {
		changesResult(h, everything, func(outcome caphost.Outcome, result map[string]any) any {
			if outcome.Failure != nil && outcome.Failure.Code == caphost.InvalidInput {
				result["error"] = object{"code": caphost.InvalidInput, member: value}
			}
			return result
		})
	}
}
