package cli

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/spec"
	"github.com/capconform/capconform/suites"
)

// output is one report to be written.
type output struct {
	format reports.Format
	path   string // "-" is stdout
	file   *os.File
	once   sync.Once

	catalogues map[string]*spec.Catalogue // may be nil
}

// outputs are all that --report asks for.
type outputs []*output

// know gives what is loaded already, so that no format loads it again.
func (all outputs) know(examined []*suites.Suite) {
	catalogues := map[string]*spec.Catalogue{}
	for _, s := range examined {
		catalogues[s.Name] = s.Catalogue
	}
	for _, o := range all {
		o.catalogues = catalogues
	}
}

// openOutputs reads FORMAT[=PATH] and shows that each path can be written, before
// anything is examined. A regular file is written beside its path and takes its
// place at the end, so that nobody reads half a report.
func openOutputs(flag string, given []string) (all outputs, err error) {
	defer func() {
		if err != nil {
			all.discard()
		}
	}()
	for _, text := range given {
		name, path, named := strings.Cut(text, "=")
		if !named {
			path = "-"
		}
		format, ok := reports.Find(name)
		if !ok {
			return all, misuse("--%s: unknown format %q%s (capconform list formats shows all)", flag, name, nearest.Hint(name, formatNames()))
		}
		o := &output{format: format, path: path}
		if slices.ContainsFunc(all, func(other *output) bool { return filepath.Clean(other.path) == filepath.Clean(path) }) {
			return all, misuse("--%s: %s is given twice", flag, path)
		}
		if err := o.open(); err != nil {
			return all, misuse("--%s: %v", flag, err)
		}
		all = append(all, o)
	}
	return all, nil
}

func formatNames() []string {
	var names []string
	for _, f := range reports.Formats() {
		names = append(names, f.Name)
	}
	return names
}

func (o *output) open() error {
	if o.path == "-" {
		return nil
	}
	info, err := os.Stat(o.path)
	switch {
	case o.path == "":
		return errors.New("the path after = is empty")
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a folder", o.path)
	case err == nil && !info.Mode().IsRegular(): // a pipe or a device keeps its place
		o.file, err = os.OpenFile(o.path, os.O_WRONLY, 0)
		return err
	}
	temporary := fmt.Sprintf("%s.%d.tmp", filepath.Base(o.path), os.Getpid())
	o.file, err = os.OpenFile(filepath.Join(filepath.Dir(o.path), "."+temporary), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	var in *os.PathError
	if errors.As(err, &in) {
		return fmt.Errorf("%s can't be written: %w", o.path, in.Err)
	}
	return err
}

// temporary says whether what is written has yet to take its place.
func (o *output) temporary() bool { return o.file != nil && o.file.Name() != o.path }

// toStdout says whether a report goes to stdout, so that nothing else may.
func (all outputs) toStdout() bool {
	return slices.ContainsFunc(all, func(o *output) bool { return o.path == "-" })
}

// speaking refuses formats that speak for the whole subject where a part of it is
// examined.
func (all outputs) speaking(partial bool) error {
	for _, o := range all {
		if partial && o.format.Whole {
			return misuse("--report: %s speaks for the whole subject, and this run examines a part", o.format.Name)
		}
	}
	return nil
}

// deliver writes every report. A format that speaks for the whole subject is left
// out, and said so, where --fail-fast made a part of it.
func (a *app) deliver(all outputs, r *reports.Report) error {
	if r.Run.Partial {
		all = slices.DeleteFunc(slices.Clone(all), func(o *output) bool {
			if o.format.Whole {
				_, _ = fmt.Fprintf(a.err, "capconform: --report %s=%s was not written: %v\n", o.format.Name, o.path, reports.ErrPartial)
			}
			return o.format.Whole
		})
	}
	return all.write(r, a.out)
}

// write writes every report, also where one of them fails.
func (all outputs) write(r *reports.Report, stdout io.Writer) error {
	var errs []error
	for _, o := range all {
		if err := o.write(r, stdout); err != nil {
			errs = append(errs, fmt.Errorf("--report %s=%s: %w", o.format.Name, o.path, err))
		}
	}
	return errors.Join(errs...)
}

func (o *output) write(r *reports.Report, stdout io.Writer) error {
	options := reports.Options{Strict: r.Run.Strict, Catalogues: o.catalogues}
	if o.file == nil {
		return o.format.Write(stdout, r, options)
	}
	err := o.format.Write(o.file, r, options)
	var placed error
	o.once.Do(func() {
		placed = o.file.Close()
		if err == nil && placed == nil && o.temporary() {
			placed = os.Rename(o.file.Name(), o.path)
		}
		if (err != nil || placed != nil) && o.temporary() {
			_ = os.Remove(o.file.Name())
		}
	})
	return errors.Join(err, placed)
}

// discard removes what was not written.
func (all outputs) discard() {
	for _, o := range all {
		if o.file == nil {
			continue
		}
		o.once.Do(func() {
			_ = o.file.Close()
			if o.temporary() {
				_ = os.Remove(o.file.Name())
			}
		})
	}
}
