package reports

import (
	"slices"
	"time"
)

// verdictOf returns the verdict that follows from the counts of one suite (DESIGN section 6). A
// suite in which no MUST was judged is incomplete: silence is never conformance. A suite in which
// half or more of the judged MUSTs are provided is incomplete too: a mapping or an adapter is not
// the subject.
func verdictOf(counts Counts, partial, strict bool) Verdict {
	must := counts.Must
	switch {
	case must.Failed > 0, strict && counts.Should.Failed > 0:
		return Nonconformant
	case partial:
		return Partial
	case must.Inconclusive > 0, must.Error > 0, must.MostlyProvided():
		return Incomplete
	default:
		return Conformant
	}
}

// Settle computes the members that follow from the statuses: counts, root causes and verdict of each suite, and the
// verdict of the run, which is that of its worst suite. A run without a suite, one that was interrupted or stopped, and
// one in which a planned scenario has no outcome is incomplete at best. A strict run on a child that writes lines to
// stdout that are no messages is nonconformant. Settle also replaces nil lists by empty ones, and sets the start to UTC
// in whole milliseconds.
func (r *Report) Settle() {
	r.SchemaVersion, r.Kind = SchemaVersion, Kind
	r.Run.StartedAt = r.Run.StartedAt.UTC().Truncate(time.Millisecond)
	verdict := Conformant
	if len(r.Suites) == 0 {
		verdict = Incomplete
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		s.Counts = Tally(s.Requirements)
		s.RootCauses = RootCauses(s.Requirements)
		s.Verdict = verdictOf(s.Counts, r.Run.Partial, r.Run.Strict)
		if s.Verdict == Conformant && s.doubtful() {
			s.Verdict = Incomplete
		}
		if s.Verdict.rank() > verdict.rank() {
			verdict = s.Verdict
		}
	}
	if r.Run.Strict && r.noisy() {
		verdict = Nonconformant
	}
	if verdict == Conformant && (r.Run.Interrupted || r.Run.Stopped != nil) {
		verdict = Incomplete
	}
	r.Verdict = verdict
	fillLists(r)
	markKnownFailures(r)
}

// markKnownFailures marks the known failures, and the sums of which no other part fails.
func markKnownFailures(r *Report) {
	for i := range r.Suites {
		for j := range r.Suites[i].Requirements {
			q := &r.Suites[i].Requirements[j]
			known := func(id string) bool { return slices.Contains(r.Run.Baseline.Tolerated, id) }
			unknown := func(id string) bool { return !known(id) }
			q.Known = r.Run.Baseline != nil &&
				(known(q.ID) || q.IsSum() && q.Status == Failed && !slices.ContainsFunc(q.decidingParts(), unknown))
		}
	}
}

// doubtful reports whether the statuses do not represent the whole suite: nothing ran, a planned
// scenario has no outcome, or the target or the harness failed, whatever the level of the affected
// requirement.
func (s *Suite) doubtful() bool {
	return s.Plan.Executed == 0 || s.Plan.Executed != s.Plan.Planned || s.has(HarnessFault) || s.has(TargetFault)
}

// has reports whether a scenario of the suite ended with the fault.
func (s *Suite) has(fault Fault) bool {
	for _, q := range s.Requirements {
		for _, sc := range q.Scenarios {
			if sc.Status == Error && sc.Fault == fault {
				return true
			}
		}
	}
	return false
}

// fillLists replaces nil lists by empty ones.
func fillLists(r *Report) {
	fill(&r.NotSpoken)
	fill(&r.Run.Options)
	fill(&r.Suites)
	if h := r.Run.Health; h != nil {
		fill(&h.Slowest)
		fill(&h.Dropped.Requests)
		fill(&h.ServerErrors.Requests)
		fill(&h.Timeouts.Requests)
	}
	if r.Run.Baseline != nil {
		fill(&r.Run.Baseline.Tolerated)
	}
	for i := range r.Suites {
		s := &r.Suites[i]
		fill(&s.Actors)
		fill(&s.Declared)
		fill(&s.Mappings)
		fill(&s.Requirements)
		fill(&s.RootCauses)
		for j := range s.RootCauses {
			fill(&s.RootCauses[j].Requirements)
		}
		for j := range s.Requirements {
			fillRequirement(&s.Requirements[j])
		}
	}
}

func fillRequirement(q *Requirement) {
	fill(&q.Scenarios)
	for i := range q.Scenarios {
		if f := q.Scenarios[i].Failure; f != nil {
			fill(&f.Exchanges)
		}
	}
}

func fill[T any](list *[]T) {
	if *list == nil {
		*list = []T{}
	}
}
