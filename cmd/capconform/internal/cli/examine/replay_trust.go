package examine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"

	"github.com/capconform/capconform/cmd/capconform/internal/cli/access"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/process"
	"github.com/capconform/capconform/cmd/capconform/internal/cli/scope"
	"github.com/capconform/capconform/reports/display"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// trustedTarget shows what the report's own command would contact and what would be sent, and returns the
// way there if the user trusts the report.
func trustedTarget(a *process.App, failed failure, trust bool) (*Examination, error) {
	f, parsed, err := reportedRun(failed.command)
	if err != nil {
		return nil, err
	}
	target := parsed.command.Flags().Args()
	started := parsed.command.ArgsLenAtDash() >= 0
	announce(a, f, target, started, failed)
	switch {
	case !started && slices.ContainsFunc(target, access.IsTargetFile):
		return nil, process.Misuse("replay: nothing was sent: the report names the target file %s; read it, and name it yourself",
			target[0])
	case slices.ContainsFunc(f.Headers, readsFile):
		return nil, process.Misuse(
			"replay: nothing was sent: the report names a file with a header; name the target, and give --header yourself",
		)
	case !trust:
		return nil, process.Misuse("replay: nothing was sent: name the target, or use --trust if you want all of this")
	}
	f.reports, f.Requirements, f.tags = nil, nil, ""
	return f.Prepare(parsed.command, target)
}

// reportedRun parses run.command. It accepts only what capconform itself writes there.
func reportedRun(command string) (*RunFlags, parsedRun, error) {
	words, err := shellwords.Parse(command)
	switch {
	case err != nil || len(words) < 3 || words[1] != "run" || driver.ShellQuote(words...) != command:
		return nil, parsedRun{}, process.Misuse("replay: the report names no command of capconform run; name the target")
	case strings.Contains(command, driver.Masked):
		return nil, parsedRun{},
			process.Misuse("replay: the command of the report contained a secret, which the report omits; name the target")
	}
	f, parsed := parseRun(words[2:])
	if parsed.err != nil {
		return nil, parsed, process.Misuse("replay: this version does not know the command of the report: %v", parsed.err)
	}
	return f, parsed, nil
}

// readsFile reports whether the value of --header, or a part of it, comes from a file.
func readsFile(header string) bool {
	_, value, _ := strings.Cut(header, ":")
	return strings.HasPrefix(header, "@") || strings.HasPrefix(strings.TrimSpace(value), "@")
}

// announce prints what the report's command would do, without reading any file.
func announce(a *process.App, f *RunFlags, target []string, started bool, failed failure) {
	verb := "contact"
	if started {
		verb = "start"
	}
	fmt.Fprintf(a.Err, "The report's own command would %s: %s\n", verb, display.TerminalText(driver.ShellQuote(target...)))
	for _, list := range []struct {
		label  string
		values []string
	}{{"with the header", f.Headers}, {"with your variable", f.PassEnv}} {
		for _, value := range list.values {
			fmt.Fprintf(a.Err, "  %s: %s\n", list.label, display.TerminalText(value))
		}
	}
	fmt.Fprintln(a.Err, "and send:")
	for i, e := range failed.exchanges {
		sent := e.Sent
		if e.Params != nil {
			sent = *e.Params
		}
		fmt.Fprintf(a.Err, "  %d. %s %s\n", i+1, display.TerminalText(e.Operation), display.TerminalText(sent.String()))
	}
}

// gateSession returns a session that sends only those calls of a report that a run would send to this
// target. Anybody can write a report, so the policy of --invoke decides which capabilities are
// invoked or changed. What the user has read and trusts is sent unchanged.
func (e *Examination) gateSession(ctx context.Context, session driver.Session, suite string,
	trusted bool) (driver.Session,
	error) {
	if trusted || e.Subject.Invoke == live.InvokeAll {
		return session, nil
	}
	for _, d := range scope.Definitions() {
		if d.Name == suite {
			return suites.Gated(ctx, session, d, e.Subject)
		}
	}
	return session, nil
}
