package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/reference"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/variant"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// stages are the trials in the order in which they must run.
type stages struct{ references, canaries, trials []job }

// plan lists every trial.
func (p *proving) plan() (stages, error) {
	p.baselines = map[setting]statuses{}
	var all stages
	for _, s := range p.options.Suites {
		for _, over := range p.drivers() {
			for _, ordinary := range []bool{false, true} {
				if ordinary && (over != InProcess || !reference.Furnished(s.Name)) {
					continue // over a wire this makes no difference, and without fixtures there is nothing to omit
				}
				p.planSetting(&all, s, setting{suite: s.Name, driver: over, ordinary: ordinary})
			}
			for _, actors := range p.castings(s) {
				p.planSetting(&all, s, setting{suite: s.Name, driver: over, actors: actors})
			}
			if p.strictly(s, over) {
				p.planSetting(&all, s, setting{suite: s.Name, driver: over, strict: true})
			}
		}
		p.planNulls(&all, s)
		p.planDocuments(&all, s)
		p.planPlains(&all, s)
	}
	if len(all.references)+len(all.trials) == 0 {
		return all, fmt.Errorf("proof: nothing to examine")
	}
	return all, nil
}

func (p *proving) drivers() []string {
	if len(p.options.Drivers) == 0 {
		return []string{InProcess}
	}
	var drivers []string
	for _, name := range p.options.Drivers {
		if len(p.options.Relay) > 0 || name != overStdio && name != mcpStdio {
			drivers = append(drivers, name)
		}
	}
	return drivers
}

// shows reports whether a defect can be observed in this setting, and is the same defect there.
func (at setting) shows(m mutant.Mutant) bool {
	switch {
	case m.NeedsFixtures && at.ordinary, m.Strict != at.strict, cast(m.Actors) != at.actors:
		return false
	case m.Driver != "":
		return m.Driver == at.driver
	}
	return m.NotOver != at.driver
}

// planSetting plans the reference, the mutants and the variants in one setting.
func (p *proving) planSetting(all *stages, s *suites.Suite, at setting) {
	all.references = append(all.references, p.referenceJob(s, at))
	sampled := p.sampling(s, at)
	for _, m := range p.options.Population.Mutants {
		switch {
		case m.Suite != s.Name || !at.shows(m):
		case m.Name == canary(s.Name):
			all.canaries = append(all.canaries, p.mutantJob(s, m, at))
		case p.chosen(m.Name) && sampled(m):
			all.trials = append(all.trials, p.mutantJob(s, m, at))
		}
	}
	for i, v := range p.options.Population.Variants {
		if v.Suite == s.Name && !at.strict && cast(v.Actors) == at.actors && p.chosen(v.Name) &&
			p.meetsVariant(at.driver, i) {
			all.trials = append(all.trials, p.variantJob(s, v, at))
		}
	}
}

// strictly reports whether strict runs belong to the plan. Mutants that show only there are tried
// in process, where nothing but the strictness differs.
func (p *proving) strictly(s *suites.Suite, over string) bool {
	return over == InProcess && slices.ContainsFunc(p.options.Population.Mutants, func(m mutant.Mutant) bool {
		return m.Suite == s.Name && m.Strict && p.chosen(m.Name)
	})
}

// cast is a list of actors in the form of settings and trials.
func cast(actors []string) string { return strings.Join(actors, " ") }

// castings returns the lists of actors under which mutants and variants of a suite are tried.
func (p *proving) castings(s *suites.Suite) []string {
	var all []string
	add := func(suite, name string, actors []string) {
		if as := cast(actors); suite == s.Name && as != "" && p.chosen(name) && !slices.Contains(all, as) {
			all = append(all, as)
		}
	}
	for _, m := range p.options.Population.Mutants {
		add(m.Suite, m.Name, m.Actors)
	}
	for _, v := range p.options.Population.Variants {
		add(v.Suite, v.Name, v.Actors)
	}
	return all
}

// sampling returns a function that reports, for one mutant after the other, whether it is tried in
// a setting.
func (p *proving) sampling(s *suites.Suite, at setting) func(mutant.Mutant) bool {
	spread, overWire := p.options.Depth == Spread, at.driver != InProcess
	whole := p.options.Depth == Full || !overWire && (!spread || !at.ordinary || p.options.Golden)
	sections, met := sectionsOf(s), map[any]bool{}
	return func(m mutant.Mutant) bool {
		_, listed := p.options.Population.Undecided[s.Name][m.Name]
		if whole || m.Driver != "" || listed && !overWire { // what a golden file lists must be observed
			return true
		}
		section := sections[m.Requirement]
		if overWire && !p.takesTurn(at.driver, section) {
			return false
		}
		var kind any = m.Requirement
		if spread && overWire {
			kind = section
		}
		again := met[kind]
		met[kind] = true
		return !again
	}
}

// sectionsOf returns the number of its section for each requirement of a suite.
func sectionsOf(s *suites.Suite) map[string]int {
	numbers, sections := map[string]int{}, map[string]int{}
	for _, r := range s.Catalogue.Requirements {
		if _, known := numbers[r.Section]; !known {
			numbers[r.Section] = len(numbers)
		}
		sections[r.ID] = numbers[r.Section]
	}
	return sections
}

// takesTurn reports whether the nth host is tried over a driver.
func (p *proving) takesTurn(over string, n int) bool {
	if over == InProcess || p.options.Depth != Spread {
		return true
	}
	wires := slices.DeleteFunc(p.drivers(), func(name string) bool { return name == InProcess })
	return wires[n%len(wires)] == over
}

// variantsEach is the number of variants of which a spread selftest tries one over each wire.
const variantsEach = 3

// meetsVariant reports whether the nth variant is tried over a driver.
func (p *proving) meetsVariant(over string, n int) bool {
	spread := over != InProcess && p.options.Depth == Spread
	return !spread || n%variantsEach == 0 && p.takesTurn(over, n/variantsEach)
}

// canary names a mutant of a suite that a working suite cannot miss.
func canary(suite string) string {
	return map[string]string{"acd": "acd-kind-wrong", "acp": "acp-unsigned-installed", "cap": "cap-no-describe",
		"chp": "chp-no-replay"}[suite]
}

func (p *proving) baseline(at setting) statuses {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.baselines[at]
}

func (p *proving) keep(at setting, got statuses) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.baselines[at] = got
}

// referenceJob examines the reference host, with which all others are compared.
func (p *proving) referenceJob(s *suites.Suite, at setting) job {
	hold := func(ctx context.Context, trial *Trial) {
		got, ok := p.statusesOf(ctx, s, trial, nil)
		if !ok {
			return
		}
		p.keep(at, got)
		soundSource(trial, s, got, at.ordinary)
		if at.driver != InProcess {
			if inProcess := p.baseline(setting{suite: s.Name, driver: InProcess, actors: at.actors}); inProcess.order != nil {
				compare(trial, inProcess, expectation{passed: p.ownTo(at.driver)}, got)
			}
		}
	}
	return job{Trial{Kind: KindReference, Suite: s.Name, Name: "reference", Driver: at.driver, Ordinary: at.ordinary,
		Strict: at.strict, Actors: at.actors}, hold}
}

// ownTo returns the requirements that can be observed over one driver and possibly not over others.
func (p *proving) ownTo(over string) []string {
	var own []string
	for _, m := range p.options.Population.Mutants {
		if m.Driver == over {
			own = append(own, m.Requirement)
		}
	}
	return own
}

// soundSource requires a host without fault. One with ordinary capabilities may break a SHOULD, and
// a role without a capability stays undecided.
func soundSource(trial *Trial, s *suites.Suite, got statuses, ordinary bool) {
	passed := 0
	for _, id := range got.order {
		r, _ := s.Catalogue.Lookup(id)
		binds, wrong := r.Level.Binding(), false
		switch got.status[id] {
		case reports.Passed:
			if binds {
				passed++
			}
		case reports.Error:
			wrong = true
		case reports.Failed:
			wrong = binds || !ordinary
		case reports.Inconclusive:
			wrong = !ordinary
		}
		if wrong {
			trial.fault("%s is %s%s", id, got.status[id], because(got.reason[id]))
		}
	}
	if passed == 0 {
		trial.fault("no MUST passed")
	}
}

func (p *proving) mutantJob(s *suites.Suite, m mutant.Mutant, at setting) job {
	trial := Trial{
		Kind: KindMutant, Suite: s.Name, Name: m.Name, Driver: at.driver, Ordinary: at.ordinary,
		Strict: at.strict, Actors: at.actors,
		Requirement: m.Requirement, Canary: m.Name == canary(s.Name), never: m.Never, bound: m.Driver != "",
		again: p.judgesAgain(m, at),
	}
	return job{trial, func(ctx context.Context, trial *Trial) {
		got, ok := p.statusesOf(ctx, s, trial, m.Apply)
		if !ok {
			return
		}
		trial.Killed = got.status[m.Requirement] == reports.Failed
		compare(trial, p.baseline(at), p.ofMutant(m), got)
	}}
}

func (p *proving) variantJob(s *suites.Suite, v variant.Variant, at setting) job {
	trial := Trial{Kind: KindVariant, Suite: s.Name, Name: v.Name, Driver: at.driver,
		Ordinary: at.ordinary, Actors: at.actors}
	return job{trial, func(ctx context.Context, trial *Trial) {
		got, ok := p.statusesOf(ctx, s, trial, v.Apply)
		if !ok {
			return
		}
		compareStyle(trial, p.baseline(at), p.ofVariant(v), got)
	}}
}

// statusesOf examines the reference after a change. An error is a fault of the trial.
func (p *proving) statusesOf(
	ctx context.Context, s *suites.Suite, trial *Trial, alter func(*reference.Parts),
) (statuses, bool) {
	f, err := frontOfReference(trial.Name,
		reference.Options{Suites: []string{s.Name}, NoFixtures: trial.Ordinary, Alter: alter})
	if err == nil {
		var got statuses
		if got, err = p.examine(ctx, s, f, trial); err == nil {
			return got, true
		}
	}
	trial.fault("could not be examined: %v", err)
	return statuses{}, false
}
