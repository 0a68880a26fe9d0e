package plan

import (
	capmutant "github.com/capconform/capconform/reference/caphost/mutant"
	"github.com/capconform/capconform/suites"
)

// validPlain is the plain server without a defect.
const validPlain = "plain-as-it-is"

// plains plans the plain MCP servers, which test the adapter. Only a suite that supports plain
// servers is tried on them.
func (o Options) plains(s *suites.Suite) Stages {
	var all Stages
	if s.Plain == nil {
		return all
	}
	for _, over := range o.Over() {
		if over != MCPHTTP && over != MCPStdio {
			continue
		}
		for i, server := range o.Population.Plains {
			turn := []string{MCPHTTP, MCPStdio}[i%2] == over
			switch {
			case server.Name == validPlain:
				all.References = append(all.References, plainJob(s, server, over))
			case o.isSelected(server.Name) && (turn || o.Depth != Spread || len(o.Relay) == 0):
				all.Trials = append(all.Trials, plainJob(s, server, over))
			}
		}
	}
	return all
}

func plainJob(s *suites.Suite, plain capmutant.Plain, over string) Job {
	at := Setting{Suite: s.Name, Driver: over, Document: validPlain}
	trial := at.trial(KindPlain, plain.Name)
	trial.Requirement = plain.Requirement
	return Job{Trial: trial, Suite: s, Plain: plain, Baseline: at, Valid: plain.Name == validPlain}
}
