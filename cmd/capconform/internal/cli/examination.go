package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// examination is everything that a run needs, checked.
type examination struct {
	suites  []*suites.Suite
	subject *suites.Subject
	options suites.Options
	file    *target.File // nil for documents
	shown   invocation
}

// prepare reads flags, target and target file. Whatever is wrong with them is
// said here, before anything is started.
func (f *runFlags) prepare(c *cobra.Command, args []string) (*examination, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	r, words, err := f.reach(args, c.ArgsLenAtDash())
	if err != nil {
		return nil, err
	}
	headers, shown, err := readHeaders(f.headers)
	if err != nil {
		return nil, err
	}
	r.add(headers)
	names := f.suites
	if len(names) == 0 {
		names = r.file.Suites
	}
	all, err := loadSuites(names)
	if err != nil {
		return nil, err
	}
	selection, err := f.selection(all)
	if err != nil {
		return nil, err
	}
	selection.Tags = f.tags
	if selection.Shard, err = shard(f.shard); err != nil {
		return nil, err
	}
	carries, err := r.open()
	if err != nil {
		return nil, err
	}
	if len(words) == 1 && strings.Contains(words[0], "://") {
		scheme, _, _ := strings.Cut(words[0], "://")
		_, rest, _ := strings.Cut(carries.Target().Address, "://") // without credentials
		words = []string{scheme + "://" + rest}
	}
	e := &examination{suites: all, file: r.file, shown: invoked("run", c.Flags(), shown, words)}
	e.shown.mask = r.secrets()
	e.subject = r.subject(carries)
	e.subject.Invoke, e.subject.Seed = suites.InvokePolicy(f.invoke), f.seed
	e.options = suites.Options{
		Selection: selection, Explicit: len(names) > 0, Concurrency: f.concurrency,
		FailFast: f.failFast, Strict: f.strict, Repeat: e.repeat,
	}
	if f.concurrency == 0 && len(words) == 1 && words[0] == builtIn {
		e.options.Concurrency = max(4, runtime.GOMAXPROCS(0))
	}
	return e, nil
}

var policies = []string{string(suites.InvokeNone), string(suites.InvokeSafe), string(suites.InvokeAll)}

// check refuses values that no flag parser refuses.
func (f *runFlags) check() error {
	if !slices.Contains(policies, f.invoke) {
		return misuse("--invoke: unknown policy %q%s", f.invoke, nearest.Hint(f.invoke, policies))
	}
	if f.concurrency < 0 {
		return misuse("--concurrency: want 1 or more, got %d", f.concurrency)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"wait", f.wait}, {"timeout", f.timeout}, {"call-timeout", f.callTimeout}} {
		if d.value < 0 {
			return misuse("--%s: want a time above zero, got %s", d.name, d.value)
		}
	}
	return nil
}

// reach reads TARGET, or the command behind --. The words are those of a report.
func (f *runFlags) reach(args []string, dash int) (*reach, []string, error) {
	r := &reach{driver: f.driver, pass: f.passEnv, file: &target.File{}}
	if r.driver == "auto" {
		r.driver = ""
	}
	words := args
	switch {
	case dash == 0 && len(args) > 0:
		r.command, words = args, append([]string{"--"}, args...)
	case dash >= 0 && len(args) > dash:
		return nil, nil, misuse("run: a target and a command after -- exclude each other: got %s and --", args[0])
	case len(args) == 0:
		return nil, nil, misuse("run: no target: give reference, a URL, a target file (*.yaml), or -- COMMAND")
	case len(args) > 1:
		return nil, nil, misuse("run: one target at a time, got %s; flags and arguments of a command stand behind --", strings.Join(args, " "))
	case args[0] == builtIn:
	case strings.Contains(args[0], "://"):
		if err := r.address(args[0]); err != nil {
			return nil, nil, err
		}
	case slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(args[0])):
		if err := r.read(args[0]); err != nil {
			return nil, nil, err
		}
	default:
		return nil, nil, unknownTarget(args[0])
	}
	r.deadlines = r.file.Deadlines
	if f.callTimeout > 0 {
		r.deadlines.Call = f.callTimeout
		r.deadlines.Slow = max(r.deadlines.WithDefaults().Slow, f.callTimeout)
	}
	return r, words, nil
}

func unknownTarget(word string) error {
	if nearest.Name(word, []string{builtIn}) != "" {
		return misuse("run: unknown target %q; did you mean %q?", word, builtIn)
	}
	if _, err := os.Stat(word); err == nil {
		if !strings.ContainsRune(word, filepath.Separator) {
			word = "." + string(filepath.Separator) + word
		}
		return misuse("run: %s is no target file (*.yaml); to start it as a command: capconform run -- %s", word, driver.ShellQuote(word))
	}
	return misuse("run: unknown target %q: want reference, a URL such as http://127.0.0.1:8899, a target file (*.yaml), or -- COMMAND", word)
}

// address takes a URL; mcp+ before it chooses the driver.
func (r *reach) address(text string) error {
	scheme, _, _ := strings.Cut(text, "://")
	known := []string{"http", "https", "mcp+http", "mcp+https"}
	if !slices.Contains(known, scheme) {
		return misuse("run: unknown scheme in %s%s", text, nearest.Hint(scheme, known))
	}
	var overMCP bool
	r.url, overMCP = strings.CutPrefix(text, "mcp+")
	if overMCP && r.driver == "" {
		r.driver = "mcp"
	}
	if overMCP && r.driver != "mcp" {
		return misuse("--driver: %s does not speak to a URL that begins with mcp+", r.driver)
	}
	return nil
}

// read takes a target file. Flags override it.
func (r *reach) read(path string) error {
	words := target.Words{Roles: map[string][]string{}}
	for _, d := range definitions() {
		words.Operations = append(words.Operations, d.Operations...)
		for _, role := range d.Roles {
			words.Roles[d.Name] = append(words.Roles[d.Name], role.Name)
		}
	}
	file, err := target.Load(path, words, os.LookupEnv)
	if err != nil {
		return misuse("%v", err)
	}
	r.file, r.command, r.env = file, file.Command, file.Env
	if r.driver == "" {
		r.driver = file.Driver
	}
	for _, h := range file.Headers {
		r.headers = append(r.headers, header{h.Name, h.Value, h.Source})
	}
	if file.URL == "" {
		return nil
	}
	return r.address(file.URL)
}

// add puts headers of the command line in the place of those of the file.
func (r *reach) add(headers []header) {
	r.headers = slices.DeleteFunc(r.headers, func(old header) bool {
		return slices.ContainsFunc(headers, func(h header) bool { return strings.EqualFold(h.name, old.name) })
	})
	r.headers = append(r.headers, headers...)
}

func (r *reach) subject(carries driver.Driver) *suites.Subject {
	f := r.file
	s := &suites.Subject{
		Name: f.Name, Version: f.Version, Driver: carries, Actors: f.Actors, Roles: f.Roles, Supports: f.Supports,
		Adapter: f.MCP, Restart: f.Restart, Limits: f.Limits, Deadlines: r.deadlines,
	}
	if s.Adapter.Mode == "" {
		s.Adapter.Mode = "auto"
	}
	return s
}

// repeat is the command that examines a requirement again.
func (e *examination) repeat(requirement string) string {
	for _, s := range e.suites {
		if _, ok := s.Catalogue.Lookup(requirement); ok {
			return e.shown.repeat(s.Name, requirement)
		}
	}
	return ""
}

// complete adds to a report what only the command line knows.
func (e *examination) complete(r *reports.Report) {
	r.Harness.Name = "capconform"
	r.Harness.Version, r.Harness.Commit = build()
	r.Run.Command, r.Run.Options = e.shown.command(), e.shown.options()
	if e.file == nil {
		return
	}
	for _, s := range e.suites {
		for j := range r.Suites {
			if r.Suites[j].Suite == s.Name {
				r.Suites[j].Mappings = append(r.Suites[j].Mappings, mappings(s.Operations, e.file)...)
			}
		}
	}
}

// mappings are the operations of a suite whose wire the target file maps.
func mappings(operations []string, file *target.File) []reports.Mapping {
	var all []reports.Mapping
	for _, name := range operations {
		if b, ok := file.Bindings[name]; ok {
			all = append(all, reports.Mapping{Operation: name, Request: strings.TrimSpace(b.Method + " " + b.Path), Response: b.Response})
		}
	}
	return all
}

// The pauses between two attempts of --wait.
const (
	firstPause = 50 * time.Millisecond
	lastPause  = time.Second
)

// waitFor attempts again while the target can't be reached, until the time is up.
func waitFor(ctx context.Context, patience time.Duration, attempt func() (*reports.Report, error)) (*reports.Report, error) {
	until := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		report, err := attempt()
		left := time.Until(until)
		if !errors.Is(err, driver.ErrUnreachable) || left <= 0 || ctx.Err() != nil {
			return report, err
		}
		timer := time.NewTimer(min(pause, left))
		select {
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
	}
}
