package examine

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/record"
)

const aboutJudge = `Judge the record of an earlier run again, without its target: the file that
run --record wrote. Nothing is called. The statuses are those of the run, unless this
build reads the texts in another way. Without flags, judge examines the requirements
that the run examined.

Exit status: as that of run.`

// maxRecord bounds a record, in bytes after decompression.
const maxRecord = 1 << 30

// judgeFlags are the flags of judge.
type judgeFlags struct {
	RunFlags
	edition string
}

func JudgeCommand(a *process.App) *cobra.Command {
	f := &judgeFlags{}
	c := &cobra.Command{
		Use:   "judge [flags] RECORD",
		Short: "Judge a record again",
		Long:  aboutJudge,
		Example: `  capconform run --suite chp --record run.jsonl.gz reference
  capconform judge run.jsonl.gz
  capconform judge --strict --report html=report.html run.jsonl.gz`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := scope.NoEmptyFlag(c.Flags()); err != nil {
				return err
			}
			if len(args) != 1 {
				return process.Misuse("judge: want one record, a .jsonl or .jsonl.gz that run --record wrote")
			}
			process.BoundMemory()
			return judge(a, c, f, args[0])
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.SelectionFlags.Register(flags)
	scope.RegisterEdition(flags, &f.edition, "that of the run")
	flags.BoolVar(&f.allowIncomplete, "allow-incomplete", false,
		"exit 0 if the only problem is what is inconclusive, or what an adapter meets")
	flags.StringArrayVarP(&f.reports, "report", "o", nil, aboutReportFlag)
	f.registerOutput(flags)
	return c
}

func judge(a *process.App, c *cobra.Command, f *judgeFlags, path string) error {
	stored, err := readRecord(path)
	if err != nil {
		return err
	}
	defer stored.Close() // the spool is a temporary file
	names, err := scope.InEdition(f.Suites, f.edition)
	if err != nil {
		return err
	}
	all, err := askedSuites(stored, names)
	if err != nil {
		return err
	}
	if err := checkEdition(stored, f.edition); err != nil {
		return err
	}
	all = suites.InRevision(all, stored.Header.Peer.Negotiated)
	e := &Examination{Suites: all, invocation: invoked("judge", c.Flags(), nil, []string{path})}
	if e.Options, err = f.judgeOptions(all, stored); err != nil {
		return err
	}
	e.Options.Repeat = e.repeat
	out, err := process.OpenReports(a, f.reports, all, e.Options.Selection.Partial(), []string{path})
	if err != nil {
		return err
	}
	defer out.Discard()
	report, err := suites.Judge(c.Context(), all, stored, e.Options)
	if err != nil {
		return err
	}
	e.Complete(report)
	report.Run.RecordDigest = stored.Digest
	if digest := stored.Header.Harness.CatalogueDigest; digest != report.Harness.CatalogueDigest && len(f.Suites) == 0 {
		report.Notes = append(report.Notes, "the record was made with another catalogue; this build uses its own")
	}
	if err := errors.Join(process.Deliver(a, out, report), printReport(a, report, &f.RunFlags, out)); err != nil {
		return err
	}
	return process.ExitError(reports.ExitStatus(report, reports.Policy{Strict: e.Options.Strict,
		AllowIncomplete: f.allowIncomplete}))
}

// checkEdition refuses an edition that is not that of the run.
func checkEdition(stored *record.Record, edition string) error {
	for _, s := range stored.Header.Suites {
		if own := scope.EditionName(s.Suite, s.Edition); edition != "" && own != "" && own != edition {
			return process.Misuse("--edition: the record is of a run in the edition %s", process.OneLine(own))
		}
	}
	return nil
}

// askedSuites loads the suites with the given names or, without any, those of a record. The folder of a text of one's
// own must be given: no file is read because a record names it.
func askedSuites(stored *record.Record, names []string) ([]*suites.Suite, error) {
	for _, s := range stored.Header.Suites {
		own := s.TextDigest != "" && !scope.IsEdition(s.Suite, s.Edition)
		if own && len(names) == 0 && !slices.Contains(scope.TextNames(), s.Suite) {
			return nil, process.Misuse("the record is about %s, a text of one's own; name its folder by --suite",
				process.OneLine(s.Suite))
		}
	}
	if len(names) == 0 {
		names = stored.Header.Asked
	}
	all, err := scope.LoadSuites(names)
	if err != nil {
		return nil, err
	}
	if all, err = suites.InEditions(all, stored.EditionOf); err != nil {
		return nil, err
	}
	for _, recorded := range stored.Header.Suites {
		for _, s := range all {
			if s.Name == recorded.Suite && recorded.TextDigest != "" && s.TextDigest() == "" {
				return nil, process.Misuse("the record is about another suite with the name %s", s.Name)
			}
		}
	}
	return all, nil
}

// judgeOptions returns the options: those of the flags, or the options of the run if no flag selects
// anything.
func (f *RunFlags) judgeOptions(all []*suites.Suite, stored *record.Record) (suites.Options, error) {
	selection, err := f.Selection(all)
	opts := suites.Options{Selection: selection, Explicit: stored.Header.Given.Explicit, Strict: f.Strict, Concurrency: 1}
	if !selection.Partial() {
		opts.Selection = suites.RecordedSelection(stored.Header)
		opts.Strict = opts.Strict || stored.Header.Selection.Strict
	}
	return opts, err
}

// readRecord reads a record, compressed or not.
func readRecord(path string) (*record.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, process.Misuse("%v", err)
	}
	defer file.Close() // nothing was written
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, process.Misuse("%s is a folder, not a record", path)
	}
	buffered := bufio.NewReader(file)
	var in io.Reader = buffered
	if begin, _ := buffered.Peek(2); bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		if in, err = gzip.NewReader(buffered); err != nil {
			return nil, process.Misuse("%s: %v", path, err)
		}
	}
	bounded := &io.LimitedReader{R: in, N: maxRecord + 1}
	stored, err := record.Read(bounded)
	if bounded.N <= 0 {
		if err == nil {
			_ = stored.Close()
		}
		return nil, process.Misuse("%s: the record is longer than capconform's limit of %s", path, driver.Size(maxRecord))
	}
	if err != nil {
		return nil, process.Misuse("%s: %s", path, strings.TrimPrefix(err.Error(), "record: "))
	}
	return stored, nil
}

// RecordDifferences lists where a report differs from the judgement of its record.
func RecordDifferences(c *cobra.Command, r *reports.Report, path string, texts []string) ([]string, error) {
	stored, err := readRecord(path)
	if err != nil {
		return []string{err.Error()}, nil
	}
	defer stored.Close() // the spool is a temporary file
	switch {
	case r.Run.RecordDigest == "":
		return []string{"the report names no record: its run was made without --record"}, nil
	case r.Run.RecordDigest != stored.Digest:
		return []string{fmt.Sprintf("the record has the digest %s, the report names %s", stored.Digest, r.Run.RecordDigest)},
			nil
	}
	all, err := askedSuites(stored, texts)
	if err != nil {
		return nil, err
	}
	again, err := suites.Judge(c.Context(), all, stored, suites.Options{
		Selection: suites.RecordedSelection(stored.Header), Strict: r.Run.Strict || stored.Header.Selection.Strict,
		Explicit: stored.Header.Given.Explicit, Concurrency: 1,
	})
	if err != nil {
		return nil, err
	}
	faults := verification.Differences(r, again)
	if stored.Header.Unfinished != "" && !r.Run.Interrupted && r.Run.Stopped == nil {
		faults = append(faults, "the record is of a run that did not finish, but the report says that it did")
	}
	return faults, nil
}
