package mutant

import "github.com/capconform/capconform/reference/caphost"

// transports let the way to a capability be seen from above (CAP-MCP-03).
func transports() []Mutant {
	message := func(text string) defect {
		return func(h *caphost.Host) {
			failingTwin(h, &caphost.Failure{Code: caphost.ExecutionFailed, Message: text})
		}
	}
	var broken []Mutant
	for _, m := range []struct {
		name, summary string
		breaks        defect
	}{
		{"url-as-id", "Uses the address of an MCP server as capability id.", sets("capability_id", "mcp+http://127.0.0.1:3000/mcp#mix")},
		{"endpoint-in-name", "Tells an SSE endpoint in a name.", sets("name", "Mix (sse: http://127.0.0.1:3000/sse)")},
		{"command-in-description", "Tells the command line of a server in a description.", sets("description", "Mixes two colours. command: /usr/bin/colour-server --stdio")},
		{"url-in-description", "Tells a server's stdio address in a description.", sets("description", "Mixes two colours by stdio://colour-server.")},
		{"command-in-message", "Tells the command line of a server in an error message.", message("command /usr/bin/colour-server --stdio has ended")},
		{"session-in-message", "Tells a session id in an error message.", message("Mcp-Session-Id 6f1c2d has ended")},
	} {
		broken = append(broken, capMutant("leaks-"+m.name, "CAP-MCP-03", m.summary, m.breaks))
	}
	return broken
}
