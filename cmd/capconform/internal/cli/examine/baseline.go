package examine

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

func (f *baselineFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "baseline", "",
		"tolerate the known failures in `FILE`; exit status 4 if one is stale or expired")
	flags.StringVar(&f.write, "write-baseline", "", "write the failures of this run into a new `FILE` for --baseline")
	flags.BoolVar(&f.fix, "fix-baseline", false,
		"correct the file of --baseline after the run; the exit status does not change")
}

// prepare reads the file, and refuses invalid combinations of flags, before anything is examined.
func (f *baselineFlags) prepare(partial bool, examined []*suites.Suite) error {
	switch {
	case f.fix && f.file == "":
		return process.Misuse("--fix-baseline requires --baseline FILE")
	case f.write != "" && f.file != "":
		return process.Misuse("--write-baseline and --baseline exclude each other; --fix-baseline corrects the file of --baseline")
	case f.fix && partial:
		return process.Misuse("--fix-baseline: a partial run does not examine all requirements")
	case f.write != "" && partial:
		return process.Misuse("--write-baseline: a partial run does not examine all requirements")
	}
	if f.write != "" {
		if _, err := os.Stat(f.write); !errors.Is(err, fs.ErrNotExist) {
			return process.Misuse("--write-baseline: %s already exists; --baseline with --fix-baseline corrects it", f.write)
		}
		if info, err := os.Stat(filepath.Dir(f.write)); err != nil || !info.IsDir() {
			return process.Misuse("--write-baseline: %s cannot be written: the folder does not exist", f.write)
		}
	}
	if f.file == "" {
		return nil
	}
	text, err := process.ReadFile(f.file, process.SmallFile)
	if err != nil {
		return process.Misuse("--baseline: %v", err)
	}
	if f.known, err = reports.ReadBaseline(text); err != nil {
		return process.Misuse("--baseline: %s: %s", f.file, strings.TrimPrefix(err.Error(), "reports: baseline: "))
	}
	return f.knownRequirements(examined)
}

// knownRequirements refuses entries for requirements that no catalogue contains.
func (f *baselineFlags) knownRequirements(examined []*suites.Suite) error {
	var ids []string
	for _, s := range examined {
		for _, r := range s.Catalogue.Requirements {
			ids = append(ids, r.ID)
		}
	}
	for _, name := range spec.Names() {
		catalogue, err := spec.Load(name)
		if err != nil {
			return err
		}
		for _, r := range catalogue.Requirements {
			ids = append(ids, r.ID)
		}
	}
	have := map[string]bool{}
	for _, id := range ids {
		have[id] = true
	}
	for _, list := range [][]reports.KnownFailure{f.known.Failures, f.known.Flaky} {
		for _, k := range list {
			if !have[k.Requirement] {
				return process.Misuse("--baseline: %s: there is no requirement %q%s", f.file, k.Requirement,
					nearest.Hint(k.Requirement, ids))
			}
		}
	}
	return nil
}

// judge compares the report with the file, notes in the report what is tolerated, and prints the
// differences. The exit status then depends on them.
func (f *baselineFlags) judge(a *process.App, r *reports.Report, fits bool) (exit func(reports.Policy) reports.Exit) {
	exit = func(p reports.Policy) reports.Exit { return reports.ExitStatus(r, p) }
	if f.known == nil || !fits {
		return exit
	}
	j := f.known.Judge(r)
	f.known.Apply(r, j)
	for _, found := range j.Findings {
		_, _ = fmt.Fprintf(a.Err, "capconform: baseline: %s: %s: %s\n", found.Requirement, found.Kind,
			process.OneLine(found.Text))
	}
	return func(p reports.Policy) reports.Exit { return j.Exit(r, p) }
}

// finish writes the files that --write-baseline and --fix-baseline require.
func (f *baselineFlags) finish(a *process.App, r *reports.Report) error {
	path, text, err := f.write, []byte(nil), error(nil)
	switch {
	case f.write != "":
		text, err = reports.NewBaseline(r)
	case f.fix:
		path = f.file
		text, err = f.known.Fix(r)
	default:
		return nil
	}
	if errors.Is(err, reports.ErrPartial) {
		_, _ = fmt.Fprintf(a.Err, "capconform: baseline: %s was not written: the run did not finish\n", path)
		return nil
	}
	if errors.Is(err, reports.ErrBaselineText) {
		return process.Misuse("%s was not written: %s", path, strings.TrimPrefix(err.Error(), "reports: "))
	}
	if err != nil {
		return err
	}
	if err := process.WriteFiles([]process.TextFile{{Path: path, Text: text}}); err != nil {
		return process.Misuse("baseline: %v", err)
	}
	if known, err := reports.ReadBaseline(text); err == nil && len(known.Failures)+len(known.Flaky) == 0 {
		_, _ = fmt.Fprintf(a.Err, "capconform: baseline: %s was written; it lists no failure\n", path)
		return nil
	}
	_, _ = fmt.Fprintf(a.Err,
		"capconform: baseline: %s was written; add to each failure the reason why it is tolerated\n", path)
	return nil
}
