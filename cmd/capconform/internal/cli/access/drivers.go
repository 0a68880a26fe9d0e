package access

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/auto"
	"github.com/capconform/capconform/suites/driver/child"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// DriverEntry is one entry of the list of drivers.
type DriverEntry struct {
	Name, Description string
	Takes             string // what it needs: "url", "command" or "reference"
	make              func(*Target) (driver.Driver, error)
}

// Drivers is the only list of drivers. The first that fits the target is the default.
func Drivers() []DriverEntry {
	return []DriverEntry{
		{"inproc", "the reference host, in this process", BuiltIn, inProcess},
		{"http", "JSON-RPC over HTTP, or the routes that a target file names", "url", overHTTP},
		{"mcp", "MCP over streamable HTTP", "url", func(t *Target) (driver.Driver, error) {
			config, err := t.overHTTP()
			if err != nil {
				return nil, err
			}
			options, err := t.overMCP()
			return mcpdriver.NewHTTP(config, options), err
		}},
		{"auto", "MCP if the command speaks it, else JSON-RPC", "command", func(t *Target) (driver.Driver, error) {
			options, err := t.overMCP()
			return auto.New(t.child(), options), err
		}},
		{"mcp", "MCP over the stdin and stdout of a command", "command", func(t *Target) (driver.Driver, error) {
			options, err := t.overMCP()
			return mcpdriver.NewStdio(t.child(), options), err
		}},
		{"stdio", "JSON-RPC over the stdin and stdout of a command, a message a line", "command",
			func(t *Target) (driver.Driver, error) {
				return stdiodriver.New(t.child()), nil
			}},
	}
}

// Open returns the driver.
func (t *Target) Open() (driver.Driver, error) {
	given := BuiltIn
	switch {
	case t.URL != "":
		given = "url"
	case len(t.command) > 0:
		given = "command"
	}
	var fitting []string
	for _, c := range Drivers() {
		if c.Takes != given {
			continue
		}
		if t.driver == "" || t.driver == c.Name {
			carries, err := c.make(t)
			switch {
			case err != nil:
				return nil, t.withTargetName(err)
			case given == BuiltIn:
				return carries, nil
			}
			return driver.Reopening(carries), nil
		}
		fitting = append(fitting, c.Name)
	}
	if !slices.Contains(driverNames(), t.driver) {
		return nil, process.Misuse("--driver: unknown driver %q%s", t.driver, nearest.Hint(t.driver, driverNames()))
	}
	return nil, process.Misuse("--driver: %s does not reach %s; %s does", t.driver, map[string]string{
		"url": "a URL", "command": "a command", BuiltIn: "the built-in reference",
	}[given], strings.Join(fitting, " or "))
}

// withTargetName names the target to which an error of a driver refers. The URL is not shown, because it may contain
// a secret at a place where it cannot be recognised.
func (t *Target) withTargetName(err error) error {
	wrong, is := errors.AsType[*driver.CallError](err)
	if !is || wrong.Kind != driver.ErrConfiguration {
		return err
	}
	_, detail, _ := strings.Cut(wrong.Detail, ": ") // the name of the package precedes it
	return process.Misuse("%s: %s", cmp.Or(t.File.Path, t.verb), detail)
}

func driverNames() []string {
	var names []string
	for _, c := range Drivers() {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

func inProcess(t *Target) (driver.Driver, error) {
	host, err := reference.New(reference.Options{})
	if err != nil {
		return nil, err
	}
	t.reference = host
	return inproc.NewWith(BuiltIn, host.Handle, t.File.Limits, t.deadlines), nil
}

func overHTTP(t *Target) (driver.Driver, error) {
	config, err := t.overHTTP()
	return httpdriver.New(config), err
}

// overHTTP returns the configuration of every driver over HTTP.
func (t *Target) overHTTP() (httpdriver.Config, error) {
	config := httpdriver.Config{
		URL: t.URL, RPCPath: t.File.HTTP.RPCPath, Header: http.Header{}, SecretSources: map[string]string{},
		Secrets: t.secrets(), Limits: t.File.Limits, Deadlines: t.deadlines,
	}
	for _, h := range t.headers {
		config.Header.Add(h.name, h.value)
		if h.source != "" {
			config.SecretSources[h.name] = h.source
		}
	}
	var err error
	if config.Bindings, err = httpdriver.CompileBindings(t.File.Bindings); err != nil {
		return config, err
	}
	config.Bindings = config.Bindings.WithRoutes(t.routes)
	_, err = httpdriver.NewClient(config) // reports an error in the URL immediately
	return config, err
}

// child returns the configuration of every driver that starts a command.
func (t *Target) child() stdiodriver.Config {
	config := stdiodriver.Config{
		Command: t.command, Pass: t.pass, SecretSources: map[string]string{}, Secrets: t.secrets(),
		Limits: t.File.Limits, Deadlines: t.deadlines,
	}
	config.Env = append(config.Env, t.variables...)
	for _, e := range t.env {
		config.Env = append(config.Env, e.Name+"="+e.Value)
		if e.Source != "" {
			config.SecretSources[e.Name] = driver.ShellReference(e.Source)
		}
	}
	return config
}

// environment decides which variables the commands of the target file get.
func (t *Target) environment() child.Config {
	config := t.child()
	return child.Config{Env: config.Env, Pass: config.Pass}
}

// overMCP returns how the tools of a server are interpreted.
func (t *Target) overMCP() (mcpdriver.Options, error) {
	options := mcpdriver.Options{Mode: mcpdriver.Mode(t.File.MCP.Mode), Version: t.File.Revision, Operations: t.operations,
		Newest: t.newest}
	for _, d := range scope.Definitions() {
		options.Operations = append(options.Operations, d.Operations...)
	}
	var err error
	options.Bindings, err = mcpdriver.CompileBindings(t.File.Tools)
	return options, err
}
