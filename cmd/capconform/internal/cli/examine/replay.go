package examine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/verdict"
)

const aboutReplay = `Send again what the scenario of a failed requirement sent, and show where the new answers
differ from the earlier ones. Values that a run generates, such as ids, are fresh. Then
the requirement is examined again: the last line says whether it is kept now or still
broken.

Name the target. The report then decides only which operations of the protocol are
called, and with what; how the target is reached is up to your own flags. Of the
capabilities that the report names, replay invokes those that run would invoke.

Without a target, replay shows what the report's own command (run.command) would
contact or start and what would be sent, and sends it only with --trust. It uses no
file that the report names: neither a target file nor a file with headers.`

// replayFlags are the flags of replay. Those that describe how to reach the target are those of
// run.
type replayFlags struct {
	RunFlags
	requirement string
	trust       bool
}

func ReplayCommand(a *process.App) *cobra.Command {
	f := &replayFlags{}
	c := &cobra.Command{
		Use:   "replay [flags] REPORT --requirement ID [TARGET | -- COMMAND ARGS...]",
		Short: "Send a failed exchange again",
		Long:  aboutReplay,
		Example: `  capconform replay report.json --requirement CHP-7-03 http://127.0.0.1:8899
  capconform replay report.json --requirement CHP-7-03 --trust`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || c.ArgsLenAtDash() == 0 || f.requirement == "" {
				return process.Misuse("replay: want a report (JSON; - is stdin) and --requirement ID")
			}
			report, err := process.ReadReport(a, args[0])
			if err != nil {
				return err
			}
			failed, err := failureOf(report, f.requirement)
			if err != nil {
				return err
			}
			target := slices.Clone(args[1:])
			if c.ArgsLenAtDash() > 0 {
				target = slices.Insert(target, c.ArgsLenAtDash()-1, "--")
			}
			way, err := replayTarget(a, c, f, failed, target)
			if err != nil {
				return err
			}
			defer way.Close()
			return replay(c.Context(), a, way, failed, f.requirement, f.trust)
		},
	}
	flags := c.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.requirement, "requirement", "", "the requirement `ID` whose failure is sent again")
	flags.BoolVar(&f.trust, "trust", false, "without a target, run the report's own command")
	flags.StringArrayVar(
		&f.invoke,
		"invoke",
		nil,
		"with a target: invoke none, safe or all capabilities, or what safe admits and these: `NAME,...` "+
			"(repeatable; default safe)",
	)
	f.Flags.Register(flags, "contain ${VARIABLE} or be @FILE")
	f.RegisterCallTimeout(flags)
	return c
}

// failure contains the exchanges of the first failed scenario of a requirement.
type failure struct {
	suite     string
	edition   string
	exchanges []reports.Exchange
	command   string // run.command of the report
}

func failureOf(report *reports.Report, id string) (failure, error) {
	var known []string
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			known = append(known, q.ID)
			if q.ID != id {
				continue
			}
			for _, c := range q.Scenarios {
				if c.Failure != nil && len(c.Failure.Exchanges) > 0 {
					return failure{s.Suite, s.Edition, c.Failure.Exchanges, report.Run.Command}, nil
				}
			}
			return failure{}, process.Misuse("replay: %s is %s in this report and has no exchange that failed", id, q.Status)
		}
	}
	return failure{}, process.Misuse("replay: this report has no requirement %q%s", id, nearest.Hint(id, known))
}

// targetFlags are the flags that decide how a named target is reached. They come only from the user: a
// report that chose a header, a file, a variable or a driver could send secrets of the user
// anywhere, and one that chose what is invoked could change the target.
var targetFlags = []string{"invoke", "driver", "header", "pass-env", "call-timeout"}

// replayTarget returns the way to the target that the user named, or to that of the report's command if
// the user trusts the report.
func replayTarget(a *process.App, c *cobra.Command, f *replayFlags, failed failure,
	target []string) (*Examination, error) {
	words := []string{"--suite=" + failed.suite}
	if edition := scope.EditionName(failed.suite, failed.edition); edition != "" {
		words = append(words, "--edition="+edition)
	}
	given := ""
	c.Flags().Visit(func(flag *pflag.Flag) {
		if !slices.Contains(targetFlags, flag.Name) {
			return
		}
		given = flag.Name
		values := []string{flag.Value.String()}
		if list, ok := flag.Value.(pflag.SliceValue); ok {
			values = list.GetSlice()
		}
		for _, value := range values {
			words = append(words, "--"+flag.Name+"="+value)
		}
	})
	switch {
	case len(target) > 0 && f.trust:
		return nil, process.Misuse("replay: --trust is for the report's own command; it cannot be combined with a target")
	case len(target) > 0:
		g, parsed := parseRun(append(words, target...))
		if parsed.err != nil {
			return nil, process.Misuse("replay: %v", parsed.err)
		}
		return g.Prepare(parsed.command, parsed.command.Flags().Args())
	case given != "":
		return nil, process.Misuse("replay: --%s is for a target that you name", given)
	}
	return trustedTarget(a, failed, f.trust)
}

// parsedRun is a command line of run after parsing.
type parsedRun struct {
	command *cobra.Command
	err     error
}

func parseRun(words []string) (*RunFlags, parsedRun) {
	f := &RunFlags{}
	c := &cobra.Command{Use: "run"}
	f.Register(c)
	return f, parsedRun{c, c.ParseFlags(words)}
}

// replay sends the exchanges in their order on one session. What the user has read and trusts is
// sent unchanged. An exchange of a text that is data may be a whole message or a further connection,
// so the requirement is examined instead.
func replay(ctx context.Context, a *process.App, way *Examination, failed failure, requirement string, trusted bool) error {
	fmt.Fprintf(a.Err, "capconform: replay: %s\n", display.TerminalText(way.invocation.command()))
	if scope.IsText(failed.suite) || scope.IsText(failed.suite+"@"+failed.edition) {
		return again(ctx, a, way, requirement)
	}
	session, err := process.Watched{Driver: way.Subject.Driver, App: a, Bar: nil}.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	known := operationsOf(failed.suite)
	gate, err := way.gateSession(ctx, session, failed.suite, trusted)
	if err != nil {
		return err
	}
	values, sent := &renewal{map[string]string{}}, false
	for i, e := range failed.exchanges {
		if !slices.Contains(known, e.Operation) {
			fmt.Fprintf(a.Out, "%d. %s: not sent, because it is not an operation of %s\n", i+1,
				display.TerminalText(e.Operation), failed.suite)
			continue
		}
		op, err := operationOf(e)
		if err != nil {
			return err
		}
		op.Params, op.Body = values.renew(op.Params), values.renew(op.Body)
		answer, err := gate.Call(ctx, op)
		if refused := (*verdict.Inconclusive)(nil); errors.As(err, &refused) {
			fmt.Fprintf(a.Out, "%d. %s: not sent: %s\n", i+1, op.Name, display.TerminalText(refused.Error()))
			continue
		}
		if err != nil {
			return fmt.Errorf("replay: %s, exchange %d of %d: %w", op.Name, i+1, len(failed.exchanges), err)
		}
		sent = true
		printComparison(a, i, e, answer.Exchange, values)
	}
	if sent {
		return again(ctx, a, way, requirement)
	}
	return nil
}

// again examines a requirement again, and says whether it is kept now.
func again(ctx context.Context, a *process.App, way *Examination, requirement string) error {
	way.Options.Selection.Requirements, way.Options.Explicit = []string{requirement}, true
	report, err := suites.Run(ctx, way.Suites, way.Subject, way.Options)
	if err != nil {
		fmt.Fprintf(a.Out, "%s could not be judged again: %s\n", requirement, process.OneLine(err.Error()))
		return nil // what was to be sent again was sent
	}
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			switch {
			case q.ID != requirement:
			case q.Status == reports.Passed, q.Status == reports.Provided:
				fmt.Fprintf(a.Out, "%s is kept now.\n", requirement)
			case q.Status == reports.Failed:
				fmt.Fprintf(a.Out, "%s is still broken: %s\n", requirement, display.TerminalText(q.Cause()))
			default:
				fmt.Fprintf(a.Out, "%s is not judged: %s\n", requirement, display.TerminalText(q.Cause()))
			}
		}
	}
	return nil
}

// operationsOf returns the operations that the text of a suite permits a client to call. A report
// can name no others.
func operationsOf(suite string) []string {
	var all []string
	for _, d := range scope.Definitions() {
		if d.Name != suite {
			continue
		}
		all = append(all, d.Operations...)
		for _, route := range d.Routes {
			all = append(all, route.Operation)
		}
	}
	return all
}

// operationOf returns the call that a report shows.
func operationOf(e reports.Exchange) (driver.Operation, error) {
	op := driver.Operation{Name: e.Operation}
	sent := e.Sent
	if e.Params != nil {
		sent, op.Params = *e.Params, json.RawMessage(e.Params.Text)
	} else {
		op.Body = []byte(sent.Text)
	}
	switch {
	case !sent.Whole():
		return op, process.Misuse("replay: %s: the report contains only a part of what was sent (%d bytes)", e.Operation, sent.Length)
	case strings.Contains(sent.Text, driver.Masked):
		return op, process.Misuse("replay: %s: what was sent contained a secret, which the report omits", e.Operation)
	}
	return op, nil
}

// differencesShown bounds the differences that are printed of one answer.
const differencesShown = 12

// printComparison prints one exchange: what was sent, and where the new answer differs from the earlier one.
func printComparison(a *process.App, i int, then reports.Exchange, now driver.Exchange, values *renewal) {
	fmt.Fprintf(a.Out, "%d. %s\n", i+1, display.TerminalText(then.Operation))
	fmt.Fprintf(a.Out, "   sent:  %s\n", shortened(string(now.Sent), longestText))
	earlier, wasJSON := decodeExactly([]byte(then.Received.Text))
	current, isJSON := decodeExactly(now.Received)
	if !wasJSON || !isJSON || !then.Received.Whole() {
		fmt.Fprintf(a.Out, "   then:  %s\n", shortened(then.Received.Text, longestText))
		fmt.Fprintf(a.Out, "   now:   %s\n", shortened(string(now.Received), longestText))
		return
	}
	earlier, current = contentOf(earlier), contentOf(current)
	values.learn(earlier, current)
	all := differences(values.renewed(earlier), current, "")
	if len(all) == 0 {
		fmt.Fprintln(a.Out, "   now:   the same, apart from generated values")
	}
	for _, d := range all[:min(len(all), differencesShown)] {
		fmt.Fprintf(a.Out, "   %s\n     then: %s\n     now:  %s\n", display.TerminalText(cmp.Or(d.place, "the answer")),
			shortened(inJSON(d.then), longestValue), shortened(inJSON(d.now), longestValue))
	}
	if more := len(all) - differencesShown; more > 0 {
		fmt.Fprintf(a.Out, "   and %s\n", display.Plural(more, "further difference"))
	}
}
