package cli

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
)

// terminal returns the descriptor of a stream that is a terminal.
func terminal(stream io.Writer) (descriptor int, ok bool) {
	file, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// terminalColumns returns the width of a stream that is a terminal, otherwise 0.
func terminalColumns(stream io.Writer) int {
	descriptor, ok := terminal(stream)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(descriptor)
	if err != nil {
		return 0
	}
	return width
}

// show prints a report for people: to stdout, or to stderr if a report is written to stdout.
func (a *app) show(r *reports.Report, f *runFlags, taken bool) error {
	if f.quiet {
		return nil
	}
	to := a.out
	if taken {
		to = a.err
	}
	options := console.Options{Verbose: f.verbose, Color: f.coloured(to, os.Getenv), Width: terminalColumns(to)}
	return console.Write(to, r, options)
}

// colours are the values of --color; the first one is the default.
var colours = []string{"auto", "always", "never"}

// coloured reports whether to print in colours. The flags decide, then NO_COLOR, then FORCE_COLOR,
// then whether the terminal supports colours.
func (f *runFlags) coloured(to io.Writer, variable func(string) string) bool {
	_, onTerminal := terminal(to)
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
