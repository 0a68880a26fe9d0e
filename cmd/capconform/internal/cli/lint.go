package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
)

type lintFlags struct {
	selectionFlags
	packageFlags
	reports []string
}

const aboutLint = `Examine documents: one finding a line, file:line:column: message [REQ-ID]. What breaks
no MUST is marked as a warning. A folder stands for the .json, .yaml, .yml, .jsonl and
.ndjson files in it and below. Logs of evidence, a JSON value a line, may be of any length.
Packages of ACP (.acp.yaml) are drafts unless --mode publishable says that they have to be signed.

Exit status: 0 no finding is an error, 1 one is, 2 wrong usage, or a named file that is
no document of any suite.`

func (a *app) lintCommand() *cobra.Command {
	f := &lintFlags{}
	c := &cobra.Command{
		Use:   "lint [flags] FILE|DIR...",
		Short: "Examine documents",
		Long:  aboutLint,
		Example: `  capconform lint manifests/
  capconform lint --suite cap --report json=lint.json capability.yaml
  capconform lint --mode publishable --author-did did:key:z6Mk... note.acp.yaml
  capconform lint --against note-1.0.0.acp.yaml note.acp.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			boundMemory()
			return a.lint(c, f, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.selectionFlags.register(flags)
	f.packageFlags.register(flags)
	flags.StringArrayVar(&f.reports, "report", nil, "write a report as `FORMAT[=PATH]`; - or no path is stdout (repeatable; capconform list formats)")
	return c
}

func (a *app) lint(c *cobra.Command, f *lintFlags, args []string) error {
	if err := noEmptyFlag(c.Flags()); err != nil {
		return err
	}
	ctx := c.Context()
	all, err := loadSuites(f.suites)
	if err != nil {
		return err
	}
	e := &examination{suites: all, shown: invoked("lint", c.Flags(), nil, args)}
	if e.options.Selection, err = f.selection(all); err != nil {
		return err
	}
	e.options.Strict, e.options.Explicit, e.options.Repeat = f.strict, len(f.suites) > 0, e.repeat
	options := f.selectionFlags.options()
	if err := f.packageFlags.options(options); err != nil {
		return err
	}
	older, err := f.older(ctx)
	if err != nil {
		return err
	}
	gathered, err := gather(ctx, all, args)
	if err != nil {
		return err
	}
	out, err := openOutputs("report", f.reports)
	if err != nil {
		return err
	}
	defer out.discard()
	a.beforeEnd(out.discard)
	out.know(e.suites)
	if err := out.speaking(e.options.Selection.Partial()); err != nil {
		return err
	}
	for _, text := range gathered.strangers {
		_, _ = fmt.Fprintf(a.err, "capconform: left out: %s\n", oneLine(text))
	}
	e.subject = &suites.Subject{Name: strings.Join(args, " "), Documents: gathered.documents, Older: older, Options: options}
	report, err := suites.Lint(ctx, all, e.subject, e.options)
	if err != nil {
		return err
	}
	report.Subject.Target = e.subject.Name
	e.complete(report)
	if err := a.deliver(out, report); err != nil {
		return err
	}
	return a.found(report, f.strict, out.toStdout(), len(gathered.documents))
}

// found prints the findings, and ends with what they mean.
func (a *app) found(r *reports.Report, strict, taken bool, documents int) error {
	to := a.out
	if taken {
		to = a.err
	}
	n, err := reports.Findings(to, r, strict)
	if err != nil {
		return err
	}
	for _, note := range r.Notes {
		_, _ = fmt.Fprintf(a.err, "capconform: note: %s\n", oneLine(note))
	}
	_, _ = fmt.Fprintf(a.err, "%s examined: %s, %s\n", count(documents, "document"), count(n.Errors, "error"), count(n.Warnings, "warning"))
	// What a document does not show is no fault of it: only what went wrong counts.
	switch exit := reports.ExitStatus(r, reports.Policy{Strict: strict}); {
	case exit == reports.ExitHarness:
		return outcome(exit)
	case n.Errors > 0:
		return outcome(reports.ExitNonconformant)
	case n.Unjudged > 0 || r.Run.Interrupted || len(r.Suites) == 0:
		return outcome(reports.ExitIncomplete)
	}
	return nil
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// gathering is what the paths hold.
type gathering struct {
	documents []suites.Document
	strangers []string // files of folders that are no documents, and why
	values    int
	bytes     int
}

// What the documents of one run may hold together: they are judged together.
const (
	valuesHeld = 500_000
	bytesHeld  = 64 << 20
)

// hold counts what a file adds to what is held.
func (g *gathering) hold(file *document.File) error {
	g.bytes += len(file.Text)
	for _, root := range file.Roots {
		g.values += root.Values()
	}
	if g.values > valuesHeld || g.bytes > bytesHeld {
		return misuse("lint: at %s the documents have together more than our limit of %d values or %s: examine them in parts", file.Path, valuesHeld, driver.Size(bytesHeld))
	}
	return nil
}

// gather reads the files. One that was named and is no document of any suite is
// the user's mistake; one that was found in a folder is a stranger.
func gather(ctx context.Context, all []*suites.Suite, paths []string) (*gathering, error) {
	if len(paths) == 0 {
		return nil, misuse("lint: no file: name files or folders")
	}
	sources, err := document.Collect(ctx, paths)
	if err != nil {
		return nil, misuse("%v", err)
	}
	g := &gathering{}
	for _, source := range sources {
		file, err := load(ctx, all, source.Path)
		if err == nil && !recognised(all, file) {
			err = fmt.Errorf("%s: recognised as no document of %s", source.Path, strings.Join(names(all), ", "))
		}
		if err == nil {
			if err := g.hold(file); err != nil {
				return nil, err
			}
		}
		switch {
		case err == nil:
			g.documents = append(g.documents, *file)
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%w while reading", errInterrupted)
		case source.Named:
			return nil, misuse("%v", err)
		default:
			g.strangers = append(g.strangers, err.Error())
		}
	}
	if len(g.documents) > 0 {
		return g, nil
	}
	why := errors.New("there is no .json, .yaml, .yml, .jsonl or .ndjson file")
	if len(g.strangers) > 0 {
		why = errors.New(g.strangers[0])
	}
	return nil, misuse("lint: no document in %s: %v", strings.Join(paths, ", "), why)
}

// load reads a file. One that can't be read as what it is may still be known by
// its name: then that is a finding of its suite.
func load(ctx context.Context, all []*suites.Suite, path string) (*document.File, error) {
	file, err := document.Load(ctx, path, document.Limits{})
	refused, ok := errors.AsType[*document.Error](err)
	if !ok || refused.Kind == document.Unreadable {
		return file, err
	}
	if broken := (&document.File{Path: path, Err: refused}); recognised(all, broken) {
		return broken, nil
	}
	return nil, err
}

func recognised(all []*suites.Suite, file *document.File) bool {
	return slices.ContainsFunc(all, func(s *suites.Suite) bool {
		return s.Recognises != nil && s.Recognises(file)
	})
}

func names(all []*suites.Suite) []string {
	var list []string
	for _, s := range all {
		list = append(list, s.Name)
	}
	return list
}
