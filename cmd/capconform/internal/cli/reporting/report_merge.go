package reporting

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/verification"
)

const aboutMerge = `Make one report of the parts of one run:

    capconform run --shard 1/3 --report json=part-1.json TARGET     in one job of a CI
    capconform run --shard 2/3 --report json=part-2.json TARGET     in another, ...
    capconform report merge --output report.json part-*.json

The parts must agree in the subject, its version, its target, the target file, the actors,
the options, the seed and the catalogue. If each job starts a host at its own
address, give each part the same name by run --name NAME. Parts that overlap, are missing, or
are not of one run are an error (exit status 2). Otherwise the exit status is that of the
whole run. The merged report lists its parts with their digests.`

func mergeCommand(a *process.App) *cobra.Command {
	var output string
	var texts []string
	var strict, allow bool
	c := &cobra.Command{
		Use:     "merge [--output PATH] REPORT...",
		Short:   "Make one report of the parts of a run",
		Long:    aboutMerge,
		Example: "  capconform report merge --output report.json part-*.json",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return process.Misuse("report merge: want the reports of the parts (JSON)")
			}
			parts, err := readReports(a, args)
			if err != nil {
				return err
			}
			var by verification.Proof
			by.Build.Version, by.Build.Commit = process.Build()
			if by.Texts, err = ownTexts(c.CommandPath(), texts, parts...); err != nil {
				return err
			}
			merged, err := verification.Merge(parts, by, args...)
			if err != nil {
				return process.Misuse("%s", strings.TrimPrefix(err.Error(), "reports: "))
			}
			out, err := process.OpenOutputs("output", []string{"json=" + output}, args...)
			if err != nil {
				return err
			}
			defer out.Discard()
			a.BeforeEnd(out.Discard)
			if err := out.Write(merged, a.Out); err != nil {
				return err
			}
			return process.ExitError(reports.ExitStatus(merged, reports.Policy{Strict: strict, AllowIncomplete: allow}))
		},
	}
	c.Flags().StringVarP(&output, "output", "o", "-", "write to `PATH`; - is stdout")
	c.Flags().StringSliceVar(&texts, "suite", nil,
		"the folder `DIR` of a text of one's own that the parts are about (repeatable)")
	c.Flags().BoolVar(&strict, "strict", false, "count a failed SHOULD as failed")
	c.Flags().BoolVar(&allow, "allow-incomplete", false,
		"exit 0 if the only problem is what is inconclusive, or what an adapter meets")
	return c
}

// readReports reads several report documents.
func readReports(a *process.App, paths []string) ([]*reports.Report, error) {
	var all []*reports.Report
	for _, path := range paths {
		r, err := process.ReadReport(a, path)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
