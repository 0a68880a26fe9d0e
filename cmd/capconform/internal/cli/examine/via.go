package examine

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/suites/driver"
)

// gatewayName becomes part of the names of files.
var gatewayName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// gateways reads --via.
func (f *RunFlags) gateways() ([]gateway, error) {
	var all []gateway
	for _, text := range f.via {
		name, url, ok := strings.Cut(text, "=")
		if !ok || !gatewayName.MatchString(name) || !strings.Contains(url, "://") {
			return nil, process.Misuse("--via: want NAME=URL, such as edge=http://127.0.0.1:9000, got %q", driver.MaskAddresses(text))
		}
		if slices.ContainsFunc(all, func(g gateway) bool { return g.name == name }) {
			return nil, process.Misuse("--via: the name %s is given twice", name)
		}
		all = append(all, gateway{name, url})
	}
	switch {
	case len(all) == 0 && f.changes != "":
		return nil, process.Misuse("--changes: there is no --via")
	case len(all) > 0 && f.watch:
		return nil, process.Misuse("--via and --watch exclude each other")
	case f.changes == "-":
		return nil, process.Misuse("--changes: want a file, because stdout is for results")
	}
	return all, nil
}

// through makes the run reach the subject by the gateway, if one is examined. It returns the words
// of the target as a report shows them.
func (f *RunFlags) through(r *reach, words []string) ([]string, error) {
	if len(f.via) > 0 && r.url == "" {
		return nil, process.Misuse("--via: a gateway stands before a URL: name the host by its URL, or by a target file with url")
	}
	if f.gateway == nil {
		return words, nil
	}
	if r.file.Driver == "" && f.driver == "auto" {
		r.driver = "" // the direct URL decided it
	}
	if err := r.address(f.gateway.url); err != nil || isTargetFile(words[0]) {
		return words, err
	}
	return []string{f.gateway.url}, nil
}

// single reduces the flags that a report shows to those of one of several runs. The gateway before
// the host of a target file cannot be named otherwise.
func (f *RunFlags) single(shown []shownFlag, words []string) []shownFlag {
	shown = slices.DeleteFunc(shown, func(s shownFlag) bool { return s.name == "via" || s.name == "changes" })
	if f.gateway != nil && isTargetFile(words[0]) {
		shown = append(shown, shownFlag{name: "via", value: f.gateway.name + "=" + driver.MaskAddresses(f.gateway.url)})
	}
	return shown
}

// behind returns the flags of the run through a gateway. Its reports are written next to those of
// the direct run.
func (f *RunFlags) behind(g gateway, direct *reports.Report) (*RunFlags, error) {
	part := *f
	part.gateway, part.baseline, part.quiet, part.reports = &g, baselineFlags{}, true, nil
	part.name, part.version = direct.Subject.Name, direct.Subject.Version
	for _, text := range f.reports {
		format, path, err := process.FormatOf("report", text)
		if err != nil {
			return nil, err
		}
		part.reports = append(part.reports, format.Name+"="+beside(path, g.name))
	}
	if f.record != "" {
		part.record = beside(f.record, g.name)
	}
	return &part, nil
}

// beside inserts the name of a gateway before the extension of a path: report.edge.json.
func beside(path, name string) string {
	folder, base := filepath.Split(path)
	stem, extension, dotted := strings.Cut(base, ".")
	if !dotted {
		return folder + base + "." + name
	}
	return folder + stem + "." + name + "." + extension
}

// examineWays examines the subject directly and through each gateway, and reports what each gateway
// changes.
func examineWays(a *process.App, c *cobra.Command, f *RunFlags, args []string, gateways []gateway) error {
	for _, text := range f.reports {
		if _, path, err := process.FormatOf("report", text); err != nil || path == "-" {
			return errors.Join(err, process.Misuse("--report: with --via there are several reports; give each a path"))
		}
	}
	kept := &process.PlacedFile{Path: f.changes, Reads: append(slices.Clone(args), f.baseline.file)}
	if f.changes != "" {
		if err := kept.Open(); err != nil {
			return process.Misuse("--changes: %v", err)
		}
		defer kept.Discard()
		a.BeforeEnd(kept.Discard)
	}
	e, err := f.approach(c, args)
	if err != nil {
		return err
	}
	defer e.Close()
	exit, err := verdictOf(examine(a, c.Context(), f, e))
	if err != nil {
		return err
	}
	exits := []reports.Exit{exit}
	var all []reports.Gateway
	for _, g := range gateways {
		one, err := examineThrough(a, c, f, args, g, e.report)
		if err != nil {
			return fmt.Errorf("gateway %s: %w", g.name, err)
		}
		all, exits = append(all, one), append(exits, one.Exit())
	}
	if f.changes != "" {
		if err := kept.Place(reports.WriteGateways(kept.File, e.report, all)); err != nil {
			return err
		}
	}
	return process.Ended(reports.WorstExit(exits...))
}

// examineThrough examines the subject through a gateway, and prints what that changes.
func examineThrough(a *process.App, c *cobra.Command, f *RunFlags, args []string, g gateway,
	direct *reports.Report) (reports.Gateway, error) {
	part, err := f.behind(g, direct)
	if err != nil {
		return reports.Gateway{}, err
	}
	e, err := part.Prepare(c, args)
	if err != nil {
		return reports.Gateway{}, err
	}
	defer e.Close()
	if _, err := verdictOf(examine(a, c.Context(), part, e)); err != nil {
		return reports.Gateway{}, err
	}
	one := reports.NewGateway(g.name, direct, e.report)
	if f.quiet {
		return one, nil
	}
	options := console.Options{Color: f.coloured(a.Out, os.Getenv), Width: process.TerminalColumns(a.Out)}
	return one, console.WriteGateway(a.Out, one, options)
}

// verdictOf separates the exit status of a complete run from an error.
func verdictOf(err error) (reports.Exit, error) {
	var exit process.Outcome
	switch {
	case err == nil:
		return reports.ExitConformant, nil
	case errors.As(err, &exit):
		return reports.Exit(exit), nil
	default:
		return 0, err
	}
}
