package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/capconform/capconform/cmd/capconform/internal/nearest"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/driver"
)

const aboutReplay = `Send what a failed requirement's scenario sent, once more, and show the answers
of then beside those of now.

The target is reached as the report's own command says (run.command), which may
start a program: replay only reports that you trust, or name the target yourself.
Nothing is judged; to do that, use the failure's repeat command.`

func (a *app) replayCommand() *cobra.Command {
	var requirement string
	c := &cobra.Command{
		Use:     "replay REPORT --requirement ID [TARGET | -- COMMAND ARGS...]",
		Short:   "Send a failed exchange again",
		Long:    aboutReplay,
		Example: "  capconform replay report.json --requirement CHP-7-03",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 || c.ArgsLenAtDash() == 0 || requirement == "" {
				return misuse("replay: want a report (JSON; - is stdin) and --requirement ID")
			}
			report, err := a.readReport(args[0])
			if err != nil {
				return err
			}
			exchanges, err := failedExchanges(report, requirement)
			if err != nil {
				return err
			}
			target := slices.Clone(args[1:])
			if c.ArgsLenAtDash() > 0 {
				target = slices.Insert(target, c.ArgsLenAtDash()-1, "--")
			}
			way, err := wayOf(report, target)
			if err != nil {
				return err
			}
			return a.replay(c.Context(), way, exchanges)
		},
	}
	c.Flags().StringVar(&requirement, "requirement", "", "the requirement `ID` whose failure is sent again")
	return c
}

// failedExchanges gives what the first failed scenario of a requirement exchanged.
func failedExchanges(report *reports.Report, id string) ([]reports.Exchange, error) {
	var known []string
	for _, s := range report.Suites {
		for _, q := range s.Requirements {
			known = append(known, q.ID)
			if q.ID != id {
				continue
			}
			for _, c := range q.Scenarios {
				if c.Failure != nil && len(c.Failure.Exchanges) > 0 {
					return c.Failure.Exchanges, nil
				}
			}
			return nil, misuse("replay: %s is %s in this report and has no exchange that failed", id, q.Status)
		}
	}
	return nil, misuse("replay: this report has no requirement %q%s", id, nearest.Hint(id, known))
}

// wayOf gives the way to the target: as the report's command went, or to the
// target given instead.
func wayOf(report *reports.Report, instead []string) (*examination, error) {
	words, err := shellwords.Parse(report.Run.Command)
	if err != nil || len(words) < 3 || words[1] != "run" {
		return nil, misuse("replay: the report names no command of capconform run; name the target")
	}
	f := &runFlags{}
	c := &cobra.Command{Use: "run"}
	f.register(c)
	if err := c.ParseFlags(words[2:]); err != nil {
		return nil, misuse("replay: the report's command is none of this version: %v", err)
	}
	target := c.Flags().Args()
	if len(instead) > 0 {
		flags := words[2 : len(words)-len(target)]
		flags = slices.DeleteFunc(slices.Clone(flags), func(word string) bool { return word == "--" })
		*f, c = runFlags{}, &cobra.Command{Use: "run"}
		f.register(c)
		if err := c.ParseFlags(append(flags, instead...)); err != nil {
			return nil, misuse("replay: %v", err)
		}
		target = c.Flags().Args()
	}
	f.reports, f.requirements, f.tags = nil, nil, ""
	return f.prepare(c, target)
}

// replay sends the exchanges in their order on one session.
func (a *app) replay(ctx context.Context, way *examination, exchanges []reports.Exchange) error {
	fmt.Fprintf(a.err, "capconform: replay: %s\n", reports.TerminalText(way.shown.command()))
	session, err := watched{way.subject.Driver, a}.Open(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	for i, e := range exchanges {
		op, err := operationOf(e)
		if err != nil {
			return err
		}
		answer, err := session.Call(ctx, op)
		if err != nil {
			return fmt.Errorf("replay: %s, exchange %d of %d: %w", op.Name, i+1, len(exchanges), err)
		}
		a.compare(i, e, answer.Exchange)
	}
	return nil
}

// operationOf makes the call again that a report shows.
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
		return op, misuse("replay: %s: the report holds only a part of what was sent (%d bytes)", e.Operation, sent.Length)
	case strings.Contains(sent.Text, driver.Masked):
		return op, misuse("replay: %s: what was sent held a secret, which the report does not", e.Operation)
	}
	return op, nil
}

// compare shows one exchange: what was sent, what came then, what comes now.
func (a *app) compare(i int, then reports.Exchange, now driver.Exchange) {
	fmt.Fprintf(a.out, "%d. %s\n", i+1, reports.TerminalText(then.Operation))
	received := reports.NewPayload(now.Received)
	for _, e := range []struct {
		label string
		text  reports.Payload
	}{{"sent", then.Sent}, {"then", then.Received}, {"now", received}} {
		if e.label == "now" && received.String() == then.Received.String() {
			fmt.Fprintln(a.out, "   now:   the same, byte for byte")
			continue
		}
		fmt.Fprintf(a.out, "   %-6s %s\n", e.label+":", reports.TerminalText(e.text.String()))
	}
}
