package reports

import (
	"fmt"
	"slices"
)

// Exit is the status with which a command ends (DESIGN section 6).
type Exit int

// The exit statuses. Their numbers are a public interface.
const (
	ExitConformant    Exit = 0 // conformant; of a partial run: everything that was selected passed
	ExitNonconformant Exit = 1
	ExitUsage         Exit = 2 // wrong usage or configuration, credentials refused
	ExitUnreachable   Exit = 3 // target unreachable, or died
	ExitStale         Exit = 4 // the baseline is stale
	ExitHarness       Exit = 5 // the harness itself failed
	ExitIncomplete    Exit = 6
)

// String returns the status in words.
func (e Exit) String() string {
	names := [...]string{
		"conformant", "nonconformant", "wrong usage or configuration", "target unreachable or died",
		"baseline stale", "harness error", "incomplete",
	}
	if e < 0 || int(e) >= len(names) {
		return fmt.Sprintf("exit status %d", int(e))
	}
	return names[e]
}

// WorstExit returns the first of the exit statuses in the order 2, 5, 1, 3, 4, 6, 0. Without any
// status it returns ExitIncomplete, because nothing was proven.
func WorstExit(exits ...Exit) Exit {
	for _, e := range []Exit{ExitUsage, ExitHarness, ExitNonconformant, ExitUnreachable, ExitStale, ExitIncomplete,
		ExitConformant} {
		for _, given := range exits {
			if given == e {
				return e
			}
		}
	}
	return ExitIncomplete
}

// Policy is how the user wants a report to be interpreted.
type Policy struct {
	Strict          bool     // a failed SHOULD counts as failed; also if Run.Strict is set
	AllowIncomplete bool     // inconclusive requirements alone do not affect the exit status
	Tolerated       []string // requirements whose failures the baseline contains: they are ignored
}

// ExitStatus returns the exit status that follows from the statuses of a report. It counts again
// and ignores the counts and verdicts of the document. Wrong usage and a stale baseline are not in
// a report: combine them by WorstExit.
func ExitStatus(r *Report, p Policy) Exit {
	var hold []Exit
	strict := p.Strict || r.Run.Strict
	if len(p.Tolerated) > 0 {
		r = r.withoutTolerated(p.Tolerated)
	}
	if harnessFailed(r) {
		hold = append(hold, ExitHarness)
	}
	if r.violated(strict) {
		hold = append(hold, ExitNonconformant)
	}
	// An error while an interrupted run is ended proves nothing about the target.
	if !r.Run.Interrupted && r.HasFault(TargetFault) {
		hold = append(hold, ExitUnreachable)
	}
	if r.unfinished(p.AllowIncomplete) {
		hold = append(hold, ExitIncomplete)
	}
	return WorstExit(append(hold, ExitConformant)...)
}

// Tolerated reports whether the run is not conformant, and ends with status 0 all the same because the baseline lists
// what is wrong. The verdict stays what it is.
func (r *Report) Tolerated() bool {
	return r.Run.Baseline != nil && r.Verdict != Conformant &&
		ExitStatus(r, Policy{Tolerated: r.Run.Baseline.Tolerated}) == ExitConformant
}

// withoutTolerated returns the report without what the baseline tolerates, and without sums, whose
// parts decide. A tolerated failure is not evidence: a subject all of whose failures are known must
// still meet some MUST.
func (r *Report) withoutTolerated(tolerated []string) *Report {
	rest := *r
	rest.Suites = slices.Clone(r.Suites)
	for i := range rest.Suites {
		s := &rest.Suites[i]
		s.Requirements = slices.Clone(s.Requirements)
		for j := range s.Requirements {
			q := &s.Requirements[j]
			undecided := q.Status.Explains() || q.Status == Inconclusive
			if slices.Contains(tolerated, q.ID) || undecided && len(q.Scenarios) == 0 {
				q.Status = NotApplicable
			}
		}
	}
	return &rest
}

// harnessFailed reports whether a fault of the harness was recorded, or a planned scenario has no
// outcome although the run was not ended early.
func harnessFailed(r *Report) bool {
	return r.HasFault(HarnessFault) || r.Lost()
}

// Lost reports whether a planned scenario has no outcome although the run was not ended early, or
// there are more outcomes than planned scenarios.
func (r *Report) Lost() bool {
	// A partial run may omit scenarios only if --fail-fast ended it.
	excused := r.Run.Interrupted || r.Run.Stopped != nil || r.HasFault(TargetFault) || r.Run.Partial && hasErrors(r)
	for i := range r.Suites {
		plan := r.Suites[i].Plan
		if plan.Executed > plan.Planned || plan.Executed < plan.Planned && !excused {
			return true
		}
	}
	return false
}

// HasFault reports whether the run or one of its scenarios ended with a fault.
func (r *Report) HasFault(fault Fault) bool {
	if r.Run.Stopped != nil && r.Run.Stopped.Fault == fault {
		return true
	}
	for i := range r.Suites {
		if r.Suites[i].has(fault) {
			return true
		}
	}
	return false
}

// hasErrors reports whether any requirement failed or ended in an error, at any level.
func hasErrors(r *Report) bool {
	for i := range r.Suites {
		if len(RootCauses(r.Suites[i].Requirements)) > 0 {
			return true
		}
	}
	return false
}

func (r *Report) violated(strict bool) bool {
	if strict && r.noisy() {
		return true
	}
	for i := range r.Suites {
		if verdictOf(Tally(r.Suites[i].Requirements), false, strict) == Nonconformant {
			return true
		}
	}
	return false
}

// unfinished reports whether the run left a requirement undecided that it should decide.
func (r *Report) unfinished(allowed bool) bool {
	if r.Run.Interrupted || r.Run.Stopped != nil || executed(r) == 0 {
		return true
	}
	if r.Run.Partial {
		return r.selectionOpen(allowed)
	}
	passed, gaps := false, false
	for i := range r.Suites {
		must := Tally(r.Suites[i].Requirements).Must
		// No requirement was met and none is in doubt: there was nothing to observe.
		silent := must.Passed+must.Provided+must.Inconclusive == 0
		if must.Error > 0 || silent || r.Suites[i].Plan.Executed == 0 {
			return true
		}
		passed = passed || must.Passed > 0
		adapted := must.Provided > 0 && must.MostlyProvided()
		gaps = gaps || must.Inconclusive > 0 || must.judged() == 0 || adapted
	}
	return gaps && !(allowed && passed)
}

// executed returns the number of scenarios that ran.
func executed(r *Report) int {
	n := 0
	for i := range r.Suites {
		n += r.Suites[i].Plan.Executed
	}
	return n
}

// selectionOpen is unfinished for a partial run. If the selection contains a MUST that is met, the
// MUSTs decide as in a complete run. Otherwise the selected requirements themselves must pass: a
// null host would otherwise end with 0 for a selection of SHOULDs that it fails. A mapping or an
// adapter must not meet half or more of the selection, except in a shard, where the merged run
// decides.
func (r *Report) selectionOpen(allowed bool) bool {
	var all Counts
	for i := range r.Suites {
		all = all.Plus(Tally(r.Suites[i].Requirements))
	}
	must := all.Must
	switch {
	case must.Error > 0:
		return true
	case r.Run.Shard == nil && must.Provided > 0 && must.MostlyProvided():
		return true
	case must.Inconclusive > 0:
		return !(allowed && must.Passed > 0)
	case must.Passed+must.Provided > 0:
		return false
	}
	rest := all.Should.Plus(all.May)
	return rest.Passed+rest.Provided == 0 || rest.Failed+rest.Inconclusive+rest.Error > 0
}
