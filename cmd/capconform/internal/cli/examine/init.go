package examine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/starter"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

const aboutInit = `Contact a target and write the files that a team starts with: a commented target file,
with the roles that were found and those that are vacant, and a CI workflow.

Init tries capabilities whose names or lists suggest a vacant role, if run would invoke them
too (--invoke safe), and proposes those that behave as the role requires. It invokes nothing
else and judges nothing. On a terminal, it asks for what it did not find; elsewhere, comments
name it. It changes existing files only with --force.`

// initFlags are the flags of init. Those that describe how to reach the target are those of run.
type initFlags struct {
	RunFlags
	output   string
	workflow string
	force    bool
}

func InitCommand(a *process.App) *cobra.Command {
	f := &initFlags{}
	c := &cobra.Command{
		Use:   "init [flags] TARGET | -- COMMAND ARGS...",
		Short: "Write a target file and a CI workflow for a target",
		Long:  aboutInit,
		Example: `  capconform init http://127.0.0.1:8899
  capconform init --header 'X-Key: ${KEY}' https://host.example/api
  capconform init -- ./acme-host --stdio`,
		RunE: func(c *cobra.Command, args []string) error {
			process.BoundMemory()
			return initialise(a, c, f, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.Suites, "suite", nil,
		"write the file for `SUITE` (repeatable; without it, what the target speaks)")
	f.Flags.Register(flags, "contain ${VARIABLE}")
	registerSubject(flags, &f.name, &f.version, "target file")
	f.RegisterWait(flags)
	flags.StringVarP(&f.output, "output", "o", access.DefaultFile, "the `PATH` of the target file")
	flags.StringVar(&f.workflow, "workflow", filepath.Join(".github", "workflows", "capconform.yml"),
		"the `PATH` of the workflow; empty for none")
	flags.BoolVar(&f.force, "force", false, "overwrite existing files")
	return c
}

// initialise contacts the target, and writes both files.
func initialise(a *process.App, c *cobra.Command, f *initFlags, args []string) error {
	if f.output == "" {
		return process.Misuse("init: --output: the path is empty")
	}
	if len(args) == 1 && (args[0] == access.BuiltIn || strings.HasSuffix(args[0], ".yaml")) {
		return process.Misuse("init: want a URL or a command, not %s", args[0])
	}
	if shown, _ := driver.MaskWords(args); c.ArgsLenAtDash() == 0 && !slices.Equal(shown, args) {
		return process.Misuse(
			"init: %s contains a secret, which a target file must not contain: "+
				"let the command read it from a variable, and pass that on with --pass-env",
			access.MaskedWords(args),
		)
	}
	if err := f.checkOverwrite(); err != nil {
		return err
	}
	e, err := f.Prepare(c, args)
	if err != nil {
		return err
	}
	defer e.Close()
	peer, seen, err := discover(c.Context(), a, f, e)
	if other, is := followed(c, err); is {
		defer other.Close()
		e = other
		peer, seen, err = discover(c.Context(), a, f, e)
	}
	if err != nil {
		return err
	}
	facts := f.facts(e, args, peer, seen)
	if process.Interactive(a) {
		if err := facts.Ask(process.Lines(c.Context(), a.In), process.Wrapping(a.Err)); err != nil {
			return fmt.Errorf("init: nothing was written: %w", err)
		}
	}
	files, err := f.files(facts)
	if err != nil {
		return err
	}
	if err := process.WriteFiles(files); err != nil {
		return process.Misuse("init: %v", err)
	}
	for _, file := range files {
		fmt.Fprintf(a.Out, "wrote %s\n", process.OneLine(file.Path))
	}
	printNextSteps(a, f, facts)
	return nil
}

// files returns the requested files. Each was parsed again and compared with what it must contain.
func (f *initFlags) files(facts starter.Facts) ([]process.TextFile, error) {
	var all []process.TextFile
	for _, file := range []struct {
		path string
		make func() ([]byte, error)
	}{{f.output, facts.TargetFile}, {f.workflow, facts.Workflow}} {
		if file.path == "" {
			continue
		}
		text, err := file.make()
		if err != nil {
			return nil, process.Misuse("init: nothing was written: %v", err)
		}
		all = append(all, process.TextFile{Path: file.path, Text: text})
	}
	return all, nil
}

// checkOverwrite returns an error if a file already exists.
func (f *initFlags) checkOverwrite() error {
	for _, path := range []string{f.output, f.workflow} {
		if _, err := os.Lstat(path); path != "" && !f.force && !errors.Is(err, fs.ErrNotExist) {
			return process.Misuse(
				"init: %s already exists; use --force to overwrite it, or --output and --workflow to write elsewhere",
				path,
			)
		}
	}
	return nil
}

// discover contacts the target, and waits for it as long as --wait allows.
func discover(
	ctx context.Context,
	a *process.App,
	f *initFlags,
	e *Examination,
) (peer driver.Info, seen []suites.Inspection,
	err error) {
	bar := process.Progress(a, false)
	defer bar.End()
	e.Subject.Driver = process.Watched{Driver: e.Subject.Driver, App: a, Bar: bar}
	options := e.Options
	options.Candidates = func(role live.Role, ids []string) []string {
		return starter.Candidates(role.Name, role.Capability, role.Listed, ids)
	}
	err = retryUnreachable(ctx, f.Wait, bar, func() error {
		peer, seen, err = suites.Inspect(ctx, e.Suites, e.Subject, options)
		return err
	})
	return peer, seen, err
}

func (f *initFlags) facts(e *Examination, args []string, peer driver.Info, seen []suites.Inspection) starter.Facts {
	release, schema := process.Release(), ""
	if release != "" {
		schema = schemas.ID("target/target.schema.json")
	}
	mask := e.invocation.mask.MaskText
	for i := len(seen) - 1; i >= 0; i-- { // of several descriptors, the first one counts
		if of := seen[i].Profile; of.Name != "" {
			peer.Name, peer.Version = of.Name, of.Version
		}
	}
	facts := starter.Facts{
		Name: cmp.Or(f.name, label(mask(peer.Name))), Version: cmp.Or(f.version, label(mask(peer.Version))),
		Driver: e.Subject.Driver.Target().Driver,
		Target: filepath.ToSlash(f.output), Release: release, Schema: schema,
	}
	if len(args) == 1 && strings.Contains(args[0], "://") {
		facts.URL = e.invocation.target[0]
		if holdsSecret(args[0]) {
			facts.URL = "${" + urlVariable + "}"
		}
	} else {
		facts.Command = args
		facts.Env = slices.DeleteFunc(slices.Clone(f.PassEnv),
			func(name string) bool { return name == "all" || !variableName.MatchString(name) })
	}
	for _, shown := range e.invocation.flags {
		if name, value, ok := strings.Cut(shown.value, ":"); shown.name == "header" && ok {
			value = strings.TrimSpace(value)
			if strings.HasPrefix(value, "@") { // a target file names no files
				value = access.VariableOf(name)
			}
			facts.Headers = append(facts.Headers, starter.Header{Name: name, Value: value})
		}
	}
	for _, key := range e.keyHeaders {
		name, value, _ := strings.Cut(key, ": ")
		facts.Headers = append(facts.Headers, starter.Header{Name: name, Value: value})
	}
	for _, s := range seen {
		one := suiteOf(s, mask)
		if s.Suite.Source != nil && scope.IsFolder(s.Suite.Source.Place) {
			one.Name = folderFrom(filepath.Dir(f.output), s.Suite.Source.Place)
		}
		facts.Suites = append(facts.Suites, one)
	}
	return facts
}

// folderFrom returns the path of the folder of a text of one's own, relative to the folder of a target file, as the
// file names it.
func folderFrom(base, folder string) string {
	relative, err := filepath.Rel(base, folder)
	if err != nil {
		return folder
	}
	if relative = filepath.ToSlash(relative); !strings.HasPrefix(relative, "../") {
		relative = "./" + relative
	}
	return relative
}

// suiteOf returns what one suite found out about a target. A text that contains a secret is never
// used as an id.
func suiteOf(s suites.Inspection, mask func(string) string) starter.Suite {
	suite := starter.Suite{Name: s.Suite.Name}
	for _, id := range s.Profile.Capabilities {
		suite.Listed = append(suite.Listed, mask(id))
	}
	for _, r := range s.Played {
		suite.Played = append(suite.Played, starter.Role{Name: r.Name, Capability: r.Capability, Purpose: r.Purpose})
	}
	for _, r := range s.Vacant {
		role := starter.Role{Name: r.Name, Capability: r.Capability, Purpose: r.Purpose,
			Optional: isOptional(s.Suite, r.Name)}
		for _, t := range s.Trials[r.Name] {
			role.Candidates = append(role.Candidates, starter.Candidate{ID: mask(t.Capability), Why: label(mask(t.Why))})
		}
		suite.Vacant = append(suite.Vacant, role)
	}
	return suite
}

// isOptional reports whether a role only adds observations: some scenario is performed with it, and
// none requires it.
func isOptional(s *suites.Suite, role string) bool {
	added := false
	for _, scenario := range s.Scenarios() {
		for _, c := range scenario.Conditions {
			if c.Name == role && c.Kind == "role" {
				return false
			}
			added = added || c.Name == role && c.Kind == "with"
		}
	}
	return added
}

// urlVariable is the variable that stands for a URL with a secret.
const urlVariable = "CAPCONFORM_URL"

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// holdsSecret reports whether a part of a URL must not be written to a file.
func holdsSecret(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return true
	}
	shown, _ := driver.Address(u)
	return u.User != nil || strings.Contains(shown, driver.Masked)
}

// labelBytes bounds the name and the version that a target reports.
const labelBytes = 200

// label returns text of the target for one line of a file that people read.
func label(text string) string {
	return strings.ToValidUTF8(display.TerminalText(text[:min(len(text), labelBytes)]), "")
}

// printNextSteps prints what to do with the files.
func printNextSteps(a *process.App, f *initFlags, facts starter.Facts) {
	vacant, out := facts.Vacant(), process.Wrapping(a.Out)
	fmt.Fprintln(a.Out, "\nNext:")
	for _, name := range facts.Variables() {
		fmt.Fprintf(out, "  set %s in the environment, and as a secret of the repository\n", name)
	}
	if vacant > 0 {
		fmt.Fprintf(
			out,
			"  name the capabilities that play the %s, under roles: in %s%s\n",
			process.Count(vacant, "vacant role"),
			process.OneLine(f.output),
			optionalNote(facts.Optional()),
		)
	}
	fmt.Fprintf(a.Out, "  capconform run %s\n", process.OneLine(driver.ShellQuote(f.output)))
	if f.workflow != "" {
		fmt.Fprintf(
			out,
			"  add the commands that build your host to %s, and commit both files\n",
			process.OneLine(f.workflow),
		)
	}
}

// optionalNote states how many roles are optional, "" if none is.
func optionalNote(optional int) string {
	if optional == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d of them optional)", optional)
}
