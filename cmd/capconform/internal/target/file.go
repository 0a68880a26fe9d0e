package target

import (
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/live"
)

// File is the content of a target file. Zero fields were omitted.
type File struct {
	Path      string // as it was given
	Digest    string // SHA-256 of the file, in hex
	Name      string
	Version   string
	About     About
	Suites    []string
	Actors    []string
	Driver    string   // http, mcp or stdio
	URL       string   // may begin with mcp+; empty if there is a command
	Command   []string // a program that is a relative path was joined to the folder of the file
	Headers   []Secret
	Env       []Secret
	Roles     map[string]map[string]live.Player // by suite and role
	Bindings  map[string]httpdriver.Binding     // by operation, over HTTP; valid jq
	Tools     map[string]mcpdriver.Binding      // by operation, over MCP; valid jq
	HTTP      HTTP
	MCP       suites.Adapter
	Editions  []string // of the suites that have editions; empty: the newest that the target speaks
	Revision  string   // of MCP, one of mcpdriver.Versions; empty: what the server speaks
	Supports  map[string][]string
	Restart   []string // as Command
	Limits    driver.Limits
	Deadlines driver.Deadlines
	Known     []suites.Package
	Signature string // the profile of signatures that a router accepts (ACP)
	Switch    string // how the argument of /switch is written; empty: {name} (ACP)
	// Arguments contains the names of a runtime for arguments of the built-in tools, by the names of
	// this project (ACP).
	Arguments map[string]string
}

// About contains information about the subject for readers of the report.
type About struct{ Organisation, URL, Contact string }

// Secret is a header or a variable. The value is the one after replacing ${NAME}; Source is the
// original text if it contains a reference, otherwise empty.
type Secret struct{ Name, Value, Source string }

// HTTP contains the differences of JSON-RPC over HTTP.
type HTTP struct {
	RPCPath string // empty: /rpc
}

// Words are the names that only the suites know. A nil list permits every name.
type Words struct {
	Roles      map[string][]string // by suite
	Texts      []string            // the suites of this program that are folders of data
	Editions   []string            // of those suites
	Operations []string
}
