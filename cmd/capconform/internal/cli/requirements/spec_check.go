package requirements

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/text"
)

func checkCommand(a *process.App) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "List what is wrong in the folder of a text of one's own; exit 1 if anything is",
		Long: `List what is wrong in any part of the folder of a text of one's own, each with file, line and
column, and what is still to do. No target is called.`,
		Example: "  capconform spec check ./clock",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return process.Misuse("spec check: want one folder")
			}
			t, err := text.Load(args[0], scope.NamesWithoutEditions())
			if err != nil {
				for line := range strings.Lines(err.Error()) {
					_, _ = fmt.Fprintln(a.Out, process.OneLine(strings.TrimRight(line, "\n")))
				}
				return process.Outcome(reports.ExitNonconformant)
			}
			for _, todo := range t.Todo() {
				_, _ = fmt.Fprintln(a.Out, process.OneLine("to do: "+todo))
			}
			_, err = fmt.Fprintln(a.Out, process.OneLine(t.Summary()))
			return err
		},
	}
}
