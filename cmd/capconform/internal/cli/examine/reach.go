package examine

import (
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/driver/auto"
	"github.com/capconform/capconform/suites/driver/child"
	"github.com/capconform/capconform/suites/driver/httpdriver"
	"github.com/capconform/capconform/suites/driver/inproc"
	"github.com/capconform/capconform/suites/driver/mcpdriver"
	"github.com/capconform/capconform/suites/driver/stdiodriver"
)

// reach is everything that decides how a target is reached.
type reach struct {
	verb      string // the command of capconform that reaches it
	driver    string // of the list of drivers; empty: the first that fits
	url       string // without mcp+; empty if there is a command
	command   []string
	headers   []header
	env       []target.Secret
	pass      []string
	file      *target.File   // never nil
	routes    []driver.Route // of the protocols' own HTTP bindings
	deadlines driver.Deadlines
	variables []string // that a child gets in addition to env: the addresses of the test doubles
	played    map[string]suites.Surroundings
	built     *reference.Host // the reference, after it was made; otherwise nil
}

// BuiltIn is the target that needs no address.
const BuiltIn = "reference"

// carrier is one entry of the list of drivers.
type carrier struct {
	Name, Describe string
	Takes          string // what it needs: "url", "command" or "reference"
	make           func(*reach) (driver.Driver, error)
}

// Carriers is the only list of drivers. The first that fits the target is the default.
func Carriers() []carrier {
	return []carrier{
		{"inproc", "the reference host, in this process", BuiltIn, inProcess},
		{"http", "JSON-RPC over HTTP, or the routes that a target file names", "url", overHTTP},
		{"mcp", "MCP over streamable HTTP", "url", func(r *reach) (driver.Driver, error) {
			config, err := r.overHTTP()
			if err != nil {
				return nil, err
			}
			options, err := r.overMCP()
			return mcpdriver.NewHTTP(config, options), err
		}},
		{"auto", "MCP if the command speaks it, else JSON-RPC", "command", func(r *reach) (driver.Driver, error) {
			options, err := r.overMCP()
			return auto.New(r.child(), options), err
		}},
		{"mcp", "MCP over the stdin and stdout of a command", "command", func(r *reach) (driver.Driver, error) {
			options, err := r.overMCP()
			return mcpdriver.NewStdio(r.child(), options), err
		}},
		{"stdio", "JSON-RPC over the stdin and stdout of a command, a message a line", "command",
			func(r *reach) (driver.Driver, error) {
				return stdiodriver.New(r.child()), nil
			}},
	}
}

// open returns the driver.
func (r *reach) open() (driver.Driver, error) {
	given := BuiltIn
	switch {
	case r.url != "":
		given = "url"
	case len(r.command) > 0:
		given = "command"
	}
	var fitting []string
	for _, c := range Carriers() {
		if c.Takes != given {
			continue
		}
		if r.driver == "" || r.driver == c.Name {
			carries, err := c.make(r)
			if err != nil || given == BuiltIn {
				return carries, err
			}
			return driver.Lasting(carries), nil
		}
		fitting = append(fitting, c.Name)
	}
	if !slices.Contains(driverNames(), r.driver) {
		return nil, process.Misuse("--driver: unknown driver %q%s", r.driver, nearest.Hint(r.driver, driverNames()))
	}
	return nil, process.Misuse("--driver: %s does not reach %s; %s does", r.driver, map[string]string{
		"url": "a URL", "command": "a command", BuiltIn: "the built-in reference",
	}[given], strings.Join(fitting, " or "))
}

func driverNames() []string {
	var names []string
	for _, c := range Carriers() {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// everySecret masks what no report may show: the given secrets, and the credentials in a URL.
func (r *reach) everySecret() driver.Secrets {
	if r.url == "" {
		return r.secrets()
	}
	config, err := r.overHTTP()
	if err != nil {
		return r.secrets()
	}
	client, err := httpdriver.NewClient(config)
	if err != nil {
		return r.secrets()
	}
	return client.Secrets()
}

// secrets masks the values of --header and --pass-env, of headers and env of the target file, and
// the credentials in the words of the command.
func (r *reach) secrets() driver.Secrets {
	_, values := driver.MaskWords(r.command)
	for _, pair := range os.Environ() {
		name, value, _ := strings.Cut(pair, "=")
		if slices.Contains(r.pass, name) || slices.Contains(r.pass, "all") && driver.Secretive(name, value) {
			values = append(values, value)
		}
	}
	for _, h := range r.headers {
		if h.source != "" || !harmless.MatchString(h.name) {
			values = append(values, h.value)
		}
	}
	for _, e := range r.env {
		if e.Source != "" {
			values = append(values, e.Value)
		}
	}
	return driver.NewSecrets(values...)
}

func inProcess(r *reach) (driver.Driver, error) {
	host, err := reference.New(reference.Options{})
	if err != nil {
		return nil, err
	}
	r.built = host
	return inproc.NewWith(BuiltIn, host.Handle, r.file.Limits, r.deadlines), nil
}

func overHTTP(r *reach) (driver.Driver, error) {
	config, err := r.overHTTP()
	return httpdriver.New(config), err
}

// overHTTP returns the configuration of every driver over HTTP.
func (r *reach) overHTTP() (httpdriver.Config, error) {
	config := httpdriver.Config{
		URL: r.url, RPCPath: r.file.HTTP.RPCPath, Header: http.Header{}, SecretSources: map[string]string{},
		Secrets: r.secrets(), Limits: r.file.Limits, Deadlines: r.deadlines,
	}
	for _, h := range r.headers {
		config.Header.Add(h.name, h.value)
		if h.source != "" {
			config.SecretSources[h.name] = h.source
		}
	}
	var err error
	if config.Bindings, err = httpdriver.CompileBindings(r.file.Bindings); err != nil {
		return config, err
	}
	config.Bindings = config.Bindings.WithRoutes(r.routes)
	_, err = httpdriver.NewClient(config) // reports an error in the URL immediately
	return config, err
}

// child returns the configuration of every driver that starts a command.
func (r *reach) child() stdiodriver.Config {
	config := stdiodriver.Config{
		Command: r.command, Pass: r.pass, SecretSources: map[string]string{}, Secrets: r.secrets(),
		Limits: r.file.Limits, Deadlines: r.deadlines,
	}
	config.Env = append(config.Env, r.variables...)
	for _, e := range r.env {
		config.Env = append(config.Env, e.Name+"="+e.Value)
		if e.Source != "" {
			config.SecretSources[e.Name] = driver.ShellReference(e.Source)
		}
	}
	return config
}

// environment decides which variables the commands of the target file get.
func (r *reach) environment() child.Config {
	config := r.child()
	return child.Config{Env: config.Env, Pass: config.Pass}
}

// surround starts the services that the suites play to a child, if the suites are selected.
func (r *reach) surround(all []*suites.Suite, explicit bool) error {
	r.played = map[string]suites.Surroundings{}
	for _, s := range all {
		if s.Surround == nil || !explicit || len(r.command) == 0 {
			continue
		}
		played, err := s.Surround()
		if err != nil {
			return err
		}
		r.played[s.Name] = played
		r.variables = append(r.variables, played.Variables...)
	}
	return nil
}

// overMCP returns how the tools of a server are interpreted.
func (r *reach) overMCP() (mcpdriver.Options, error) {
	options := mcpdriver.Options{Mode: mcpdriver.Mode(r.file.MCP.Mode)}
	for _, d := range scope.Definitions() {
		options.Operations = append(options.Operations, d.Operations...)
	}
	var err error
	options.Bindings, err = mcpdriver.CompileBindings(r.file.Tools)
	return options, err
}

// address takes a URL; mcp+ before it chooses the driver.
func (r *reach) address(text string) error {
	scheme, _, _ := strings.Cut(text, "://")
	known := []string{"http", "https", "mcp+http", "mcp+https"}
	if !slices.Contains(known, scheme) {
		return process.Misuse("%s: unknown scheme in %s%s", r.verb, driver.MaskAddresses(text), nearest.Hint(scheme, known))
	}
	var overMCP bool
	r.url, overMCP = strings.CutPrefix(text, "mcp+")
	if overMCP && r.driver == "" {
		r.driver = "mcp"
	}
	if overMCP && r.driver != "mcp" {
		return process.Misuse("--driver: %s does not speak to a URL that begins with mcp+", r.driver)
	}
	return nil
}

func isTargetFile(word string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(word)) && !strings.Contains(word, "://")
}
