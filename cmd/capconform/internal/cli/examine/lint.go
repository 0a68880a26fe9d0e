package examine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/document"
	"github.com/capconform/capconform/suites/driver"
)

type lintFlags struct {
	scope.SelectionFlags
	scope.PackageFlags
	edition   string
	reports   []string
	stdinName string
	name      string
	version   string
	quiet     bool
}

const aboutLint = `Examine documents: one finding per line, file:line:column: message [REQ-ID]. A finding
that breaks no MUST is marked as a warning. A folder stands for the .json, .yaml, .yml,
.jsonl and .ndjson files in it and below. Evidence logs, one JSON value per line, may
have any length. Packages of ACP (.acp.yaml) are drafts unless --mode publishable
requires them to be signed.

Links in a folder are followed within it, never out of it.

Exit status: 0 no finding is an error, 1 a finding is, 2 wrong usage, or a named file
that is not a document of any suite, 6 a limit of capconform left a file or a part of
one unread.`

func LintCommand(a *process.App) *cobra.Command {
	f := &lintFlags{}
	c := &cobra.Command{
		Use:   "lint [flags] FILE|DIR|-...",
		Short: "Examine documents",
		Long:  aboutLint,
		Example: `  capconform lint manifests/
  capconform lint --suite cap --report json=lint.json capability.yaml
  capconform lint --mode publishable --author-did did:key:z6Mk... note.acp.yaml
  capconform lint --stdin-filename note.acp.yaml - < note.acp.yaml
  capconform lint --against note-1.0.0.acp.yaml note.acp.yaml`,
		RunE: func(c *cobra.Command, args []string) error {
			process.BoundMemory()
			return lint(a, c, f, args)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.SelectionFlags.Register(flags)
	scope.RegisterEdition(flags, &f.edition, "that of the name of the suite")
	f.PackageFlags.Register(flags)
	flags.StringVar(&f.stdinName, "stdin-filename", "", "judge the document on stdin (-) as a file of this `NAME`")
	registerSubject(flags, &f.name, &f.version, "report")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors; the reports are written")
	flags.StringArrayVarP(&f.reports, "report", "o", nil, aboutReportFlag)
	return c
}

func lint(a *process.App, c *cobra.Command, f *lintFlags, args []string) error {
	if err := scope.NoEmptyFlag(c.Flags()); err != nil {
		return err
	}
	var err error
	if f.Suites, err = scope.InEdition(f.Suites, f.edition); err != nil {
		return err
	}
	e, err := f.examination(c, args)
	if err != nil {
		return err
	}
	stdin, err := f.stdin(a.In, args)
	if err != nil {
		return err
	}
	gathered, err := gather(c.Context(), e.Suites, args, stdin)
	if err != nil {
		return err
	}
	e.Subject.Documents, e.Subject.Unread = gathered.documents, gathered.unread
	out, err := process.OpenReports(a, f.reports, e.Suites, e.Options.Selection.Partial(),
		f.inputFiles(gathered.documents))
	if err != nil {
		return err
	}
	defer out.Discard()
	findings, notes := f.streams(a, out)
	gathered.report(notes)
	report, err := suites.Lint(c.Context(), e.Suites, e.Subject, e.Options)
	if err != nil {
		return err
	}
	report.Subject.Target = strings.Join(args, " ")
	gathered.addEnds(report)
	e.Complete(report)
	if err := process.Deliver(a, out, report); err != nil {
		return err
	}
	out.PrintWritten(notes)
	return printFindings(findings, notes, report, f.Strict, len(gathered.documents))
}

// examination returns what the flags say about the examination, without the documents.
func (f *lintFlags) examination(c *cobra.Command, args []string) (*Examination, error) {
	all, err := scope.LoadSuites(f.Suites)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if s.Source != nil && s.Inspect == nil {
			return nil, process.Misuse("lint: %s describes no documents: add documents to its protocol.yaml", s.Flag())
		}
	}
	e := &Examination{Suites: all, invocation: invoked("lint", c.Flags(), nil, args)}
	if e.Options.Selection, err = f.Selection(all); err != nil {
		return nil, err
	}
	e.Options.Strict, e.Options.Explicit, e.Options.Repeat = f.Strict, len(f.Suites) > 0, e.repeat
	options := f.SelectionFlags.Options()
	if err := f.PackageFlags.Options(options); err != nil {
		return nil, err
	}
	older, err := f.Older(c.Context())
	if err != nil {
		return nil, err
	}
	e.Subject = &suites.Subject{
		Name: cmp.Or(f.name, strings.Join(args, " ")), Version: f.version, Older: older, Options: options,
	}
	return e, nil
}

// inputFiles returns the files that lint reads.
func (f *lintFlags) inputFiles(documents []suites.Document) []string {
	all := []string{f.Against, f.Document}
	for _, d := range documents {
		all = append(all, d.Path)
	}
	return all
}

// streams are where findings and notes are printed.
func (f *lintFlags) streams(a *process.App, out process.Outputs) (findings, notes io.Writer) {
	switch {
	case f.quiet:
		return io.Discard, io.Discard
	case out.ToStdout():
		return a.Err, a.Err
	default:
		return a.Out, a.Err
	}
}

// report prints which files of folders are not documents, and why.
func (g *documentSet) report(w io.Writer) {
	for _, text := range g.ignored {
		_, _ = fmt.Fprintf(w, "capconform: left out: %s\n", process.OneLine(text))
	}
}

// printFindings prints the findings, and a summary of what was examined. It returns the exit status as an
// error.
func printFindings(findings, notes io.Writer, r *reports.Report, strict bool, documents int) error {
	n, err := format.Findings(findings, r, strict)
	if err != nil {
		return err
	}
	if r.Run.Stopped != nil {
		_, _ = fmt.Fprintf(notes, "capconform: %s\n", process.OneLine(r.Run.Stopped.Reason))
	}
	for _, note := range r.Notes {
		_, _ = fmt.Fprintf(notes, "capconform: note: %s\n", process.OneLine(note))
	}
	_, _ = fmt.Fprintf(notes, "%s examined: %s, %s\n", process.Count(documents, "document"),
		process.Count(n.Errors, "error"),
		process.Count(n.Warnings, "warning"))
	// A document does not fail because it does not show something: only breaches count.
	switch exit := reports.ExitStatus(r, reports.Policy{Strict: strict}); {
	case exit == reports.ExitHarness:
		return process.Outcome(exit)
	case n.Errors > 0:
		return process.Outcome(reports.ExitNonconformant)
	case n.Unjudged > 0 || r.Run.Interrupted || r.Run.Stopped != nil || len(r.Suites) == 0:
		return process.Outcome(reports.ExitIncomplete)
	}
	return nil
}

// documentSet is the content of the paths.
type documentSet struct {
	documents []suites.Document
	ignored   []string // files of folders that are not documents, and why
	unread    []string // files that a limit left unread, and which limit
	values    int
	bytes     int
}

// The limits of the documents of one run together: they are judged together.
const (
	maxValues = 500_000
	maxBytes  = 64 << 20
)

// add adds a file if the limits permit it.
func (g *documentSet) add(file *document.File) {
	values := 0
	for _, root := range file.Roots {
		values += root.Values()
	}
	if g.values+values > maxValues || g.bytes+len(file.Text) > maxBytes {
		g.unread = append(g.unread,
			fmt.Sprintf("%s: with it, the documents exceed capconform's limit of %d values or %s: examine them in parts",
				file.Path, maxValues, driver.Size(maxBytes)))
		return
	}
	g.values, g.bytes = g.values+values, g.bytes+len(file.Text)
	g.documents = append(g.documents, *file)
}

// gather reads the files. A named file that is not a document of any suite is a usage error; a file
// that was found in a folder is listed and ignored.
func gather(ctx context.Context, all []*suites.Suite, paths []string, stdin *loadedFile) (*documentSet, error) {
	if len(paths) == 0 {
		return nil, process.Misuse("lint: no file: name files or folders")
	}
	if slices.Contains(paths, "") {
		return nil, process.Misuse("lint: a path is empty: name files or folders")
	}
	found, err := document.Collect(ctx, slices.DeleteFunc(slices.Clone(paths), isStdin))
	if err != nil {
		return nil, process.Misuse("%v", err)
	}
	g := &documentSet{}
	if stdin != nil {
		if err := g.accept(ctx, all, stdin, true); err != nil {
			return nil, process.Misuse("%v", err)
		}
	}
	for _, link := range found.Outside {
		g.ignored = append(g.ignored, link+": a link that leads out of the folder is not followed; name it to examine it")
	}
	if found.Full != "" {
		g.unread = append(g.unread, found.Full)
	}
	for _, source := range found.Sources {
		err := g.read(ctx, all, source)
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return nil, fmt.Errorf("%w while reading", process.ErrInterrupted)
		case source.Named:
			return nil, process.Misuse("%v", err)
		default:
			g.ignored = append(g.ignored, err.Error())
		}
	}
	if len(g.documents)+len(g.unread) > 0 {
		return g, nil
	}
	why := errors.New("there is no .json, .yaml, .yml, .jsonl or .ndjson file")
	if len(g.ignored) > 0 {
		why = errors.New(g.ignored[0])
	}
	return nil, process.Misuse("lint: no document in %s: %v", strings.Join(paths, ", "), why)
}

// loadedFile is the result of reading a file.
type loadedFile struct {
	path string
	file *document.File
	err  error
}

// read reads a file and adds it.
func (g *documentSet) read(ctx context.Context, all []*suites.Suite, source document.Source) error {
	limits := document.Limits{}.WithDefaults()
	limits.Values = min(limits.Values, max(1, maxValues-g.values))
	file, err := document.Load(ctx, source.Path, limits)
	return g.accept(ctx, all, &loadedFile{source.Path, file, err}, source.Named)
}

// accept adds a file. A limit of capconform leaves a file unread and is not a finding. An
// unreadable file may still be recognised by its name: then that is a finding of its suite. A file
// that was not named, and whose format belongs to another project that uses the same name, is
// ignored.
func (g *documentSet) accept(ctx context.Context, all []*suites.Suite, l *loadedFile, named bool) error {
	file, path := l.file, l.path
	refused, broken := errors.AsType[*document.Error](l.err)
	known := broken && recognised(all, &document.File{Path: path, Err: refused})
	switch {
	case broken && refused.Kind == document.Limit && !known:
		reason := refused.Error()
		if g.values > 0 {
			reason += fmt.Sprintf("; the other documents contain %d values, and the limit for all is %d: examine fewer at a time",
				g.values, maxValues)
		}
		g.unread = append(g.unread, reason)
		return nil
	case known && refused.Kind != document.Unreadable:
		file = &document.File{Path: path, Err: refused}
	case l.err != nil:
		return l.err
	case foreignFormat(all, file) != "" && (!named || !recognised(all, file)):
		return fmt.Errorf("%s: %s", path, foreignFormat(all, file))
	case !recognised(all, file) && file.Log != nil && !file.Log.Lines():
		return g.acceptTooLong(ctx, all, file)
	case !recognised(all, file):
		return fmt.Errorf("%s: not recognised as a document of %s", path, strings.Join(suiteNames(all), ", "))
	}
	g.add(file)
	return nil
}

// foreignFormat returns the format of another project that a file has, or "" if the file may be a
// document of a suite.
func foreignFormat(all []*suites.Suite, file *document.File) string {
	for _, s := range all {
		if s.Foreign != nil && s.Foreign(file) != "" {
			return s.Foreign(file)
		}
	}
	return ""
}

// acceptTooLong decides about a file that is too long to be held and is not a list of documents. The file is
// ignored only if the rest of it can be read and is not a document either.
func (g *documentSet) acceptTooLong(ctx context.Context, all []*suites.Suite, file *document.File) error {
	head, err := file.Log.Each(ctx, func(document.Entry) {})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err == nil && head != nil && !recognised(all, &document.File{Path: file.Path, Roots: []*document.Node{head}}):
		return fmt.Errorf("%s: not recognised as a document of %s", file.Path, strings.Join(suiteNames(all), ", "))
	}
	g.unread = append(g.unread, fmt.Sprintf("%s: the file is longer than capconform's limit of %d bytes", file.Path,
		document.Limits{}.WithDefaults().Size))
	return nil
}

func recognised(all []*suites.Suite, file *document.File) bool {
	return slices.ContainsFunc(all, func(s *suites.Suite) bool {
		return s.Recognises != nil && s.Recognises(file)
	})
}

func suiteNames(all []*suites.Suite) []string {
	var list []string
	for _, s := range all {
		list = append(list, s.Name)
	}
	return list
}
