package cli

import (
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) listCommand() *cobra.Command {
	c := &cobra.Command{Use: "list", Short: "List what there is", Args: noCommand, RunE: func(c *cobra.Command, _ []string) error { return c.Help() }}
	c.AddCommand(&cobra.Command{
		Use: "suites", Short: "The suites", Args: none,
		RunE: func(*cobra.Command, []string) error {
			for _, name := range suiteNames() {
				fmt.Fprintln(a.out, name)
			}
			return nil
		},
	})
	return c
}
