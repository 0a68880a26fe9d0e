package suites

import (
	"maps"
	"slices"
	"strings"

	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites/record"
	"github.com/capconform/capconform/suites/verdict"
)

// attributeBreaches decides to which requirement each breach belongs (yields_to, DESIGN section 4). A
// requirement loses the breaches of an entry if a requirement that it yields to is reported as
// failed for the same entry. A requirement that loses all its breaches is inconclusive, and its
// reason names the other requirement.
func (r *run) attributeBreaches(results []*caseResult) {
	at := map[string]map[record.Tick]bool{} // by requirement: the entries of its reported breaches
	for _, result := range results {
		for _, b := range result.breaches() {
			if len(b.Entries) > 0 {
				entriesAt(at, result.testCase.Requirement)[b.Entries[0]] = true
			}
		}
	}
	for _, req := range r.byYield() {
		left := map[record.Tick]bool{}
		for _, result := range results {
			if result.testCase.Requirement != req {
				continue
			}
			for _, b := range result.yield(at, r.yields(req)) {
				if len(b.Entries) > 0 {
					left[b.Entries[0]] = true
				}
			}
		}
		at[req] = left
	}
}

func entriesAt(at map[string]map[record.Tick]bool, id string) map[record.Tick]bool {
	if at[id] == nil {
		at[id] = map[record.Tick]bool{}
	}
	return at[id]
}

func (r *run) yields(id string) []string {
	req, _ := r.suite.Catalogue.Lookup(id)
	return req.YieldsTo
}

// byYield returns the ids of the requirements that yield to others. Each follows those that it
// yields to, so that their breaches are known by then. The catalogue contains no cycle.
func (r *run) byYield() []string {
	var order []string
	var visit func(id string)
	visit = func(id string) {
		if slices.Contains(order, id) {
			return
		}
		for _, other := range r.yields(id) {
			visit(other)
		}
		order = append(order, id)
	}
	for _, req := range r.suite.Catalogue.Requirements {
		if len(req.YieldsTo) > 0 {
			visit(req.ID)
		}
	}
	return slices.DeleteFunc(order, func(id string) bool { return len(r.yields(id)) == 0 })
}

// breaches returns the breaches that the scenario's judgements found.
func (result *caseResult) breaches() []verdict.Breach {
	if result.scenario == nil {
		return nil
	}
	return result.scenario.breaches()
}

// doubts returns the doubts that the scenario's judgements left undecided.
func (result *caseResult) doubts() []verdict.Doubt {
	if result.scenario == nil {
		return nil
	}
	result.scenario.mu.Lock()
	defer result.scenario.mu.Unlock()
	var all []verdict.Doubt
	for _, v := range result.scenario.verdicts {
		all = append(all, v.Doubts...)
	}
	return all
}

// yield removes the breaches that belong to one of the other requirements and returns the remaining
// ones.
func (result *caseResult) yield(at map[string]map[record.Tick]bool, others []string) []verdict.Breach {
	var left []verdict.Breach
	blamed := map[string]bool{}
	all := result.breaches()
	for _, b := range all {
		i := slices.IndexFunc(others, func(id string) bool { return len(b.Entries) > 0 && at[id][b.Entries[0]] })
		if i < 0 {
			left = append(left, b)
			continue
		}
		blamed[others[i]] = true
	}
	if len(left) == len(all) {
		return left
	}
	result.judge(result.scenario, left)
	if len(left) == 0 && result.status == reports.Passed {
		result.end(verdict.Undecided("what was observed belongs to %s", strings.Join(slices.Sorted(maps.Keys(blamed)), ", ")))
	}
	return left
}
