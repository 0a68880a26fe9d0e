package suites

import (
	"context"
	"slices"
	"sync"

	"github.com/capconform/capconform/suites/driver"
)

// scenarioKey is the key of the scenario in the context of its steps.
type scenarioKey struct{}

// within returns the context for the steps of a scenario.
func (s *Scenario) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, scenarioKey{}, s)
}

// stimulating returns the context for stimuli of a scenario. Where each verdict rests on what
// its judgement read, a scenario does not rest on what else its stimuli brought.
func (s *Scenario) stimulating(ctx context.Context) context.Context {
	if _, reads := s.run.examination.(Reader); reads {
		return (&Scenario{run: s.run}).within(ctx)
	}
	return ctx
}

// scenarioOf returns the scenario whose step has the context, or nil.
func scenarioOf(ctx context.Context) *Scenario {
	s, _ := ctx.Value(scenarioKey{}).(*Scenario)
	return s
}

// origin is a session that notes which answers a mapping of the target file made. It
// lies below every adapter, so that no suite has to say by hand what rests on a
// mapping: whoever makes a call within a scenario marks that scenario.
type origin struct {
	driver.Session

	mu       sync.Mutex
	mappings []string // that made an answer so far
	before   string   // the first of them outside of any scenario
}

// Call implements driver.Session.
func (o *origin) Call(ctx context.Context, op driver.Operation) (driver.Answer, error) {
	answer, err := o.Session.Call(ctx, op)
	s := scenarioOf(ctx)
	s.rest(answer.Provided)
	if answer.Provided != "" {
		o.note(answer.Provided, s == nil)
	}
	return answer, err
}

func (o *origin) note(mapping string, outside bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !slices.Contains(o.mappings, mapping) {
		o.mappings = append(o.mappings, mapping)
	}
	if outside && o.before == "" {
		o.before = mapping
	}
}

// mapping returns the mapping of the target file that made the answer. It is empty if
// the target made it, or an adapter of ours.
func (o *origin) mapping(answer driver.Answer) string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if slices.Contains(o.mappings, answer.Provided) {
		return answer.Provided
	}
	return ""
}

// first returns the mapping that made the first mapped answer outside of any scenario.
func (o *origin) first() string {
	if o == nil {
		return ""
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.before
}

// rest notes that the scenario judges answers, by the mapping that made each. It is
// empty for an answer of the target.
func (s *Scenario) rest(mappings ...string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.mappings = append(s.mappings, mappings...)
}

// restsOn lists these mappings, one for each answer, in the order of the answers.
func (s *Scenario) restsOn() []string {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.mappings)
}

// Consult notes that the scenario judges answers that came before it began. It does
// not put them into the transcript: see Cite.
func (s *Scenario) Consult(answers ...driver.Answer) {
	if s.run == nil {
		return // a scenario of a test has no run that answers came from
	}
	for _, answer := range answers {
		s.rest(s.run.origin.mapping(answer))
	}
}

// providedBy returns what made an answer that the scenario judges in the target's
// place. It is empty if the target made them all. A scenario without any answer judges
// what was asked before all scenarios.
func (s *Scenario) providedBy() string {
	mappings := s.restsOn()
	if len(mappings) == 0 {
		mappings = []string{s.run.origin.first()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, mapping := range append([]string{s.provided}, mappings...) {
		if mapping != "" {
			return mapping
		}
	}
	return ""
}
