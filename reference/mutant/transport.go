package mutant

import (
	"context"

	"github.com/capconform/capconform/reference/caphost"
)

// transports let the way to a capability be seen from above (CAP-MCP-03), and
// the ways of concurrent calls cross (CAP-INV-06).
func transports() []Mutant {
	type object = map[string]any
	result := func(member string, value any) defect {
		return func(h *caphost.Host) {
			turnsResult(h, everything, func(_ caphost.Outcome, result map[string]any) any {
				result[member] = value
				return result
			})
		}
	}
	var broken []Mutant
	for _, m := range []struct {
		name, summary string
		breaks        defect
	}{
		{"url-as-id", "Uses the URL of an endpoint as capability id.", sets("capability_id", "http://127.0.0.1:3000/tools/mix")},
		{"path-as-name", "Uses the HTTP path of a tool as name.", sets("name", "POST /tools/mix HTTP/1.1")},
		{"command-in-description", "Tells the command line of a server in a description.", sets("description", "Served by: npx -y colour-server --stdio")},
		{"url-in-description", "Tells the endpoint of a server in a description.", sets("description", "Served by http://127.0.0.1:3000/sse")},
		{"endpoint-in-result", "Adds the endpoint that was called to a result.", result("endpoint", "http://127.0.0.1:3000/tools/mix")},
		{"session-in-result", "Adds a session id to a result.", result("mcp_session_id", "6f1c2d")},
		{"process-in-result", "Adds the process id of a server to a result.", result("pid", 4711)},
		{"headers-in-result", "Adds HTTP headers to a result.", result("headers", object{"content-type": "application/json"})},
	} {
		broken = append(broken, capMutant("leaks-"+m.name, "CAP-MCP-03", m.summary, m.breaks))
	}
	return append(broken, capMutant("leaks-command-in-resources", "CAP-MCP-03", "Bundles the command line of a server with a skill.", editsSkill(func(manifest map[string]any) {
		resources := []any{object{"command": "node", "args": []any{"server.js", "--stdio"}}}
		manifest["resources"] = resources
		if reduction, isObject := manifest["reduction"].(map[string]any); isObject {
			reduction["resources"] = resources
		}
	})).role("skill"), capMutant("crosses-answers", "CAP-INV-06", "Gives two concurrent invokes of a capability each other's output.", crosses).role("echo"))
}

// crosses lets the first of two invokes that are under way at once hand its
// input to the second, and the other way round.
func crosses(h *caphost.Host) {
	echo := h.Lookup(caphost.Ref{ID: "conformance.echo", Version: "1.0.0"})
	if echo == nil {
		return
	}
	meet := make(chan exchange)
	sound := h.Execute
	h.Execute = func(ctx context.Context, c *caphost.Capability, input any) (any, error) {
		if c.Ref != echo.Ref {
			return sound(ctx, c, input)
		}
		output, err := sound(ctx, c, input)
		if err != nil {
			return output, err
		}
		return swap(ctx, meet, output), nil
	}
}
