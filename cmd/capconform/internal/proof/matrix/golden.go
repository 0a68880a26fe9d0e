package matrix

import (
	"maps"
	"slices"

	"github.com/capconform/capconform/cmd/capconform/internal/proof/golden"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/plan"
	"github.com/capconform/capconform/cmd/capconform/internal/proof/trial"
	"github.com/capconform/capconform/reports"
	"github.com/capconform/capconform/suites"
)

// Observed returns the golden files that follow from this selftest: the entries of the hosts and
// documents that were tried are new, the others stay. Entries of hosts and documents that no longer
// exist are removed.
func (m *Matrix) Observed(population plan.Population) golden.Undecided {
	known := population.Names()
	all := golden.Undecided{}
	for suite, losses := range population.Undecided {
		all[suite] = maps.Clone(losses)
		maps.DeleteFunc(all[suite], func(name string, _ golden.Loss) bool { return !slices.Contains(known, name) })
	}
	for _, tried := range m.groupsByName() {
		suite, name := tried[0].Suite, tried[0].Name
		loss := lossOf(tried)
		if all[suite] == nil {
			all[suite] = map[string]golden.Loss{}
		}
		delete(all[suite], name)
		if len(loss.IDs()) > 0 {
			all[suite][name] = loss
		}
	}
	return all
}

// groupsByName groups the trials that determine golden files, if the setting in which most losses occur
// was tried.
func (m *Matrix) groupsByName() [][]trial.Result {
	var groups [][]trial.Result
	at := map[string]int{}
	for _, t := range m.Trials {
		if t.Observed.Lost == nil {
			continue
		}
		key := t.Suite + " " + t.Name
		if _, known := at[key]; !known {
			at[key] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[key]] = append(groups[at[key]], t)
	}
	return slices.DeleteFunc(groups, func(tried []trial.Result) bool {
		return !slices.ContainsFunc(
			tried,
			func(t trial.Result) bool { return t.Driver == plan.InProcess || t.Driver == "" || t.OneDriver },
		)
	})
}

// lossOf combines the requirements that the trials of one host leave undecided.
func lossOf(tried []trial.Result) golden.Loss {
	statuses := map[string]reports.Status{}
	for _, t := range slices.Backward(tried) { // the first trial, in process with fixtures, decides
		maps.Copy(statuses, t.Observed.Lost)
	}
	var loss golden.Loss
	for _, id := range slices.Sorted(maps.Keys(statuses)) {
		if statuses[id] == reports.Inconclusive {
			loss.Inconclusive = append(loss.Inconclusive, id)
		} else {
			loss.NotApplicable = append(loss.NotApplicable, id)
		}
	}
	return loss
}

// CompareGolden compares the golden files with the observations. It adds a fault to each host whose
// entry lists a requirement that none of its trials left undecided.
func (m *Matrix) CompareGolden(undecided golden.Undecided) {
	for _, tried := range m.groupsByName() {
		listed := undecided[tried[0].Suite][tried[0].Name]
		for _, id := range listed.IDs() {
			status, _ := listed.Status(id)
			if !slices.ContainsFunc(
				tried,
				func(t trial.Result) bool { return t.Observed.Lost[id] == status || t.Observed.Kept[id] },
			) {
				m.first(tried[0]).Fault("%s: the golden file lists it as %s, but no trial has this status", id, status)
			}
		}
		m.stale = m.stale ||
			!slices.Equal(slices.Sorted(slices.Values(listed.IDs())), slices.Sorted(slices.Values(lossOf(tried).IDs())))
	}
}

// FindContradictions adds a fault to each host that leaves a requirement undecided in one trial and
// decides it in another: one entry cannot express both.
func (m *Matrix) FindContradictions() {
	for _, tried := range m.groupsByName() {
		for _, id := range lossOf(tried).IDs() {
			if slices.ContainsFunc(tried, func(t trial.Result) bool { return t.Observed.Kept[id] }) {
				m.first(tried[0]).Fault("%s: undecided in one trial, passed in another", id)
			}
		}
	}
}

// first returns the first trial of a host.
func (m *Matrix) first(of trial.Result) *trial.Result {
	at := slices.IndexFunc(m.Trials, func(t trial.Result) bool { return t.Suite == of.Suite && t.Name == of.Name })
	return &m.Trials[at]
}

// Judged returns the golden lists that follow from this selftest. The list of a suite is replaced
// if everything was tried and every lawful subject was judged correctly; otherwise it stays.
func (m *Matrix) Judged(of []*suites.Suite, population plan.Population) golden.Judged {
	all := golden.Judged{}
	for _, s := range of {
		all[s.Name] = population.Judged[s.Name]
		if m.whole && m.Void == "" && !slices.ContainsFunc(m.Trials,
			func(t trial.Result) bool { return t.Suite == s.Name && t.Lawful() && !t.OK() }) {
			all[s.Name] = plan.WithScenarios(s)
		}
	}
	return all
}
