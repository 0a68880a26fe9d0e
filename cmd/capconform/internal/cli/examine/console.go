package examine

import (
	"io"
	"os"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
)

// printReport prints a report for people: to stdout, or to stderr if a report is written to stdout. It also names the
// files that were written.
func printReport(a *process.App, r *reports.Report, f *RunFlags, out process.Outputs) error {
	if f.quiet {
		return nil
	}
	defer out.PrintWritten(a.Err)
	to := a.Out
	if out.ToStdout() {
		to = a.Err
	}
	options := console.Options{Verbose: f.verbose, Color: f.useColour(to, os.Getenv), Width: process.TerminalColumns(to)}
	return console.Write(to, r, options)
}

// Colours are the values of --color; the first one is the default.
var Colours = []string{"auto", "always", "never"}

// useColour reports whether to print in colours. The flags decide, then NO_COLOR, then FORCE_COLOR,
// then whether the terminal supports colours.
func (f *RunFlags) useColour(to io.Writer, variable func(string) string) bool {
	_, onTerminal := process.Terminal(to)
	force := variable("FORCE_COLOR")
	switch {
	case f.noColor || f.color == "never":
		return false
	case f.color == "always":
		return true
	case variable("NO_COLOR") != "":
		return false
	case force != "":
		return force != "0" && force != "false"
	default:
		return onTerminal && variable("TERM") != "dumb"
	}
}
