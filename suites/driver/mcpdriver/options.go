package mcpdriver

import "errors"

// Version is the requested protocol revision.
const Version = "2025-11-25"

// Mode is the meaning of the tools of a server.
type Mode string

// The modes of a target file (DESIGN section 8).
const (
	Auto       Mode = "auto"       // operations if one of them is among the tools, else adapter
	Adapter    Mode = "adapter"    // tools are the server's own: only MCP's own methods are carried
	Operations Mode = "operations" // each operation is a tool with _ for .
)

// Options are the additional options of MCP.
type Options struct {
	Mode       Mode     // empty means Auto
	Operations []string // the names of operations that Auto looks for among the tools
	Bindings   Bindings // operations that tools of other names or shapes carry
}

// ErrNoMCP reports that a target answers, but without a valid initialize result.
var ErrNoMCP = errors.New("mcpdriver: no valid initialize result")
