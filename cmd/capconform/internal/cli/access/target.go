package access

import (
	"cmp"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// Target is a target that the user named, with everything that decides how it is reached.
type Target struct {
	File *target.File // never nil
	URL  string       // without mcp+; empty if there is a command

	verb        string // the command of capconform that reaches it
	namedDriver string // the driver that the user named; may be empty
	driver      string // of the list of drivers; empty: the first that fits
	command     []string
	headers     []header
	env         []target.Secret
	pass        []string
	routes      []driver.Route // of the protocols' own HTTP bindings
	operations  []string       // of the texts of one's own
	newest      bool           // a suite with editions is examined in the newest that the target speaks
	deadlines   driver.Deadlines
	variables   []string // that a child gets in addition to env: the addresses of the test doubles
	testDoubles map[string]suites.TestDoubles
	reference   *reference.Host // the reference, after it was made; otherwise nil
}

// BuiltIn is the target that needs no address.
const BuiltIn = "reference"

// UseGateway makes another URL, of a gateway before the target, the one at which the target is reached.
func (t *Target) UseGateway(url string) error { return t.address(url) }

// address takes a URL; mcp+ before it chooses the driver.
func (t *Target) address(text string) error {
	scheme, rest, _ := strings.Cut(text, "://")
	scheme = strings.ToLower(scheme)
	known := []string{"http", "https", "mcp+http", "mcp+https"}
	if !slices.Contains(known, scheme) {
		return process.Misuse("%s: unknown scheme in %s%s", t.verb, driver.MaskAddresses(text), nearest.Hint(scheme, known))
	}
	var overMCP bool
	t.URL, overMCP = strings.CutPrefix(scheme+"://"+rest, "mcp+")
	t.driver = t.namedDriver
	if overMCP {
		t.driver = cmp.Or(t.namedDriver, "mcp")
	}
	if overMCP && t.driver != "mcp" {
		return process.Misuse("--driver: %s does not speak to a URL that begins with mcp+", t.driver)
	}
	return nil
}

// OverMCP reports whether the target is reached over MCP, whichever driver was asked for.
func (t *Target) OverMCP() bool { return t.driver == "mcp" }

// ByChoice reports whether the user chose the bindings over HTTP, by the driver or by what the target file says of
// them.
func (t *Target) ByChoice() bool {
	return t.driver == "http" || len(t.File.Bindings) > 0 || t.File.HTTP.RPCPath != ""
}

// WithDriver returns the target as another driver reaches it.
func (t *Target) WithDriver(name string) *Target {
	other := *t
	other.driver = name
	return &other
}

// AddHeaders adds the headers of the command line, which replace those of the target file, and returns them as a
// report may show them.
func (t *Target) AddHeaders(given []string) (shown []string, err error) {
	headers, shown, err := readHeaders(given)
	t.overrideHeaders(headers)
	return shown, err
}

// overrideHeaders replaces headers of the target file by headers of the same name.
func (t *Target) overrideHeaders(headers []header) {
	t.headers = slices.DeleteFunc(t.headers, func(old header) bool {
		return slices.ContainsFunc(headers, func(h header) bool { return strings.EqualFold(h.name, old.name) })
	})
	t.headers = append(t.headers, headers...)
}

// CheckSuperfluous refuses flags and keys that have no effect on this kind of target: the user expects an effect.
func (t *Target) CheckSuperfluous(f *Flags) error {
	for _, c := range []struct {
		given   bool
		at, why string // at is empty for a flag
	}{
		{t.URL == "" && len(t.headers) > 0, "",
			"headers are sent to a URL; a command gets variables by --pass-env, or by env in a target file"},
		{t.URL == "" && f.Wait > 0, "", "--wait is for a URL; for a command it is deadlines.handshake in a target file"},
		{t.URL != "" && len(t.env) > 0 && len(t.File.Restart) == 0, t.File.Path, "env is for a command, not for a URL"},
		{!t.startsCommand() && len(f.PassEnv) > 0, "", "--pass-env is for a command"},
		{(t.URL == "" || t.driver == "mcp") && len(t.File.Bindings) > 0, t.File.Path,
			"bindings with a path are for the driver http"},
		{(t.URL != "" && t.driver != "mcp" || t.driver == "stdio") && len(t.File.Tools) > 0, t.File.Path,
			"bindings with a tool are for the driver mcp"},
		{t.neverMCP() && f.MCPVersion != "", "", "--mcp-version is for MCP: reach a URL by mcp+http:// or --driver mcp"},
	} {
		if c.given {
			return process.Misuse("%s: %s", cmp.Or(c.at, t.verb), c.why)
		}
	}
	return nil
}

// neverMCP reports whether the target is reached in a way that is not MCP.
func (t *Target) neverMCP() bool {
	return t.URL != "" && t.driver != "mcp" || t.driver == "stdio" || t.driver == "inproc"
}

// startsCommand reports whether a command of the user is started: the target itself, or restart of a target file.
func (t *Target) startsCommand() bool { return len(t.command)+len(t.File.Restart) > 0 }

// AddRoutes adds the routes of the suites to the binding over HTTP, and the operations of texts of one's own to those
// of MCP, of which the newest revision is spoken if a suite has several editions.
func (t *Target) AddRoutes(all []*suites.Suite) {
	t.newest = len(suites.InRevision(all, "")) < len(all)
	for _, s := range all {
		t.routes = append(t.routes, s.Routes...)
		if s.Editions != nil { // the target says later which it prefers
			t.routes = append(t.routes, s.Editions.Routes...)
		}
		if s.Source != nil {
			t.operations = append(t.operations, s.Operations...)
		}
	}
}

// StartTestDoubles starts the services that suites play to a command.
func (t *Target) StartTestDoubles(all []*suites.Suite) error {
	t.testDoubles = map[string]suites.TestDoubles{}
	for _, s := range all {
		if s.StartTestDoubles == nil || len(t.command) == 0 {
			continue
		}
		played, err := s.StartTestDoubles()
		if err != nil {
			return err
		}
		t.testDoubles[s.Name] = played
		t.variables = append(t.variables, played.Variables...)
	}
	return nil
}

// Reference returns the reference host if it is the target and Open was called, otherwise nil.
func (t *Target) Reference() *reference.Host { return t.reference }
