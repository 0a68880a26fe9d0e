// Package cli is the command line of capconform: it takes flags and returns an exit status, with
// one file per command. It contains the only lists of suites and of drivers.
package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/examine"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/reporting"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/requirements"
	"github.com/capconform/capconform/reports"
)

const about = `Examine a capability host and report which requirements of its protocol it breaks.

    capconform run reference                   examine the host that is built in
    capconform run http://127.0.0.1:8899       examine a host over HTTP
    capconform run -- npx -y some-mcp-server   start a server and examine it over stdio
    capconform run target.yaml                 examine what a target file describes

Exit status: 0 conformant, 1 nonconformant, 2 wrong usage or configuration,
3 target unreachable or died, 4 baseline stale, 5 harness error, 6 incomplete.`

// Main runs the command line and returns its exit status. The first SIGINT, SIGTERM or SIGHUP ends
// the command in order, with its report; the second ends it at once.
func Main(args []string, in io.Reader, out, err io.Writer) int {
	a := &process.App{In: in, Out: out, Err: err}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, endSignals()...)
	defer signal.Stop(signals)
	done := make(chan reports.Exit, 1)
	go func() { done <- command(ctx, a, args) }()
	for {
		select {
		case exit := <-done:
			return int(exit)
		case <-signals:
			if ctx.Err() != nil {
				return int(a.Abandon(done))
			}
			cancel()
		}
	}
}

// endSignals are the signals that end a run. A run under nohup ignores SIGHUP and continues.
func endSignals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// command runs one command. It is the only place that recovers from a panic.
func command(ctx context.Context, a *process.App, args []string) (exit reports.Exit) {
	defer func() {
		if p := recover(); p != nil {
			_, _ = fmt.Fprintf(a.Err, "capconform: internal error: %s; please report it with the command that led to it\n",
				process.OneLine(fmt.Sprint(p)))
			exit = reports.ExitHarness
		}
	}()
	root := root(a)
	root.SetArgs(args)
	return process.ExitOf(process.CommandError(a, root.ExecuteContext(ctx)), a.Err)
}

func root(a *process.App) *cobra.Command {
	root := &cobra.Command{
		Use:           "capconform",
		Short:         "Examine capability hosts",
		Long:          about,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          process.NoCommand,
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := examine.SetFromEnvironment(c, os.Getenv); err != nil {
				return err
			}
			return normalizeSpelling(c)
		},
	}
	asked := root.Flags().BoolP("version", "V", false, "print version, commit and Go version")
	root.RunE = func(c *cobra.Command, args []string) error {
		if *asked {
			return printVersion(a, false)
		}
		return process.HelpOnly(c, args)
	}
	root.SetIn(a.In)
	root.SetOut(a.Out)
	root.SetErr(a.Err)
	root.SetFlagErrorFunc(process.WrongFlag)
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages", ".FlagUsagesWrapped 100"))
	root.SetHelpCommand(helpCommand(a))
	root.AddCommand(
		examine.RunCommand(a),
		examine.LintCommand(a),
		examine.JudgeCommand(a),
		examine.ProveCommand(a),
		serveCommand(a),
		requirements.ListCommand(a),
		requirements.ExplainCommand(
			a,
		),
		requirements.SpecCommand(a),
		requirements.CoverageCommand(a),
		requirements.SelftestCommand(a),
		reporting.ReportCommand(a),
		examine.ReplayCommand(a),
		examine.InitCommand(a),
		manualCommand(a),
		versionCommand(a),
	)
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() == "completion" {
			c.Args, c.RunE = process.NoCommand, process.HelpOnly // otherwise an unknown shell would give exit status 0
			c.Short, c.Long = "Write the script that completes words in a shell", aboutCompletion
		}
	}
	addCompletions(root)
	return root
}

const aboutCompletion = `Write the script that completes commands, flags and names in a shell. To switch it on, add one
line to the file that the shell reads when it starts:

    source <(capconform completion bash)                              in ~/.bashrc, with bash-completion
    source <(capconform completion zsh)                               in ~/.zshrc, after compinit
    capconform completion fish | source                               in ~/.config/fish/config.fish
    capconform completion powershell | Out-String | Invoke-Expression in $PROFILE

It works in the next shell that is started. The archive of a release contains the scripts as files.`

// helpCommand is that of cobra, except that an unknown command is an error.
func helpCommand(a *process.App) *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about a command",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil {
				return err
			}
			if len(rest) > 0 {
				return process.NoCommand(about, rest)
			}
			return about.Help()
		},
	}
}
