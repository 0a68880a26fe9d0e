package proof

import (
	"context"
	"errors"
	"slices"

	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/live"
)

// planNulls plans the null hosts: each over each driver in a complete run, and in process with
// every selection that a command line permits.
func (p *proving) planNulls(all *stages, s *suites.Suite) {
	for _, host := range p.options.Population.Nulls {
		if !p.chosen(host.Name) {
			continue
		}
		for _, over := range p.drivers() {
			wanted := []ask{{explicit: true}, {explicit: false}}
			if over == InProcess {
				wanted = append(wanted, selections(s)...)
			}
			all.trials = append(all.trials, p.nullJob(s, host, over, wanted))
		}
	}
}

// ask is one way to request a run.
type ask struct {
	name      string
	selection suites.Selection
	explicit  bool
}

// selections returns the runs that omit something: one for each level, and one for each
// requirement.
func selections(s *suites.Suite) []ask {
	var all []ask
	for _, level := range []string{"must", "should", "may"} {
		all = append(all, ask{" with --level " + level, suites.Selection{Level: level}, true})
	}
	for _, r := range s.Catalogue.Requirements {
		all = append(all, ask{" with --requirement " + r.ID, suites.Selection{Requirements: []string{r.ID}}, true})
	}
	return all
}

func (p *proving) nullJob(s *suites.Suite, host null.Host, over string, wanted []ask) job {
	return job{Trial{Kind: KindNull, Suite: s.Name, Name: host.Name, Driver: over},
		func(ctx context.Context, trial *Trial) {
			for _, a := range wanted {
				p.holdNull(ctx, trial, s, frontOfNull(host), a)
			}
		}}
}

func (p *proving) holdNull(ctx context.Context, trial *Trial, s *suites.Suite, f front, a ask) {
	patience := impatience
	if trial.Driver == InProcess {
		patience = inAHurry
	}
	deadlines := driver.Deadlines{Call: patience, Slow: patience, Handshake: patience}
	at, err := p.reach(ctx, f, trial.Driver, deadlines)
	if err != nil {
		trial.fault("could not be examined: %v", err)
		return
	}
	defer at.stop()
	subject := &suites.Subject{
		Name: f.name, Driver: at.driver, Invoke: live.InvokeSafe, Adapter: suites.Adapter{Mode: "auto"},
		Seed: seed, Deadlines: deadlines,
	}
	report, err := suites.Run(ctx, []*suites.Suite{s}, subject,
		suites.Options{Explicit: a.explicit, Concurrency: 1, Plain: true, Selection: a.selection})
	if report == nil {
		// There is nothing to show, and no command counts that as a success.
		if !errors.Is(err, suites.ErrCredentials) && ctx.Err() == nil {
			trial.fault("no report%s: %v", a.name, err)
		}
		return
	}
	judgeNull(trial, a.name, report)
}

// judgeNull requires that no MUST is passed or provided, and that the exit status is not 0 even if
// the report is read leniently.
func judgeNull(trial *Trial, how string, report *reports.Report) {
	for i := range report.Suites {
		for _, q := range report.Suites[i].Requirements {
			kept := q.Status == reports.Passed || q.Status == reports.Provided
			if kept && !slices.Contains([]string{"MAY", "ADVICE", "SHOULD", "SHOULD NOT"}, q.Level) {
				trial.fault("%s is %s%s", q.ID, q.Status, how)
			}
		}
	}
	for _, policy := range []reports.Policy{{}, {AllowIncomplete: true}} {
		if reports.ExitStatus(report, policy) == reports.ExitConformant {
			lenient := ""
			if policy.AllowIncomplete {
				lenient = " and --allow-incomplete"
			}
			trial.fault("exit status 0%s%s", how, lenient)
		}
	}
}
