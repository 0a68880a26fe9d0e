package examine

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/prove"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/text"
)

const aboutProve = `Find out which requirements of a text of one's own anybody has seen fail.

prove examines a conforming host, edits each member of each of its answers, and each answer as
a whole, and judges every edit. It also applies every row of defects.yaml: to the record of the
run, and with --live to the target, between the host and the suite. It lists the requirements
that nothing broke, and the places of the answers that no requirement reads.

Exit status 0 if every MUST was seen to fail, unless its check is excluded, and every defect was
found; 1 if not.`

// proveFlags are the flags of prove, beside those by which a target is reached.
type proveFlags struct {
	RunFlags
	suite, edition, source string
	live, asJSON, markdown bool
	defects                bool
	reports                []string
}

func ProveCommand(a *process.App) *cobra.Command {
	f := &proveFlags{}
	c := &cobra.Command{
		Use:   "prove --suite DIR [flags] TARGET | -- COMMAND ARGS...",
		Short: "Find the requirements of a text of one's own that nobody has seen fail",
		Long:  aboutProve,
		Example: `  capconform prove --suite ./clock http://127.0.0.1:8080
  capconform prove --suite ./clock --live -- python3 clock.py stdio`,
		RunE: func(c *cobra.Command, args []string) error {
			names, err := scope.InEdition([]string{f.suite}, f.edition)
			switch {
			case err != nil:
				return err
			case !scope.IsText(names[0]):
				return process.Misuse("prove: want the folder of a text of one's own: --suite ./NAME")
			case f.asJSON && f.markdown:
				return process.Misuse("prove: --json and --markdown exclude each other")
			}
			f.Suites = scope.Newest(names)
			process.BoundMemory()
			return f.prove(a, c, access.WithDefaultFile(args))
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.suite, "suite", "", "the folder `DIR` of the text")
	scope.RegisterEdition(flags, &f.edition, "the newest")
	flags.StringVar(&f.source, "source", "", "also list the sentences of the text in `FILE` that no requirement covers")
	flags.BoolVar(&f.live, "live", false, "apply the defects to the target as well")
	flags.BoolVar(&f.defects, "defects", false, "apply the defects alone, without edits")
	flags.BoolVar(&f.asJSON, "json", false, "print an object")
	flags.BoolVar(&f.markdown, "markdown", false, "print Markdown")
	flags.StringArrayVarP(&f.reports, "report", "o", nil,
		"also write a report of the run of the host as `FORMAT=PATH`; a page (html) shows the proof (repeatable)")
	f.Flags.Register(flags, "contain ${VARIABLE} or be @FILE")
	flags.StringArrayVar(&f.invoke, "invoke", nil,
		"invoke none, safe or all capabilities, or what safe admits and these: `NAME,...` (repeatable; default safe)")
	f.RegisterWait(flags)
	flags.DurationVar(&f.timeout, "timeout", 0, "end after `TIME`")
	f.RegisterCallTimeout(flags)
	return c
}

// result applies the edits and the defects.
func (f *proveFlags) result(
	c *cobra.Command, e *Examination, t *text.Text, stored *record.Record, report *reports.Report,
) (*prove.Result, error) {
	var live []*reports.Report
	var err error
	if f.live { // first: a call fails if the process holds much memory
		if live, err = proveLive(c, e, t); err != nil {
			return nil, err
		}
	}
	of := prove.Record
	if f.defects {
		of = prove.Defects
	}
	result, err := of(c.Context(), e.Suites[0], t, stored)
	if err != nil {
		return nil, err
	}
	for i, after := range live {
		result.Note(t.Defects()[i].Name, t.Defects()[i].Breaks, report, after)
	}
	return result, nil
}

func (f *proveFlags) prove(a *process.App, c *cobra.Command, args []string) error {
	t, err := scope.LoadText(f.Suites[0], scope.SuiteNames())
	if err != nil {
		return err
	}
	if f.timeout > 0 {
		ctx, cancel := context.WithTimeout(c.Context(), f.timeout)
		defer cancel()
		c.SetContext(ctx)
	}
	e, err := f.Prepare(c, args)
	if err != nil {
		return err
	}
	defer e.Close()
	out, err := f.outputs(a, e)
	if err != nil {
		return err
	}
	defer out.Discard()
	bar := process.Progress(a, false)
	e.Subject.Driver = process.Watched{Driver: e.Subject.Driver, App: a, Bar: bar}
	stored, report, err := recordedRun(c, e)
	bar.End()
	if err != nil {
		return err
	}
	result, err := f.result(c, e, t, stored, report)
	if err != nil {
		return err
	}
	if err := f.audit(t, result); err != nil {
		return err
	}
	out.SetProof(proofOf(result))
	if err := process.Deliver(a, out, report); err != nil {
		return err
	}
	if err := f.write(a.Out, result); err != nil {
		return err
	}
	if !result.OK() {
		return process.Outcome(reports.ExitNonconformant)
	}
	return nil
}

// outputs opens the reports of the run of the host.
func (f *proveFlags) outputs(a *process.App, e *Examination) (process.Outputs, error) {
	e.invocation.flags = slices.DeleteFunc(e.invocation.flags, func(s shownFlag) bool { // the report is that of a run
		return slices.Contains([]string{"live", "defects", "source", "json", "markdown", "report"}, s.name)
	})
	out, err := process.OpenReports(a, f.reports, e.Suites, false, []string{f.source})
	if err == nil && out.ToStdout() {
		out.Discard()
		return nil, process.Misuse("prove: --report: name a file; stdout has the proof")
	}
	return out, err
}

// proofOf returns a result for the page of the report.
func proofOf(r *prove.Result) *format.Proof {
	p := &format.Proof{Sentence: fmt.Sprintf("%d edits of the answers, %d defects: %s.", r.Edits, len(r.Defects),
		r.Sentence())}
	for _, q := range r.Requirements {
		p.Rows = append(p.Rows, format.ProofRow{ID: q.ID, Level: q.Level, Shown: q.Shown(), Open: q.Unproven()})
	}
	for _, l := range r.Lists() {
		p.Lists = append(p.Lists, format.ProofList(l))
	}
	return p
}

// recordedRun examines the target, and returns the record of the run, in memory.
func recordedRun(c *cobra.Command, e *Examination) (*record.Record, *reports.Report, error) {
	opts := e.Options
	opts.Record = record.NewWriter(nil)
	defer opts.Record.Close() // the spooled record is no longer needed
	report, err := suites.Run(c.Context(), e.Suites, e.Subject, opts)
	if err != nil {
		return nil, nil, err
	}
	e.Complete(report)
	var out bytes.Buffer
	if _, err := opts.Record.Save(&out, recordHeader(report, opts.Record.Described())); err != nil {
		return nil, nil, err
	}
	read, err := record.Read(&out)
	if err != nil {
		return nil, nil, err
	}
	defer read.Close() // the spool is a temporary file
	stored, err := read.Load()
	return stored, report, err
}

// proveLive examines the target once for each defect, with answers that have the defect.
func proveLive(c *cobra.Command, e *Examination, t *text.Text) ([]*reports.Report, error) {
	var all []*reports.Report
	target := e.Subject.Driver
	defer func() { e.Subject.Driver = target }()
	for _, d := range t.Defects() {
		e.Subject.Driver = t.Defective(target, d)
		after, err := suites.Run(c.Context(), e.Suites, e.Subject, e.Options)
		if err != nil && after == nil {
			return nil, fmt.Errorf("with the defect %s: %w", d.Name, err)
		}
		all = append(all, after)
	}
	return all, nil
}

// audit lists the sentences of the text that no requirement covers.
func (f *proveFlags) audit(t *text.Text, result *prove.Result) error {
	if f.source == "" {
		return nil
	}
	source, err := process.ReadFile(f.source, process.SmallFile)
	if err != nil {
		return process.Misuse("--source: %v", err)
	}
	def := t.Definition()
	catalogue, err := def.LoadCatalogue()
	if err != nil {
		return err
	}
	for _, b := range spec.Audit(catalogue, source, false).Unanswered {
		result.Uncovered = append(result.Uncovered, fmt.Sprintf("%s:%d: %s", f.source, b.Line, process.OneLine(b.Text)))
	}
	return nil
}

func (f *proveFlags) write(w io.Writer, result *prove.Result) error {
	switch {
	case f.asJSON:
		return process.WriteJSON(w, result)
	case f.markdown:
		return result.Markdown(w)
	}
	return result.Write(w)
}
