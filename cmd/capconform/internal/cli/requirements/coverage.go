package requirements

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/proof"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/survey"
	"github.com/capconform/capconform/reports"
)

const aboutCoverage = `Show for each requirement the scenarios that examine it and the hosts and documents
that break it, and the open gates: a requirement without scenario or mutant,
a permission that no variant uses, a sentence without step, and similar gaps.
What breaks a requirement of a text of one's own are the rows of its defects.yaml.

A requirement that is new since the last make golden is also judged on every lawful
host and document. Each one that breaks it is an open gate, with the resolution that
permits it.

Exit status 0 if no gate is open, 1 if one is.`

func CoverageCommand(a *process.App) *cobra.Command {
	var names []string
	var edition string
	var asJSON, asMarkdown bool
	c := &cobra.Command{
		Use: "coverage [flags]", Short: "Show what examines and what breaks each requirement", Long: aboutCoverage,
		Args: process.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error {
			names, err := scope.InEdition(names, edition)
			if err != nil {
				return err
			}
			all, err := scope.LoadSuites(scope.Newest(names))
			if err != nil {
				return err
			}
			population, err := plan.Everything()
			if err != nil {
				return err
			}
			found := survey.Of(population, all)
			options := proof.Options{
				Options: plan.Options{Suites: all, Population: population}, Workers: trialsAtOnce(),
			}
			if err := proof.JudgeNew(c.Context(), found, options); c.Context().Err() != nil {
				return process.ErrInterrupted
			} else if err != nil {
				return err
			}
			write := found.Write
			switch {
			case asJSON && asMarkdown:
				return process.Misuse("coverage: --json and --markdown exclude each other")
			case asJSON:
				write = func(w io.Writer) error { return process.WriteJSON(w, found) }
			case asMarkdown:
				write = found.Markdown
			}
			if err := write(a.Out); err != nil {
				return err
			}
			if !found.OK() {
				return process.ExitError(reports.ExitNonconformant)
			}
			return nil
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&names, "suite", nil, "show only `SUITE` (repeatable)")
	scope.RegisterEdition(flags, &edition, "the newest")
	flags.BoolVar(&asJSON, "json", false, "print JSON")
	flags.BoolVar(&asMarkdown, "markdown", false, "print the table of the README, one line per suite")
	return c
}
