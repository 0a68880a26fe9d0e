package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

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

// recordAtMost bounds a record, in bytes after decompression.
const recordAtMost = 1 << 30

func judgeCommand(a *app) *cobra.Command {
	f := &runFlags{}
	c := &cobra.Command{
		Use:   "judge [flags] RECORD",
		Short: "Judge a record again",
		Long:  aboutJudge,
		Example: `  capconform run --suite chp --record run.jsonl.gz reference
  capconform judge run.jsonl.gz
  capconform judge --strict --report html=report.html run.jsonl.gz`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := noEmptyFlag(c.Flags()); err != nil {
				return err
			}
			if len(args) != 1 {
				return misuse("judge: want one record, a .jsonl or .jsonl.gz that run --record wrote")
			}
			boundMemory()
			return judge(a, c, f, args[0])
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	f.selectionFlags.register(flags)
	flags.BoolVar(&f.allowIncomplete, "allow-incomplete", false,
		"exit 0 if inconclusive requirements are the only problem")
	flags.StringArrayVarP(&f.reports, "report", "o", nil, aboutReportFlag)
	f.registerOutput(flags)
	return c
}

func judge(a *app, c *cobra.Command, f *runFlags, path string) error {
	held, err := readRecord(path)
	if err != nil {
		return err
	}
	defer held.Close() // the spool is a temporary file
	names := f.suites
	if len(names) == 0 {
		names = held.Header.Asked
	}
	all, err := loadSuites(names)
	if err != nil {
		return err
	}
	e := &examination{suites: all, shown: invoked("judge", c.Flags(), nil, []string{path})}
	if e.options, err = f.judging(all, held); err != nil {
		return err
	}
	e.options.Repeat = e.repeat
	out, err := openReports(a, f.reports, all, e.options.Selection.Partial(), []string{path})
	if err != nil {
		return err
	}
	defer out.discard()
	report, err := suites.Judge(c.Context(), all, held, e.options)
	if err != nil {
		return err
	}
	e.complete(report)
	report.Run.RecordDigest = held.Digest
	if digest := held.Header.Harness.CatalogueDigest; digest != report.Harness.CatalogueDigest && len(f.suites) == 0 {
		report.Notes = append(report.Notes, "the record was made with another catalogue; this build uses its own")
	}
	if err := errors.Join(deliver(a, out, report), show(a, report, f, out.toStdout())); err != nil {
		return err
	}
	return ended(reports.ExitStatus(report, reports.Policy{Strict: e.options.Strict, AllowIncomplete: f.allowIncomplete}))
}

// judging returns the options: those of the flags, or the options of the run if no flag selects
// anything.
func (f *runFlags) judging(all []*suites.Suite, held *record.Record) (suites.Options, error) {
	selection, err := f.selection(all)
	opts := suites.Options{Selection: selection, Explicit: held.Header.Given.Explicit, Strict: f.strict, Concurrency: 1}
	if !selection.Partial() {
		opts.Selection = suites.RecordedSelection(held.Header)
		opts.Strict = opts.Strict || held.Header.Selection.Strict
	}
	return opts, err
}

// readRecord reads a record, compressed or not.
func readRecord(path string) (*record.Record, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, misuse("%v", err)
	}
	defer file.Close() // nothing was written
	buffered := bufio.NewReader(file)
	var in io.Reader = buffered
	if begin, _ := buffered.Peek(2); bytes.Equal(begin, []byte{0x1f, 0x8b}) {
		if in, err = gzip.NewReader(buffered); err != nil {
			return nil, misuse("%s: %v", path, err)
		}
	}
	bounded := &io.LimitedReader{R: in, N: recordAtMost + 1}
	held, err := record.Read(bounded)
	if bounded.N <= 0 {
		if err == nil {
			_ = held.Close()
		}
		return nil, misuse("%s: the record is longer than capconform's limit of %s", path, driver.Size(recordAtMost))
	}
	if err != nil {
		return nil, misuse("%s: %s", path, strings.TrimPrefix(err.Error(), "record: "))
	}
	return held, nil
}

// contradicts lists where a report differs from the judgement of its record.
func contradicts(c *cobra.Command, r *reports.Report, path string) ([]string, error) {
	held, err := readRecord(path)
	if err != nil {
		return []string{err.Error()}, nil
	}
	defer held.Close() // the spool is a temporary file
	switch {
	case r.Run.RecordDigest == "":
		return []string{"the report names no record: its run was made without --record"}, nil
	case r.Run.RecordDigest != held.Digest:
		return []string{fmt.Sprintf("the record has the digest %s, the report names %s", held.Digest, r.Run.RecordDigest)},
			nil
	}
	all, err := loadSuites(held.Header.Asked)
	if err != nil {
		return nil, err
	}
	again, err := suites.Judge(c.Context(), all, held, suites.Options{
		Selection: suites.RecordedSelection(held.Header), Strict: r.Run.Strict || held.Header.Selection.Strict,
		Explicit: held.Header.Given.Explicit, Concurrency: 1,
	})
	if err != nil {
		return nil, err
	}
	faults := verification.Differences(r, again)
	if held.Header.Unfinished != "" && !r.Run.Interrupted && r.Run.Stopped == nil {
		faults = append(faults, "the record is of a run that did not finish, but the report says that it did")
	}
	return faults, nil
}
