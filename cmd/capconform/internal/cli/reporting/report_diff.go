package reporting

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/console"
	"github.com/capconform/capconform/reports/format"
)

const aboutDiff = `Show what changed from one report to another: regressions, what is no longer judged,
what is gone, what fails differently, what is fixed, what is new.

Exit status, decided by MUSTs (and by SHOULDs if the new run was strict):
  0  nothing is worse
  1  something fails that did not
  2  wrong usage
  6  something is no longer judged, or gone`

func diffCommand(a *process.App) *cobra.Command {
	var form, output string
	c := &cobra.Command{
		Use:     "diff [--format text|markdown] [--output PATH] OLD NEW",
		Short:   "Show what changed from one report to another",
		Long:    aboutDiff,
		Example: "  capconform report diff main.json branch.json",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 2 {
				return process.Misuse("report diff: want two reports (JSON), the old one first")
			}
			both, err := readReports(a, args)
			if err != nil {
				return err
			}
			d := reports.Compare(both[0], both[1])
			err = writeAs(a, form, &process.PlacedFile{Path: output, Reads: args}, map[string]func(io.Writer) error{
				"text":     func(w io.Writer) error { return console.WriteDifference(w, d) },
				"markdown": func(w io.Writer) error { return format.WriteDifference(w, d) },
			})
			if err != nil {
				return err
			}
			return process.ExitError(d.Exit())
		},
	}
	c.Flags().StringVar(&form, "format", "text", "write it as `FORMAT`: text or markdown")
	c.Flags().StringVarP(&output, "output", "o", "-", "write to `PATH`; - is stdout")
	return c
}

func matrixCommand(a *process.App) *cobra.Command {
	var form, output, folder string
	var texts []string
	c := &cobra.Command{
		Use:   "matrix [--format markdown|html] [--output PATH] [--site DIR] REPORT...",
		Short: "Put the reports of several hosts side by side",
		Long:  aboutMatrix,
		Example: `  capconform report matrix --format html --output matrix.html go.json python.json
  capconform report matrix --site site reports/*.json`,
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("site") {
				return writeSite(a, c, folder, args, texts)
			}
			if len(args) < 2 {
				return process.Misuse("report matrix: want two or more reports (JSON)")
			}
			all, err := readReports(a, args)
			if err != nil {
				return err
			}
			m := format.NewMatrix(all)
			return writeAs(a, form, &process.PlacedFile{Path: output, Reads: args},
				map[string]func(io.Writer) error{"markdown": m.WriteMarkdown, "html": m.WriteHTML})
		},
	}
	c.Flags().StringVar(&folder, "site", "",
		"write a static site to the folder `DIR`; any number of reports, several of one host too")
	c.Flags().StringSliceVar(&texts, "suite", nil,
		"with --site: the folder `DIR` of a text of one's own that reports are about (repeatable)")
	c.Flags().StringVar(&form, "format", "markdown", "write it as `FORMAT`: markdown or html")
	c.Flags().StringVarP(&output, "output", "o", "-", "write to `PATH`; - is stdout")
	return c
}

// writeAs writes something in one of its forms to a file, or to stdout.
func writeAs(a *process.App, format string, to *process.PlacedFile, forms map[string]func(io.Writer) error) error {
	write, known := forms[format]
	if !known {
		var names []string
		for name := range forms {
			names = append(names, name)
		}
		return process.Misuse("--format: unknown format %q%s", format, nearest.Hint(format, names))
	}
	if to.Path == "-" {
		return write(a.Out)
	}
	if err := to.Open(); err != nil {
		return process.Misuse("--output: %v", err)
	}
	a.BeforeEnd(to.Discard)
	return to.Place(write(to.File))
}
