package plan

import (
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/suites"
)

// hosts plans the reference, the mutants and the variants of a suite in one setting.
type hosts struct {
	options Options
	suite   *suites.Suite
	setting Setting
}

func (h hosts) stages() Stages {
	all := Stages{References: []Job{h.reference()}}
	sampled := h.options.sampling(h.suite, h.setting)
	for _, m := range h.options.Population.Mutants {
		switch {
		case m.Suite != h.suite.Name || !h.setting.shows(m):
		case m.Name == Canary(h.suite.Name):
			all.Canaries = append(all.Canaries, h.mutant(m))
		case h.options.isSelected(m.Name) && sampled(m):
			all.Trials = append(all.Trials, h.mutant(m))
		}
	}
	for i, v := range h.options.Population.Variants {
		if v.Suite == h.suite.Name && !h.setting.Strict && actorList(v.Actors) == h.setting.Actors &&
			h.options.isSelected(v.Name) &&
			h.options.isVariantTriedOver(h.setting.Driver, i) {
			all.Trials = append(all.Trials, h.variant(v))
		}
	}
	return all
}

// reference plans the reference host, with which all others are compared. Over a wire, it is
// itself compared with the reference in process.
func (h hosts) reference() Job {
	return Job{Trial: h.setting.trial(KindReference, "reference"), Suite: h.suite, Baseline: h.setting, Valid: true,
		Expected: Expectation{Passed: h.options.Population.observableOver(h.setting.Driver)}}
}

// observableOver returns the requirements that can be observed over one driver and possibly not over others.
func (p Population) observableOver(over string) []string {
	var own []string
	for _, m := range p.Mutants {
		if m.Driver == over {
			own = append(own, m.Requirement)
		}
	}
	return own
}

func (h hosts) mutant(m mutant.Mutant) Job {
	trial := h.setting.trial(KindMutant, m.Name)
	trial.Requirement, trial.Canary, trial.ShortWait = m.Requirement, m.Name == Canary(h.suite.Name), m.ShortWait
	trial.OneDriver, trial.JudgeAgain = m.Driver != "", h.options.isRejudged(m, h.setting)
	return Job{Trial: trial, Suite: h.suite, Alter: m.Apply, Baseline: h.setting, Expected: h.options.OfMutant(m)}
}

func (h hosts) variant(v variant.Variant) Job {
	return Job{Trial: h.setting.trial(KindVariant, v.Name), Suite: h.suite, Alter: v.Apply, Baseline: h.setting,
		Expected: h.options.OfVariant(v)}
}
