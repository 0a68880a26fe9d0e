package proof

import (
	"context"

	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	"github.com/capconform/capconform/reference/plainmcp"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// soundPlain is the plain server without a defect.
const soundPlain = "plain-as-it-is"

// planPlains plans the plain MCP servers, which test the adapter. Only a suite that supports plain
// servers is tried on them.
func (p *proving) planPlains(all *stages, s *suites.Suite) {
	if s.Plain == nil {
		return
	}
	for _, over := range p.drivers() {
		if over != mcpHTTP && over != mcpStdio {
			continue
		}
		for i, server := range p.options.Population.Plains {
			turn := []string{mcpHTTP, mcpStdio}[i%2] == over
			switch {
			case server.Name == soundPlain:
				all.references = append(all.references, p.plainJob(s, server, over))
			case p.chosen(server.Name) && (turn || p.options.Depth != Spread || len(p.options.Relay) == 0):
				all.trials = append(all.trials, p.plainJob(s, server, over))
			}
		}
	}
}

func (p *proving) plainJob(s *suites.Suite, plain capmutant.Plain, over string) job {
	at := setting{suite: s.Name, driver: over, document: soundPlain}
	trial := Trial{Kind: KindPlain, Suite: s.Name, Name: plain.Name, Driver: over, Requirement: plain.Requirement}
	return job{trial, func(ctx context.Context, trial *Trial) {
		server, err := plainmcp.New(false)
		if err != nil {
			trial.fault("could not be started: %v", err)
			return
		}
		plain.Apply(server)
		got, err := p.examine(ctx, s, frontOfPlain(plain.Name, server), trial)
		if err != nil {
			trial.fault("could not be examined: %v", err)
			return
		}
		if plain.Name == soundPlain {
			p.keep(at, got)
			soundSource(trial, s, got, true)
			return
		}
		trial.Killed = plain.Requirement != "" && got.status[plain.Requirement] == reports.Failed
		judgePlain(trial, p.baseline(at), got)
	}}
}

// judgePlain requires that the one requirement is broken, and no other except those that the
// conforming plain server breaks too: not all its tools declare their output. The rest is not
// compared, because what a plain server shows depends on its tools.
func judgePlain(trial *Trial, valid, got statuses) {
	for _, id := range got.order {
		status := got.status[id]
		switch {
		case id == trial.Requirement && status != reports.Failed:
			trial.fault("survives: %s is %s%s", id, status, because(got.reason[id]))
		case id == trial.Requirement, status == valid.status[id]:
		case status == reports.Failed || status == reports.Error:
			trial.fault("%s is also %s%s", id, status, because(got.reason[id]))
		}
	}
}
