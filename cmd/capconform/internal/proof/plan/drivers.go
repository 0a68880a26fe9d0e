package plan

// The ways to reach a host.
const (
	InProcess = "inproc"
	OverHTTP  = "http"
	OverStdio = "stdio"
	MCPHTTP   = "mcp-http"
	MCPStdio  = "mcp-stdio"
)

// Drivers names the ways to reach a host. MCP counts twice: over HTTP and over stdio.
func Drivers() []string { return []string{InProcess, OverHTTP, OverStdio, MCPHTTP, MCPStdio} }
