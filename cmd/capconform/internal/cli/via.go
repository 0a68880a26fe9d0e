package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/suites/driver"
)

// gatewayName becomes part of the names of files.
var gatewayName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$`)

// gateways reads --via.
func (f *runFlags) gateways() ([]gateway, error) {
	var all []gateway
	for _, text := range f.via {
		name, url, ok := strings.Cut(text, "=")
		if !ok || !gatewayName.MatchString(name) || !strings.Contains(url, "://") {
			return nil, misuse("--via: want NAME=URL, such as edge=http://127.0.0.1:9000, got %q", driver.MaskAddresses(text))
		}
		if slices.ContainsFunc(all, func(g gateway) bool { return g.name == name }) {
			return nil, misuse("--via: the name %s is given twice", name)
		}
		all = append(all, gateway{name, url})
	}
	switch {
	case len(all) == 0 && f.changes != "":
		return nil, misuse("--changes: there is no --via")
	case len(all) > 0 && f.watch:
		return nil, misuse("--via and --watch exclude each other")
	case f.changes == "-":
		return nil, misuse("--changes: want a file, because stdout is for results")
	}
	return all, nil
}

// through makes the run reach the subject by the gateway, if one is examined. It returns the words
// of the target as a report shows them.
func (f *runFlags) through(r *reach, words []string) ([]string, error) {
	if len(f.via) > 0 && r.url == "" {
		return nil, misuse("--via: a gateway stands before a URL: name the host by its URL, or by a target file with url")
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
func (f *runFlags) single(shown []shownFlag, words []string) []shownFlag {
	shown = slices.DeleteFunc(shown, func(s shownFlag) bool { return s.name == "via" || s.name == "changes" })
	if f.gateway != nil && isTargetFile(words[0]) {
		shown = append(shown, shownFlag{name: "via", value: f.gateway.name + "=" + driver.MaskAddresses(f.gateway.url)})
	}
	return shown
}

// behind returns the flags of the run through a gateway. Its reports are written next to those of
// the direct run.
func (f *runFlags) behind(g gateway, direct *reports.Report) (*runFlags, error) {
	part := *f
	part.gateway, part.baseline, part.quiet, part.reports = &g, baselineFlags{}, true, nil
	part.name, part.version = direct.Subject.Name, direct.Subject.Version
	for _, text := range f.reports {
		format, path, err := formatOf("report", text)
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
func examineWays(a *app, c *cobra.Command, f *runFlags, args []string, gateways []gateway) error {
	for _, text := range f.reports {
		if _, path, err := formatOf("report", text); err != nil || path == "-" {
			return errors.Join(err, misuse("--report: with --via there are several reports; give each a path"))
		}
	}
	kept := &placedFile{path: f.changes, reads: append(slices.Clone(args), f.baseline.file)}
	if f.changes != "" {
		if err := kept.open(); err != nil {
			return misuse("--changes: %v", err)
		}
		defer kept.discard()
		a.beforeEnd(kept.discard)
	}
	e, err := f.approach(c, args)
	if err != nil {
		return err
	}
	defer e.close()
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
		if err := kept.place(reports.WriteGateways(kept.file, e.report, all)); err != nil {
			return err
		}
	}
	return ended(reports.WorstExit(exits...))
}

// examineThrough examines the subject through a gateway, and prints what that changes.
func examineThrough(a *app, c *cobra.Command, f *runFlags, args []string, g gateway,
	direct *reports.Report) (reports.Gateway, error) {
	part, err := f.behind(g, direct)
	if err != nil {
		return reports.Gateway{}, err
	}
	e, err := part.prepare(c, args)
	if err != nil {
		return reports.Gateway{}, err
	}
	defer e.close()
	if _, err := verdictOf(examine(a, c.Context(), part, e)); err != nil {
		return reports.Gateway{}, err
	}
	one := reports.NewGateway(g.name, direct, e.report)
	if f.quiet {
		return one, nil
	}
	options := console.Options{Color: f.coloured(a.out, os.Getenv), Width: terminalColumns(a.out)}
	return one, console.WriteGateway(a.out, one, options)
}

// verdictOf separates the exit status of a complete run from an error.
func verdictOf(err error) (reports.Exit, error) {
	var exit outcome
	switch {
	case err == nil:
		return reports.ExitConformant, nil
	case errors.As(err, &exit):
		return reports.Exit(exit), nil
	default:
		return 0, err
	}
}
