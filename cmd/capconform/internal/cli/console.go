package cli

import (
	"io"
	"os"
	"sync/atomic"

	"golang.org/x/term"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// terminal gives the descriptor of a stream that a person looks at.
func terminal(stream io.Writer) (descriptor int, ok bool) {
	file, isFile := stream.(*os.File)
	if !isFile || !term.IsTerminal(int(file.Fd())) {
		return 0, false
	}
	return int(file.Fd()), true
}

// terminalColumns is the width of a stream that a person looks at, else 0.
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

// bar shows how far a run is.
type bar struct {
	*reports.Progress
	done atomic.Int64
}

func (a *app) progress(quiet bool) *bar {
	_, seen := terminal(a.err)
	return &bar{Progress: reports.NewProgress(a.err, seen && !quiet)}
}

// event takes what the engine tells.
func (b *bar) event(e suites.Event) {
	if e.Case == nil {
		b.done.Store(0)
		b.Start(e.Total)
		return
	}
	b.Scenario(int(b.done.Add(1)))
}

// show prints a report for people, on stderr where stdout holds another.
func (a *app) show(r *reports.Report, f *runFlags, taken bool) error {
	if f.quiet {
		return nil
	}
	to := a.out
	if taken {
		to = a.err
	}
	options := reports.ConsoleOptions{Verbose: f.verbose}
	if _, ok := terminal(to); ok {
		options.Color = !f.noColor && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	}
	options.Width = terminalColumns(to)
	return reports.Console(to, r, options)
}
