// Package cli is the command line of capconform: flags in, exit status out, a
// file a command. It holds the only list of suites and of drivers.
package cli

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/reports"
)

// app is what the commands share: the three streams.
type app struct {
	in       io.Reader
	out, err io.Writer
}

const about = `Examine a capability host and say what its protocol demands that it does not do.

    capconform run reference                   examine the host that is built in
    capconform run http://127.0.0.1:8899       examine a host over HTTP
    capconform run -- npx -y some-mcp-server   start a server and examine it over stdio
    capconform run target.yaml                 examine what a target file describes

Exit status: 0 conformant, 1 nonconformant, 2 wrong usage or configuration,
3 target unreachable or died, 4 baseline stale, 5 harness error, 6 incomplete.`

// Main runs the command line and gives its exit status.
func Main(args []string, in io.Reader, out, err io.Writer) int {
	a := &app{in: in, out: out, err: err}
	return int(a.status(a.execute(context.Background(), args)))
}

func (a *app) execute(ctx context.Context, args []string) error {
	root := a.root()
	root.SetArgs(args)
	return root.ExecuteContext(ctx)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "capconform",
		Short:         "Examine capability hosts",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	root.SetFlagErrorFunc(wrongFlag)
	root.AddCommand(a.runCommand(), a.listCommand(), a.versionCommand())
	return root
}

// status prints an error as one line and gives the exit status that it means.
func (a *app) status(err error) reports.Exit {
	return exitOf(err, a.err)
}
