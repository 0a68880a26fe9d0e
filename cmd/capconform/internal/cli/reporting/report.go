package reporting

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/format"
)

func ReportCommand(a *process.App) *cobra.Command {
	c := &cobra.Command{Use: "report", Short: "Convert, compare, merge, sign and verify reports", Args: process.NoCommand, RunE: process.HelpOnly}
	c.AddCommand(convertCommand(a), signCommand(a), verifyCommand(a), diffCommand(a), mergeCommand(a),
		matrixCommand(a))
	return c
}

func convertCommand(a *process.App) *cobra.Command {
	var name, path string
	c := &cobra.Command{
		Use:     "convert --format FORMAT [--output PATH] REPORT",
		Short:   "Write a JSON report in another format",
		Example: "  capconform report convert --format junit --output report.xml report.json",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 || name == "" {
				return process.Misuse("report convert: want --format FORMAT and one report (JSON; - is stdin)")
			}
			document, err := process.ReadDocument(a, args[0])
			if err != nil {
				return err
			}
			report, err := process.ParseReport(args[0], document)
			if err != nil {
				return err
			}
			// A format that makes a statement about the whole subject is refused as a signature
			// is.
			if f, known := format.Find(name); known && f.Whole {
				if err := checkConsistent(c.Context(), document); err != nil {
					return process.Misuse("%s cannot be written as %s: %v", args[0], name, err)
				}
			}
			given := name + "=" + path
			if _, _, err := process.FormatOf("format", given); err != nil {
				return err
			}
			out, err := process.OpenOutputs("output", []string{given}, args...)
			if err != nil {
				return err
			}
			defer out.Discard()
			a.BeforeEnd(out.Discard)
			texts, err := ownTexts(c.CommandPath(), nil, report)
			if err != nil {
				return err
			}
			out.SetOptions(format.OptionsOf(report, texts))
			err = out.Write(report, a.Out)
			for _, refusal := range []error{reports.ErrPartial, reports.ErrFeatures} {
				if errors.Is(err, refusal) {
					return process.Misuse("%s cannot be written as %s: %v", args[0], name, refusal)
				}
			}
			return err
		},
	}
	c.Flags().StringVar(&name, "format", "", "the `FORMAT` to write (capconform list formats)")
	c.Flags().StringVarP(&path, "output", "o", "-", "write to `PATH`; - is stdout")
	return c
}
