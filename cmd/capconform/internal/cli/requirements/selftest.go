package requirements

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/cmd/capconform/internal/proof"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
)

const aboutSelftest = `Show that the suites detect defects. Each suite examines every mutant of the reference

host, every lawful variant, and every host that answers nothing useful (null host). A
mutant must fail its own requirement and no other, a variant must fail nothing, and a
null host must keep nothing.

With --driver, every host is examined over that driver; with --driver all, each variant
and one mutant per requirement over each driver. Without the flag, every host is examined
in process (inproc). One of three variants and one mutant per section of the text are
also examined over one of the other drivers in turn, and one mutant per requirement
without fixtures.

Exit status 0 if all of that holds, 1 if not.`

// selftestHeap is the heap size from which the garbage collector works harder. Below it, it runs
// rarely, because thousands of short runs leave little live memory behind.
const (
	selftestHeap      = 3 << 30 // a host of ACP holds 40 MiB: for eight at once, 1 GiB costs a tenth more CPU
	selftestGCPercent = 800
)

type selftestFlags struct {
	suites  []string
	names   []string
	drivers []string
	workers int
	verbose bool
	asJSON  bool
	golden  string
}

func SelftestCommand(a *process.App) *cobra.Command {
	f := &selftestFlags{}
	c := &cobra.Command{
		Use:   "selftest [flags]",
		Short: "Show that the suites detect: the kill matrix",
		Long:  aboutSelftest,
		Example: `  capconform selftest
  capconform selftest --mutant cap-no-describe -v
  capconform selftest --driver inproc`,
		Args: process.NoArguments,
		RunE: func(c *cobra.Command, _ []string) error { return selftest(a, c, f) },
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringSliceVar(&f.suites, "suite", nil, "try only `SUITE` (repeatable)")
	flags.StringSliceVar(&f.names, "mutant", nil,
		"try only the mutant, variant, null host or document `NAME` (repeatable)")
	flags.StringSliceVar(&f.drivers, "driver", nil, "examine every host over `DRIVER`: "+
		strings.Join(plan.Drivers(), ", ")+", or all, as described above (repeatable)")
	flags.IntVar(&f.workers, "concurrency", trialsAtOnce(),
		"examine `N` hosts at once, and as many again while others wait")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "list every trial")
	flags.BoolVar(&f.asJSON, "json", false, "print the matrix as JSON")
	flags.StringVar(&f.golden, "golden", "", "write what hosts and documents leave undecided into `FOLDER`")
	_ = flags.MarkHidden("golden") // make golden: only a checkout has the folder
	c.AddCommand(relayCommand(a))
	return c
}

// trialsAtOnce exceeds the number of processors by one, because some hosts wait. Each further one makes the heap
// larger: four times as many as processors cost up to half as much time of the processors again.
func trialsAtOnce() int { return runtime.GOMAXPROCS(0) + 1 }

// relayCommand is the child through which selftest reaches its hosts over stdio.
func relayCommand(a *process.App) *cobra.Command {
	return &cobra.Command{
		Use: "relay ADDRESS", Short: "Join stdin and stdout to a loopback address", Args: cobra.ExactArgs(1), Hidden: true,
		RunE: func(c *cobra.Command, args []string) error { return trial.Relay(c.Context(), args[0], a.In, a.Out) },
	}
}

func selftest(a *process.App, c *cobra.Command, f *selftestFlags) error {
	if f.workers < 1 {
		return process.Misuse("--concurrency: want 1 or more, got %d", f.workers)
	}
	if folder, err := os.Stat(f.golden); f.golden != "" && (err != nil || !folder.IsDir()) {
		return process.Misuse("--golden: %q is not a folder", f.golden)
	}
	options, err := f.options()
	if err != nil {
		return err
	}
	progress := &trialProgress{out: a.Err, columns: process.TerminalColumns(a.Err)}
	options.Progress = progress.report
	defer debug.SetGCPercent(debug.SetGCPercent(selftestGCPercent))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(selftestHeap))
	matrix, err := proof.Selftest(c.Context(), options)
	progress.clear()
	if err != nil {
		if c.Context().Err() != nil {
			return process.ErrInterrupted
		}
		return err
	}
	write := func(w io.Writer) error { return matrix.Write(w, f.verbose) }
	if f.asJSON {
		write = func(w io.Writer) error { return process.WriteJSON(w, matrix) }
	}
	if err := write(a.Out); err != nil {
		return err
	}
	if f.golden != "" && matrix.Void == "" {
		err := errors.Join(matrix.Observed(options.Population).Write(f.golden),
			matrix.Judged(options.Suites, options.Population).Write(f.golden))
		if err != nil {
			return err
		}
	}
	if !matrix.OK() {
		return process.ExitError(reports.ExitNonconformant)
	}
	return nil
}

func (f *selftestFlags) options() (proof.Options, error) {
	if err := scope.OwnSuites("selftest", f.suites); err != nil {
		return proof.Options{}, err
	}
	all, err := scope.LoadSuites(f.suites)
	if err != nil {
		return proof.Options{}, err
	}
	population, err := plan.Everything()
	if err != nil {
		return proof.Options{}, err
	}
	for _, check := range []struct {
		flag         string
		given, known []string
	}{{"mutant", f.names, population.Names()}, {"driver", f.drivers, append(plan.Drivers(), "all")}} {
		for _, name := range check.given {
			if !slices.Contains(check.known, name) {
				return proof.Options{}, process.Misuse("--%s: unknown %s %q%s", check.flag, check.flag, name,
					nearest.Hint(name, check.known))
			}
		}
	}
	self, err := os.Executable()
	if err != nil {
		return proof.Options{}, fmt.Errorf("selftest: %w", err)
	}
	options := proof.Options{
		Options: plan.Options{
			Suites: all, Population: population, Names: f.names, Drivers: f.drivers, Depth: plan.Full,
			Relay: []string{self, "selftest", "relay"}, Golden: f.golden != "",
		},
		EachScenario: len(f.names) == 0, Workers: f.workers,
	}
	everywhere := slices.Contains(f.drivers, "all")
	switch {
	case len(f.drivers) > 0 && !everywhere:
	case len(f.names) > 0:
		options.Drivers = plan.Drivers()
	case everywhere:
		options.Drivers, options.Depth = plan.Drivers(), plan.Sampled
	default:
		options.Drivers, options.Depth = plan.Drivers(), plan.Spread
	}
	return options, nil
}

// trialProgress shows on a terminal how many trials are done.
type trialProgress struct {
	out     io.Writer
	columns int // 0: no terminal, so nothing is shown
	shown   int
}

func (p *trialProgress) report(done, total int, result trial.Result) {
	const enough = 10 // a line per trial would change too fast to read
	if p.columns == 0 || done%enough != 0 && done != total {
		return
	}
	line := fmt.Sprintf("%d of %d  %s %s", done, total, result.Kind, result.Name)
	line = line[:min(len(line), p.columns-1)]
	fmt.Fprintf(p.out, "\r%s%s", line, strings.Repeat(" ", max(0, p.shown-len(line))))
	p.shown = len(line)
}

func (p *trialProgress) clear() {
	if p.shown > 0 {
		fmt.Fprintf(p.out, "\r%s\r", strings.Repeat(" ", p.shown))
	}
}
