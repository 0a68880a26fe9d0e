package requirements

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/spec"
)

// auditFlags are the flags of spec audit.
type auditFlags struct {
	suite, edition, report string
	sources, older, newer  []string
	all                    bool
}

func auditCommand(a *process.App) *cobra.Command {
	f := &auditFlags{}
	c := &cobra.Command{
		Use:   "audit --suite SUITE --source FILE... | --old FILE... --new FILE...",
		Short: "List the sentences of a text that no requirement covers; exit 1 if anything is open",
		Long: `List the sentences of a text that no requirement covers, and the requirements whose sentence
is gone. Of each it says whether the sentence was reworded, and then which requirement it was,
how similar both are, and whether the level changed. With --old and --new, it compares two
texts without a catalogue.

Exit status: 0 nothing is open, 1 something is, or the texts differ.`,
		Example: `  capconform spec audit --suite cap --source cap.md
  capconform spec audit --old v1.md --new v2.md --report markdown > changes.md`,
		Args: process.NoArguments,
		RunE: func(*cobra.Command, []string) error { return f.audit(a) },
	}
	c.Flags().StringVar(&f.suite, "suite", "", "the catalogue of `SUITE`")
	scope.RegisterEdition(c.Flags(), &f.edition, "the newest")
	const pagesOf = ", Markdown or plain, as `FILE`; - is stdin (repeatable: the pages of the text)"
	c.Flags().StringArrayVar(&f.sources, "source", nil, "the text"+pagesOf)
	c.Flags().StringArrayVar(&f.older, "old", nil, "the older text"+pagesOf)
	c.Flags().StringArrayVar(&f.newer, "new", nil, "the newer text"+pagesOf)
	c.Flags().StringVar(&f.report, "report", "", "markdown: print the changes as a page in this `FORMAT`")
	c.Flags().BoolVar(&f.all, "all", false, "also list blocks without keyword that no requirement represents")
	return c
}

func (f *auditFlags) audit(a *process.App) error {
	compares := f.suite == "" && len(f.sources) == 0 && len(f.older) > 0 && len(f.newer) > 0
	switch {
	case f.report != "" && f.report != "markdown":
		return process.Misuse("spec audit: --report: unknown format %s (known: markdown)", f.report)
	case compares:
	case len(f.older)+len(f.newer) > 0:
		return process.Misuse("spec audit: want either --suite and --source, or --old and --new")
	case f.suite == "" || len(f.sources) == 0:
		return process.Misuse("spec audit: --suite and --source are needed")
	}
	sources := f.sources
	if compares {
		sources = f.newer
	}
	text, err := readPages(a, sources)
	if err != nil {
		return err
	}
	if compares {
		older, err := readPages(a, f.older)
		if err != nil {
			return err
		}
		changes := spec.Compare(older.text, text.text)
		return f.deliver(a, text, changes, len(changes) > 0, func() error {
			return printChanges(a.Out, older.String(), text, changes)
		})
	}
	catalogue, err := loadCatalogue(f.suite, f.edition)
	if err != nil {
		return err
	}
	report := spec.Audit(catalogue, text.text, f.all)
	return f.deliver(a, text, report.Changes, report.Open(), func() error { return printAudit(a.Out, text, report) })
}

// deliver prints what was found, as a page if the user wants one.
func (f *auditFlags) deliver(a *process.App, text pages, changes []spec.Change, open bool, write func() error) error {
	if f.report != "" {
		write = func() error { return writeChanges(a.Out, text, changes) }
	}
	if err := write(); err != nil || !open {
		return err
	}
	return process.Outcome(reports.ExitNonconformant)
}

func printAudit(w io.Writer, source pages, r spec.AuditReport) error {
	var out strings.Builder
	explain := func(which func(spec.Change) bool) {
		for _, c := range r.Changes {
			if which(c) {
				fmt.Fprintf(&out, "    %s\n", display.TerminalText(explained(c, source)))
			}
		}
	}
	for _, b := range r.Unanswered {
		fmt.Fprintf(&out, "%s: open: %s: %s\n    %s\n", source.at(b.Line), b.Keyword, display.TerminalText(b.Text),
			b.Fingerprint)
		explain(func(c spec.Change) bool { return c.Is == b })
	}
	for _, s := range r.Stale {
		fmt.Fprintf(&out, "%s: stale: %s represents a block that no longer exists\n    %s\n", source.String(), s.Owner,
			s.Fingerprint)
		explain(func(c spec.Change) bool { return c.Was.Owner == s.Owner && c.Was.Fingerprint == s.Fingerprint })
	}
	for _, b := range r.Unmarked {
		fmt.Fprintf(&out, "%s: no keyword: %s\n    %s\n", source.at(b.Line), display.TerminalText(b.Text), b.Fingerprint)
	}
	fmt.Fprintf(&out, "%s: %d blocks, %d normative: %d answered, %d waived, %d open; %d stale fingerprints\n",
		r.Suite, r.Blocks, r.Normative, r.Answered, r.Waived, len(r.Unanswered), len(r.Stale))
	_, err := io.WriteString(w, out.String())
	return err
}

// explained returns what a change is, in one line.
func explained(c spec.Change, source pages) string {
	switch {
	case c.Kind == spec.Reworded:
		return fmt.Sprintf("reworded: %s is now at %s, %d %% alike, %s", c.Was.Owner, source.at(c.Is.Line), c.Similarity,
			levels(c))
	case c.Kind == spec.Gone && c.Was.Sketch == (spec.Sketch{}):
		return "gone or reworded: the catalogue has no sketch of it (capconform spec sketch)"
	case c.Kind == spec.Gone:
		return "gone: no sentence is similar: " + c.Was.About
	case c.After != "":
		return "new: no older sentence is similar; it stands after " + c.After
	}
	return "new: no older sentence is similar"
}

// levels returns what became of the level of a sentence.
func levels(c spec.Change) string {
	was, is := c.Was.Level, c.LevelNow()
	switch {
	case was == is && is == "":
		return "no keyword as before"
	case was == is:
		return fmt.Sprintf("%s as before", is)
	case is == "":
		return fmt.Sprintf("without its %s", was)
	case was == "":
		return fmt.Sprintf("now %s", is)
	}
	return fmt.Sprintf("now %s, was %s", is, was)
}

// printChanges lists how one text differs from another.
func printChanges(w io.Writer, older string, source pages, changes []spec.Change) error {
	var out strings.Builder
	counts := map[spec.ChangeKind]int{}
	for _, c := range changes {
		counts[c.Kind]++
		if c.Kind == spec.Gone {
			fmt.Fprintf(&out, "%s: %s\n", older, display.TerminalText(explained(c, source)))
			continue
		}
		fmt.Fprintf(&out, "%s: %s\n    %s\n", source.at(c.Is.Line), display.TerminalText(explained(c, source)),
			display.TerminalText(c.Is.Text))
	}
	fmt.Fprintf(&out, "%d reworded, %d new, %d gone\n", counts[spec.Reworded], counts[spec.New], counts[spec.Gone])
	_, err := io.WriteString(w, out.String())
	return err
}

// writeChanges writes a page about how a text differs from its catalogue, or from an older text.
func writeChanges(w io.Writer, source pages, changes []spec.Change) error {
	rows := map[spec.ChangeKind][]string{}
	for _, c := range changes {
		cells := []string{c.Was.Owner, source.at(c.Is.Line), fmt.Sprintf("%d %%", c.Similarity), levels(c), c.Is.Text}
		switch c.Kind {
		case spec.New:
			cells = []string{"after " + cmp.Or(c.After, "the beginning"), source.at(c.Is.Line), "", c.Is.Keyword, c.Is.Text}
		case spec.Gone:
			cells = []string{c.Was.Owner, "", "", string(c.Was.Level), c.Was.About}
		}
		for i := range cells {
			cells[i] = display.MarkdownText(cells[i])
		}
		rows[c.Kind] = append(rows[c.Kind], "| "+strings.Join(cells, " | ")+" |\n")
	}
	var out strings.Builder
	fmt.Fprintf(&out, "# Changes in %s\n", display.MarkdownText(source.String()))
	for _, kind := range []spec.ChangeKind{spec.Reworded, spec.New, spec.Gone} {
		fmt.Fprintf(&out, "\n## %s%s: %d\n", strings.ToUpper(string(kind[:1])), kind[1:], len(rows[kind]))
		if len(rows[kind]) > 0 {
			fmt.Fprintf(&out, "\n| requirement | where | alike | level | sentence |\n| :-- | :-- | --: | :-- | :-- |\n%s",
				strings.Join(rows[kind], ""))
		}
	}
	_, err := io.WriteString(w, out.String())
	return err
}

func sketchCommand(a *process.App) *cobra.Command {
	var sources []string
	c := &cobra.Command{
		Use:   "sketch --source FILE... CATALOGUE",
		Short: "Write into a catalogue what tells its sentences from similar ones",
		Long: `Write the sketches of the sentences that a catalogue covers into the file of the catalogue. If
the text changes later, spec audit says which sentence was reworded. A sketch has hashes of
parts of a sentence, and no words.`,
		Example: "  capconform spec sketch --source clock.md clock/catalogue.yaml",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || len(sources) == 0 {
				return process.Misuse("spec sketch: want --source and one catalogue")
			}
			file, err := readSource(a, args[0])
			if err != nil {
				return err
			}
			catalogue, err := spec.Parse(args[0], "", file)
			if err != nil {
				return process.Misuse("%v", err)
			}
			text, err := readPages(a, sources)
			if err != nil {
				return err
			}
			sketched, count := spec.WithSketches(catalogue, file, spec.Blocks(text.text))
			if err := process.WriteFiles([]process.TextFile{{Path: args[0], Text: sketched}}); err != nil {
				return err
			}
			_, err = fmt.Fprintf(a.Out, "%s: %s sketched\n", args[0], process.Count(count, "sentence"))
			return err
		},
	}
	c.Flags().StringArrayVar(&sources, "source", nil, "the text, as `FILE` (repeatable: the pages of the text)")
	return c
}
