package examine

import (
	"cmp"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/target"
	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// Examination is everything that a run needs, after all checks.
type Examination struct {
	Suites     []*suites.Suite
	Subject    *suites.Subject
	Options    suites.Options
	file       *target.File // nil for documents
	invocation invocation
	suiteNames []string        // the suites that were selected by name
	keyHeaders []string        // the headers that the protocols' own variables stand for
	reference  *reference.Host // nil unless the reference is examined
	report     *reports.Report // nil until there is one
	inputFiles []string        // the files that the run reads
}

// Close releases what the reference holds.
func (e *Examination) Close() {
	if e.reference != nil {
		_ = e.reference.Close() // the verdict stands
	}
	for _, played := range e.Subject.TestDoubles {
		_ = played.Closer.Close()
	}
}

// Prepare reads flags, target and target file. It reports every error in them before anything is
// started.
func (f *RunFlags) Prepare(c *cobra.Command, args []string) (*Examination, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	to, words, err := f.Read(c.Name(), args, c.ArgsLenAtDash())
	if err != nil {
		return nil, err
	}
	if words, err = f.useGateway(to, words); err != nil {
		return nil, err
	}
	headers, err := to.AddHeaders(f.Headers)
	if err != nil {
		return nil, err
	}
	if err := to.CheckSuperfluous(&f.Flags); err != nil {
		return nil, err
	}
	names, err := f.suitesOf(to)
	if err != nil {
		return nil, err
	}
	e := &Examination{file: to.File, suiteNames: names, inputFiles: []string{to.File.Path, f.baseline.file}}
	if e.keyHeaders, err = to.AddKeys(names); err != nil {
		return nil, err
	}
	if e.Suites, e.Options.Selection, err = f.loadSuites(names); err != nil {
		return nil, err
	}
	d, err := f.opened(c, to, e)
	if err != nil {
		return nil, err
	}
	words = withoutCredentials(words, d.Target().Address)
	e.invocation = invoked("run", c.Flags(), headers, words)
	e.invocation.flags = f.singleRunFlags(e.invocation.flags, words)
	e.invocation.mask, e.reference = to.Secrets(), to.Reference()
	if e.Subject, err = f.subject(to, d); err != nil {
		return nil, err
	}
	e.Options.Preferred = true
	e.Options.Explicit, e.Options.Concurrency = len(names) > 0, f.concurrency
	e.Options.FailFast, e.Options.Strict, e.Options.Repeat = f.failFast, f.Strict, e.repeat
	if f.concurrency == 0 && e.reference != nil {
		e.Options.Concurrency = max(4, runtime.GOMAXPROCS(0))
	}
	if to.URL != "" && !to.OverMCP() && f.gateway == nil {
		e.Options.Unspoken = unspoken{c, f, to, e.Suites}.ask
	}
	s := e.Options.Selection
	if named := len(names)+len(s.Requirements)+len(s.Without) > 0 || s.Tags != ""; !named && !asSource(to.File) {
		e.Options.Adapted = func() error { return f.asServer(c, args) }
	}
	return e, nil
}

// suitesOf returns the names of the suites, in the edition that is to be examined: that of the flag or of the target
// file, or the one that has the selected requirements. The edition of a suite of MCP is also the only revision to
// speak.
func (f *RunFlags) suitesOf(to *access.Target) ([]string, error) {
	names, editions := f.Suites, f.editions
	if len(names) == 0 {
		names = to.File.Suites
	}
	if len(editions) == 0 {
		editions = to.File.Editions
	}
	editions, err := scope.InEditions(names, editions)
	if err != nil {
		return nil, err
	}
	edition := cmp.Or(append(editions, scope.EditionOf(names))...)
	switch {
	case len(editions) > 1:
		return nil, process.Misuse("%s names several editions, and this command takes one", to.File.Path)
	case edition == "":
		if names, edition, err = scope.EditionWith(names, f.Requirements); err != nil {
			return nil, err
		}
	}
	names, err = scope.InEdition(names, edition)
	if err == nil && edition != "" && f.MCPVersion != "" && f.MCPVersion != edition {
		err = process.Misuse("--edition: %s and --mcp-version %s exclude each other", edition, f.MCPVersion)
	}
	if slices.Contains(names, "mcp@"+edition) {
		to.File.Revision = edition
	}
	return names, err
}

// opened returns the driver of a target, and starts what the suites play to it.
func (f *RunFlags) opened(c *cobra.Command, to *access.Target, e *Examination) (driver.Driver, error) {
	to.AddRoutes(e.Suites)
	if len(e.suiteNames) > 0 {
		if err := to.StartTestDoubles(e.Suites); err != nil {
			return nil, err
		}
	}
	f.reportWithheld(c, to)
	carries, err := to.Open()
	ofMCP := func(s *suites.Suite) bool { return s.Name == "mcp" }
	if err == nil && to.Reference() != nil && slices.ContainsFunc(e.Suites, ofMCP) {
		return nil, process.Misuse("the built-in reference is no MCP server: give the URL of one, or its command after --")
	}
	return carries, err
}

// subject returns the target with the settings of the flags.
func (f *RunFlags) subject(to *access.Target, d driver.Driver) (s *suites.Subject, err error) {
	s = to.Subject(d)
	s.Name, s.Version = cmp.Or(f.name, s.Name), cmp.Or(f.version, s.Version)
	s.Seed, s.Options = f.seed, to.Options(f.Options())
	s.Invoke, s.Admitted, err = suites.ReadInvoke(f.invoke)
	return s, err
}

// withoutCredentials returns the words of a target as a report may show them.
func withoutCredentials(words []string, address string) []string {
	if len(words) != 1 || !strings.Contains(words[0], "://") {
		return words
	}
	scheme, _, _ := strings.Cut(words[0], "://")
	_, rest, _ := strings.Cut(address, "://")
	return []string{scheme + "://" + rest}
}

// reportWithheld prints once which variables a command does not get because they look like
// credentials.
func (f *RunFlags) reportWithheld(c *cobra.Command, to *access.Target) {
	names := to.Withheld()
	if len(names) == 0 || f.withheldReported {
		return
	}
	f.withheldReported = true
	c.PrintErrf("capconform: withheld from the command, because they look like credentials: %s; "+
		"--pass-env NAME passes one on\n",
		process.OneLine(strings.Join(names, ", ")))
}

// loadSuites returns the suites with these names, and the selection of their requirements.
func (f *RunFlags) loadSuites(names []string) ([]*suites.Suite, suites.Selection, error) {
	all, err := scope.LoadSuites(names)
	if err != nil {
		return nil, suites.Selection{}, err
	}
	selection, err := f.Selection(all)
	if err != nil {
		return nil, selection, err
	}
	selection.Tags = f.tags
	selection.Shard, err = scope.Shard(f.shard)
	return all, selection, err
}

// check refuses values that the flag parser accepts and that make no sense.
func (f *RunFlags) check() error {
	if folder := os.Getenv("TMPDIR"); folder != "" { // its absence would look like an error of capconform
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return process.Misuse("TMPDIR: %s is not a folder; capconform needs one for temporary files", folder)
		}
	}
	if _, _, err := suites.ReadInvoke(f.invoke); err != nil {
		return err
	}
	for _, name := range f.PassEnv {
		if name == "" || strings.Contains(name, "=") { // the value may be a secret: no report may show it
			return process.Misuse("--pass-env: want the name of a variable, without a value; use env in a target file for values")
		}
	}
	if !slices.Contains(Colours, cmp.Or(f.color, Colours[0])) { // init and replay have no such flag
		return process.Misuse("--color: want auto, always or never, got %q", f.color)
	}
	if f.concurrency < 0 {
		return process.Misuse("--concurrency: want 1 or more, got %d", f.concurrency)
	}
	for _, d := range []struct {
		name  string
		value time.Duration
	}{{"wait", f.Wait}, {"timeout", f.timeout}, {"call-timeout", f.CallTimeout}} {
		if d.value < 0 {
			return process.Misuse("--%s: want a time above zero, got %s", d.name, d.value)
		}
	}
	return nil
}

// repeat is the command that examines a requirement again.
func (e *Examination) repeat(s *suites.Suite, requirement string) string {
	return e.invocation.repeat(s.Flag(), scope.ChosenEdition(s), requirement)
}

// Complete adds to a report what only the command line knows.
func (e *Examination) Complete(r *reports.Report) {
	r.Harness.Name = "capconform"
	r.Harness.Version, r.Harness.Commit = process.Build()
	r.Run.Command, r.Run.Options = e.invocation.command(), e.invocation.options()
	if s := e.Options.Selection.Shard; s.Count > 1 {
		r.Run.Shard = &reports.Shard{Index: s.Index, Count: s.Count}
	}
	defer func() {
		r.Mask(e.invocation.mask.MaskText)
		r.Settle() // causes are told apart by their messages
	}()
	if e.file == nil {
		return
	}
	r.Subject.TargetFileDigest = e.file.Digest
	about := e.file.About
	r.Subject.Organisation, r.Subject.URL, r.Subject.Contact = about.Organisation, about.URL, about.Contact
	for _, s := range e.Suites {
		for j := range r.Suites {
			if r.Suites[j].Suite == s.Name {
				r.Suites[j].Mappings = append(r.Suites[j].Mappings, mappings(s.Operations, e.file)...)
			}
		}
	}
}

// mappings returns the operations of a suite that the target file maps.
func mappings(operations []string, file *target.File) []reports.Mapping {
	var all []reports.Mapping
	for _, name := range operations {
		if b, ok := file.Bindings[name]; ok {
			all = append(all, reports.Mapping{Operation: name, Request: strings.TrimSpace(b.Method + " " + b.Path),
				Response: b.Response})
		}
		if b, ok := file.Tools[name]; ok {
			all = append(all, reports.Mapping{Operation: name, Request: "tools/call " + b.Tool, Response: b.Response})
		}
	}
	return all
}
