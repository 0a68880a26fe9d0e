package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver/inproc"
)

func (a *app) runCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "run [flags] TARGET | -- COMMAND ARGS...",
		Short: "Examine a live target",
		RunE: func(c *cobra.Command, args []string) error {
			all, err := loadSuites(nil)
			if err != nil {
				return err
			}
			host, err := reference.New(reference.Options{})
			if err != nil {
				return err
			}
			subject := &suites.Subject{Name: "reference", Driver: inproc.New("reference", host.Handle), Invoke: suites.InvokeAll}
			report, err := suites.Run(c.Context(), all, subject, suites.Options{})
			if err != nil {
				return err
			}
			for _, s := range report.Suites {
				fmt.Fprintf(a.out, "%s: %s\n", s.Suite, s.Verdict)
			}
			return ended(reports.ExitStatus(report, reports.Policy{}))
		},
	}
}
