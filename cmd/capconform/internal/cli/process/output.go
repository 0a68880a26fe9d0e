package process

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/features"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// output is one report to be written.
type output struct {
	PlacedFile
	format  format.Format
	options format.Options
	written bool // it is complete, in a file
}

// Outputs are the reports that --report requests.
type Outputs []*output

// SetCatalogues passes on the catalogues that are already loaded, so that no format loads them again, and the features
// of texts of one's own.
func (all Outputs) SetCatalogues(examined []*suites.Suite) {
	catalogues, own := map[string]*spec.Catalogue{}, map[string][]features.File{}
	for _, s := range examined {
		catalogues[s.Name] = s.Catalogue
		if s.Source != nil {
			own[s.Name] = s.Source.Features
		}
	}
	for _, o := range all {
		o.options.Catalogues, o.options.Features = catalogues, own
	}
}

// SetOptions passes on options.
func (all Outputs) SetOptions(options format.Options) {
	for _, o := range all {
		o.options = options
	}
}

// SetProof passes on what capconform prove found.
func (all Outputs) SetProof(p *format.Proof) {
	for _, o := range all {
		o.options.Proof = p
	}
}

// OpenReports opens the outputs of a run of these suites. It refuses a format that makes a
// statement about the whole subject if the run examines a part, and a path that the command reads.
func OpenReports(a *App, given []string, examined []*suites.Suite, partial bool, reads []string) (Outputs, error) {
	all, err := OpenOutputs("report", given, reads...)
	if err != nil {
		return nil, err
	}
	if err := all.checkPartial(partial); err != nil {
		all.Discard()
		return nil, err
	}
	a.BeforeEnd(all.Discard)
	all.SetCatalogues(examined)
	return all, nil
}

// OpenOutputs reads FORMAT[=PATH] and checks that each path can be written, before anything is
// examined. A regular file is written to a temporary path and renamed at the end, so that nobody
// reads an incomplete report.
func OpenOutputs(flag string, given []string, reads ...string) (all Outputs, err error) {
	defer func() {
		if err != nil {
			all.Discard()
		}
	}()
	for _, text := range given {
		format, path, err := FormatOf(flag, text)
		if err != nil {
			return all, err
		}
		o := &output{PlacedFile: PlacedFile{Path: path, Reads: reads}, format: format}
		if path == "-" && all.ToStdout() {
			return all, Misuse("--%s: two reports for stdout; name a file for one of them", flag)
		}
		if all.Contain(path) {
			return all, Misuse("--%s: %s is given twice", flag, path)
		}
		if err := o.Open(); err != nil {
			return all, Misuse("--%s: %v", flag, err)
		}
		all = append(all, o)
	}
	return all, nil
}

// FormatOf reads FORMAT[=PATH], or a path whose name shows the format.
func FormatOf(flag, text string) (format.Format, string, error) {
	name, path, named := strings.Cut(text, "=")
	if format, ok := format.Find(name); ok {
		if !named {
			path = "-"
		}
		return format, path, nil
	}
	if format, ok := formatInName(text); ok && !named {
		return format, text, nil
	}
	hint := nearest.Hint(name, formatNames())
	if !named && strings.ContainsAny(text, "./") {
		hint = "; a file name shows the format by its name or an extension, such as junit.xml or report.html"
	}
	return format.Format{}, "", Misuse("--%s: unknown format %q%s (capconform list formats shows all)", flag, name, hint)
}

// formatInName returns the format that a file name shows: by a part that is the name of a format
// (junit.xml, acme.badge.json), otherwise by its extension (report.xml).
func formatInName(path string) (format.Format, bool) {
	base := strings.ToLower(filepath.Base(path))
	parts := strings.Split(base, ".")
	if len(parts) < 2 {
		return format.Format{}, false
	}
	all := format.Formats()
	if i := slices.IndexFunc(all, func(f format.Format) bool {
		return slices.Contains(parts[:len(parts)-1], f.Name) && filepath.Ext(base) == filepath.Ext(f.Extension)
	}); i >= 0 {
		return all[i], true
	}
	i := slices.IndexFunc(all, func(f format.Format) bool { return strings.HasSuffix(base, f.Extension) })
	if i < 0 {
		return format.Format{}, false
	}
	return all[i], true
}

// Contain reports whether one of the reports is written to a path.
func (all Outputs) Contain(path string) bool {
	return slices.ContainsFunc(all, func(o *output) bool { return filepath.Clean(o.Path) == filepath.Clean(path) })
}

func formatNames() []string {
	var names []string
	for _, f := range format.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// ToStdout reports whether a report is written to stdout, which then must contain nothing else.
func (all Outputs) ToStdout() bool {
	return slices.ContainsFunc(all, func(o *output) bool { return o.Path == "-" })
}

// checkPartial refuses formats that make a statement about the whole subject if only a part of it is
// examined.
func (all Outputs) checkPartial(partial bool) error {
	for _, o := range all {
		if partial && o.format.Whole {
			return Misuse("--report: %s makes a statement about the whole subject, but this run examines a part", o.format.Name)
		}
	}
	return nil
}

// Deliver writes every report. It omits a format that makes a statement about the whole subject,
// and says so, if --fail-fast ended the run.
func Deliver(a *App, all Outputs, r *reports.Report) error {
	if r.Run.Partial {
		all = slices.DeleteFunc(slices.Clone(all), func(o *output) bool {
			if o.format.Whole {
				_, _ = fmt.Fprintf(a.Err, "capconform: --report %s=%s was not written: %v\n", o.format.Name, o.Path,
					reports.ErrPartial)
			}
			return o.format.Whole
		})
	}
	return all.Write(r, a.Out)
}

// Write writes every report, even if one of them fails.
func (all Outputs) Write(r *reports.Report, stdout io.Writer) error {
	var errs []error
	for _, o := range all {
		if err := o.write(r, stdout); err != nil {
			errs = append(errs, fmt.Errorf("--report %s=%s: %w", o.format.Name, o.Path, err))
		}
	}
	return errors.Join(errs...)
}

func (o *output) write(r *reports.Report, stdout io.Writer) error {
	options := o.options
	options.Strict = r.Run.Strict
	if o.File == nil {
		return o.format.Write(stdout, r, options)
	}
	err := o.Place(o.format.Write(o.File, r, options))
	o.written = err == nil
	return err
}

// PrintWritten prints the files that were written, one per line.
func (all Outputs) PrintWritten(w io.Writer) {
	for _, o := range all {
		if o.written {
			_, _ = fmt.Fprintf(w, "capconform: wrote %s: %s\n", o.format.Name, OneLine(o.Path))
		}
	}
}

// Discard removes the temporary files.
func (all Outputs) Discard() {
	for _, o := range all {
		o.PlacedFile.Discard()
	}
}
