package examine

import (
	"errors"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
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

// useGateway makes the run reach the subject by the gateway, if one is examined. It returns the words
// of the target as a report shows them.
func (f *RunFlags) useGateway(to *access.Target, words []string) ([]string, error) {
	if len(f.via) > 0 && to.URL == "" {
		return nil, process.Misuse("--via: a gateway stands before a URL: name the host by its URL, or by a target file with url")
	}
	if f.gateway == nil {
		return words, nil
	}
	if err := to.UseGateway(f.gateway.url); err != nil || access.IsTargetFile(words[0]) {
		return words, err
	}
	return []string{f.gateway.url}, nil
}

// singleRunFlags reduces the flags that a report shows to those of one of several runs. The gateway before
// the host of a target file, and an edition that the file names, cannot be named otherwise.
func (f *RunFlags) singleRunFlags(shown []shownFlag, words []string) []shownFlag {
	shown = slices.DeleteFunc(shown, func(s shownFlag) bool { return s.name == "via" || s.name == "changes" })
	if f.apart {
		shown = slices.DeleteFunc(shown, func(s shownFlag) bool { return s.name == "edition" })
		shown = append(shown, shownFlag{name: "edition", value: f.editions[0]})
	}
	if f.gateway != nil && access.IsTargetFile(words[0]) {
		shown = append(shown, shownFlag{name: "via", value: f.gateway.name + "=" + driver.MaskAddresses(f.gateway.url)})
	}
	return shown
}

// gatewayFlags returns the flags of the run through a gateway. Its reports are written next to those of
// the direct run.
func (f *RunFlags) gatewayFlags(g gateway, direct *reports.Report) (*RunFlags, error) {
	part := *f
	part.gateway, part.baseline, part.quiet = &g, baselineFlags{}, true
	part.name, part.version = direct.Subject.Name, direct.Subject.Version
	return &part, part.nameFiles(g.name)
}

// checkPaths refuses reports to stdout, which takes one.
func (f *RunFlags) checkPaths(flag string) error {
	for _, text := range f.reports {
		if _, path, err := process.FormatOf("report", text); err != nil || path == "-" {
			return errors.Join(err, process.Misuse("--report: with %s there are several reports; give each a path", flag))
		}
	}
	return nil
}

// nameFiles inserts a name into the paths of the reports and of the record.
func (f *RunFlags) nameFiles(name string) error {
	f.reports = slices.Clone(f.reports)
	for i, text := range f.reports {
		format, path, err := process.FormatOf("report", text)
		if err != nil {
			return err
		}
		f.reports[i] = format.Name + "=" + pathWithName(path, name)
	}
	if f.record != "" {
		f.record = pathWithName(f.record, name)
	}
	return nil
}

// pathWithName inserts a name before the extension of a path: report.edge.json.
func pathWithName(path, name string) string {
	folder, base := filepath.Split(path)
	stem, extension, dotted := strings.Cut(base, ".")
	if !dotted {
		return folder + base + "." + name
	}
	return folder + stem + "." + name + "." + extension
}
