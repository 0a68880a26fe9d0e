package plan

import (
	"github.com/capconform/capconform/reference/null"
	"github.com/capconform/capconform/suites"
)

// nulls plans the null hosts: each over each driver in a complete run, and in process with every
// selection that a command line permits.
func (o Options) nulls(s *suites.Suite) Stages {
	var all Stages
	for _, host := range o.Population.Nulls {
		if !o.isSelected(host.Name) {
			continue
		}
		for _, over := range o.Over() {
			all.Trials = append(all.Trials, nullJob(s, host, over))
		}
	}
	return all
}

func nullJob(s *suites.Suite, host null.Host, over string) Job {
	requests := []Request{{Explicit: true}, {Explicit: false}}
	if over == InProcess {
		requests = append(requests, selections(s)...)
	}
	at := Setting{Suite: s.Name, Driver: over}
	return Job{Trial: at.trial(KindNull, host.Name), Suite: s, Null: host, Requests: requests}
}

// selections returns the runs that omit requirements: one for each level, and one for each
// requirement.
func selections(s *suites.Suite) []Request {
	var all []Request
	for _, level := range []string{"must", "should", "may"} {
		all = append(all, Request{" with --level " + level, suites.Selection{Level: level}, true})
	}
	for _, r := range s.Catalogue.Requirements {
		all = append(all, Request{" with --requirement " + r.ID, suites.Selection{Requirements: []string{r.ID}}, true})
	}
	return all
}
