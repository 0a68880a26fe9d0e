package examine

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
)

const aboutRun = `Examine a live target and report which requirements it breaks.

TARGET is one of
  reference                     the host that is built in
  http://... or https://...     a host over HTTP
  mcp+http(s)://...             an MCP server over streamable HTTP
  target.yaml                   a target file; without TARGET, capconform.yaml in this folder
  -- COMMAND ARGS...            a command that is started and examined over stdio

With --via, the same host is examined a second time through a gateway, and run prints,
requirement by requirement, what the gateway changes. Reports and the record of that
run are written next to those of the direct run: report.NAME.json next to report.json.
The exit status is also 1 if the gateway breaks a MUST that the direct run keeps.

The result goes to stdout, progress to stderr. Exit status: 0 conformant,
1 nonconformant, 2 wrong usage, 3 unreachable or died, 4 baseline stale,
5 harness error, 6 incomplete.`

func RunCommand(a *process.App) *cobra.Command {
	f := &RunFlags{}
	c := &cobra.Command{
		Use:   "run [flags] TARGET | -- COMMAND ARGS...",
		Short: "Examine a live target",
		Long:  aboutRun,
		Example: `  capconform run reference
  capconform run --suite cap --report junit=report.xml http://127.0.0.1:8899
  capconform run --header 'X-Key: ${KEY}' https://host.example/api
  capconform run -- npx -y @modelcontextprotocol/server-everything
  capconform run --via edge=http://127.0.0.1:9000 http://127.0.0.1:8899`,
		RunE: func(c *cobra.Command, args []string) error {
			if err := scope.NoEmptyFlag(c.Flags()); err != nil {
				return err
			}
			defer process.BoundRun()()
			args = access.WithDefaultFile(args)
			gateways, err := f.gateways()
			if err != nil {
				return err
			}
			editions, err := f.severalEditions(c, args)
			if err != nil {
				return err
			}
			switch {
			case f.watch:
				return watch(a, c, f, args)
			case len(gateways) > 0:
				return examineWithGateways(a, c, f, args, gateways)
			case len(editions) > 0:
				return examineEditions(a, c, f, args, editions)
			}
			_, err = examineTarget(a, c, f, args)
			return err
		},
	}
	f.Register(c)
	return c
}

func (f *RunFlags) Register(c *cobra.Command) {
	flags := c.Flags()
	flags.SortFlags = false
	f.SelectionFlags.Register(flags)
	scope.RegisterEditions(flags, &f.editions)
	flags.StringVar(&f.tags, "tags", "",
		"examine only scenarios that the tag `EXPRESSION` selects, such as '@CAP-INV-03 or @role:echo'")
	flags.StringVar(&f.shard, "shard", "", "examine one part of the requirements: `I/N` is the Ith of N")
	registerSubject(flags, &f.name, &f.version, "report")
	f.Flags.Register(flags, "contain ${VARIABLE} or be @FILE")
	flags.StringArrayVar(&f.invoke, "invoke", nil,
		"invoke none, safe or all capabilities, or what safe admits and these: `NAME,...` (repeatable; default safe)")
	f.RegisterWait(flags)
	flags.DurationVar(&f.timeout, "timeout", 0, "end the run after `TIME`")
	f.RegisterCallTimeout(flags)
	flags.IntVar(&f.concurrency, "concurrency", 0, "run `N` scenarios at once (default: several in process, otherwise 1)")
	flags.Int64Var(&f.seed, "seed", 1, "generate inputs from this `NUMBER`")
	flags.BoolVar(&f.failFast, "fail-fast", false, "end the run at the first MUST that is broken")
	flags.BoolVar(&f.watch, "watch", false,
		"run again when the target file or the program changes, failed requirements first")
	flags.BoolVar(&f.allowIncomplete, "allow-incomplete", false,
		"exit 0 if the only problem is what is inconclusive, or what an adapter meets")
	f.baseline.register(flags)
	flags.StringArrayVarP(&f.reports, "report", "o", nil, aboutReportFlag)
	flags.StringVar(&f.record, "record", "",
		"write everything that the run did and observed to `FILE`, a .jsonl or .jsonl.gz")
	flags.StringArrayVar(&f.via, "via", nil,
		"also examine the host through a gateway, and show what it changes: `NAME=URL` (repeatable)")
	flags.StringVar(&f.changes, "changes", "", "write what the gateways of --via change to `FILE`, as JSON")
	f.registerOutput(flags)
}

// registerSubject registers the flags that name the subject in a report or a target file.
func registerSubject(flags *pflag.FlagSet, name, version *string, where string) {
	flags.StringVar(name, "name", "", "call the subject `NAME` in the "+where)
	flags.StringVar(version, "subject-version", "", "call the version of the subject `VERSION` in the "+where)
}

// registerOutput registers the flags that run and judge share.
func (f *RunFlags) registerOutput(flags *pflag.FlagSet) {
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "show every requirement")
	flags.StringVar(&f.color, "color", "auto", "print in colours `WHEN`: auto (on a terminal), always or never")
	flags.BoolVar(&f.noColor, "no-color", false, "print without colours, as --color never")
	flags.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors; the reports are written")
}
