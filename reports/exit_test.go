package reports

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcome returns a requirement with one scenario of the same status.
func outcome(level string, status Status, fault Fault) Requirement {
	return Requirement{
		ID: "T-1", Level: level, Status: status,
		Scenarios: []Scenario{{Name: "a scenario", Status: status, Fault: fault}},
	}
}

// suiteOf returns a suite in which every scenario was planned and ran.
func suiteOf(reqs ...Requirement) Suite {
	return Suite{Suite: "cap", Requirements: reqs, Plan: Plan{Planned: len(reqs), Executed: len(reqs)}}
}

func must(s Status) Requirement { return outcome("MUST", s, "") }
func unobserved(s Status) Requirement {
	q := must(s)
	q.Reason = NotObserved + "nothing was restarted"
	return q
}
func should(s Status) Requirement          { return outcome("SHOULD", s, "") }
func broken(l string, f Fault) Requirement { return outcome(l, Error, f) }

type exitCase struct {
	name    string
	suites  []Suite
	run     Run
	policy  Policy
	verdict Verdict
	exit    Exit
}

var (
	partialRun     = Run{Partial: true}
	interruptedRun = Run{Interrupted: true}
	allow          = Policy{AllowIncomplete: true}
)

func wholeRuns() []exitCase {
	return []exitCase{
		{name: "all passed", suites: []Suite{suiteOf(must(Passed))}, verdict: Conformant},
		{name: "all provided", suites: []Suite{suiteOf(must(Provided))}, verdict: Incomplete, exit: 6},
		{name: "half provided", suites: []Suite{suiteOf(must(Passed), must(Provided))}, verdict: Incomplete, exit: 6},
		{name: "half provided in one suite", suites: []Suite{suiteOf(must(Passed)), suiteOf(must(Passed), must(Provided))},
			verdict: Incomplete, exit: 6},
		{name: "less than half provided", suites: []Suite{suiteOf(must(Passed), must(Passed), must(Provided))},
			verdict: Conformant},
		{name: "half provided, and failed", suites: []Suite{suiteOf(must(Provided), must(Failed))}, verdict: Nonconformant,
			exit: 1},
		{name: "SHOULDs provided", suites: []Suite{suiteOf(must(Passed), should(Provided), should(Provided))},
			verdict: Conformant},
		{name: "a MUST failed", suites: []Suite{suiteOf(must(Passed), must(Failed))}, verdict: Nonconformant, exit: 1},
		{name: "a MUST NOT failed", suites: []Suite{suiteOf(must(Passed), outcome("MUST NOT", Failed, ""))},
			verdict: Nonconformant, exit: 1},
		{name: "a DECLARED failed", suites: []Suite{suiteOf(must(Passed), outcome("DECLARED", Failed, ""))},
			verdict: Nonconformant, exit: 1},
		{name: "a DECLARED inconclusive", suites: []Suite{suiteOf(must(Passed), outcome("DECLARED", Inconclusive, ""))},
			verdict: Incomplete, exit: 6},
		{name: "an unknown level failed", suites: []Suite{suiteOf(must(Passed), outcome("OUGHT", Failed, ""))},
			verdict: Nonconformant, exit: 1},
		{name: "an unknown status", suites: []Suite{suiteOf(must(Passed), must("fine"))}, verdict: Incomplete, exit: 6},
		{name: "a SHOULD failed", suites: []Suite{suiteOf(must(Passed), should(Failed))}, verdict: Conformant},
		{name: "a SHOULD inconclusive", suites: []Suite{suiteOf(must(Passed), should(Inconclusive))}, verdict: Conformant},
		{name: "a SHOULD without answer", suites: []Suite{suiteOf(must(Passed), broken("SHOULD", DeadlineFault))},
			verdict: Conformant},
		{name: "a MAY failed", suites: []Suite{suiteOf(must(Passed), outcome("MAY", Failed, ""))}, verdict: Conformant},
		{name: "ADVICE failed", suites: []Suite{suiteOf(must(Passed), outcome("ADVICE", Failed, ""))}, verdict: Conformant},
		{name: "a MUST inconclusive", suites: []Suite{suiteOf(must(Passed), must(Inconclusive))}, verdict: Incomplete,
			exit: 6},
		{name: "failed and inconclusive", suites: []Suite{suiteOf(must(Failed), must(Inconclusive))}, verdict: Nonconformant,
			exit: 1},
		{name: "deadline", suites: []Suite{suiteOf(must(Passed), broken("MUST", DeadlineFault))}, verdict: Incomplete,
			exit: 6},
		{name: "a limit of the harness", suites: []Suite{suiteOf(must(Passed), broken("MUST", LimitFault))}, verdict: Incomplete, exit: 6},
		{name: "an error without a fault", suites: []Suite{suiteOf(must(Passed), broken("MUST", ""))}, verdict: Incomplete, exit: 6},
		{name: "harness", suites: []Suite{suiteOf(must(Passed), broken("MUST", HarnessFault))}, verdict: Incomplete, exit: 5},
		{name: "harness in ADVICE", suites: []Suite{suiteOf(must(Passed), broken("ADVICE", HarnessFault))},
			verdict: Incomplete, exit: 5},
		{name: "died", suites: []Suite{suiteOf(must(Passed), broken("MUST", TargetFault))}, verdict: Incomplete, exit: 3},
		{name: "died in a SHOULD", suites: []Suite{suiteOf(must(Passed), broken("SHOULD", TargetFault))}, verdict: Incomplete,
			exit: 3},
		{name: "a fault with another status has no effect",
			suites: []Suite{suiteOf(must(Passed), outcome("MUST", Passed, HarnessFault))}, verdict: Conformant},
	}
}

// emptyRuns are runs of which something did not run.
func emptyRuns() []exitCase {
	return []exitCase{
		{name: "only not applicable", suites: []Suite{suiteOf(must(NotApplicable), must(Excluded))},
			verdict: Incomplete, exit: 6},
		{name: "only SHOULD", suites: []Suite{suiteOf(should(Passed))}, verdict: Incomplete, exit: 6},
		{name: "no requirement", suites: []Suite{suiteOf()}, verdict: Incomplete, exit: 6},
		{name: "no suite", verdict: Incomplete, exit: 6},
		{name: "nothing ran", suites: []Suite{{Requirements: []Requirement{must(Passed)}}}, verdict: Incomplete, exit: 6},
		{name: "nothing ran in one suite", suites: []Suite{suiteOf(must(Passed)),
			{Requirements: []Requirement{must(Passed)}}}, verdict: Incomplete, exit: 6},
		{name: "a scenario lost", suites: []Suite{{Requirements: []Requirement{must(Passed)}, Plan: Plan{2, 1}}},
			verdict: Incomplete, exit: 5},
		{name: "a scenario too many", suites: []Suite{{Requirements: []Requirement{must(Passed)}, Plan: Plan{1, 2}}},
			verdict: Incomplete, exit: 5},
		{name: "lost because the target died",
			suites:  []Suite{{Requirements: []Requirement{must(Passed), broken("MUST", TargetFault)}, Plan: Plan{9, 2}}},
			verdict: Incomplete, exit: 3},
		{name: "one suite fails", suites: []Suite{suiteOf(must(Passed)), suiteOf(must(Failed))}, verdict: Nonconformant,
			exit: 1},
		{name: "one suite undecided", suites: []Suite{suiteOf(must(Inconclusive)), suiteOf(must(Passed))}, verdict: Incomplete,
			exit: 6},
	}
}

func combinedRuns() []exitCase {
	return []exitCase{
		{name: "harness before failed", suites: []Suite{suiteOf(must(Failed), broken("MUST", HarnessFault))},
			verdict: Nonconformant, exit: 5},
		{name: "failed before died", suites: []Suite{suiteOf(must(Failed), broken("MUST", TargetFault))},
			verdict: Nonconformant, exit: 1},
		{name: "died before incomplete", suites: []Suite{suiteOf(must(Inconclusive), broken("MUST", TargetFault))},
			verdict: Incomplete, exit: 3},
		{name: "strict, a SHOULD failed", suites: []Suite{suiteOf(must(Passed), should(Failed))}, run: Run{Strict: true},
			verdict: Nonconformant, exit: 1},
		{name: "strict only by policy", suites: []Suite{suiteOf(must(Passed), should(Failed))}, policy: Policy{Strict: true},
			verdict: Conformant, exit: 1},
		{name: "strict, a SHOULD NOT failed", suites: []Suite{suiteOf(must(Passed), outcome("SHOULD NOT", Failed, ""))},
			run: Run{Strict: true}, verdict: Nonconformant, exit: 1},
		{name: "strict, a MAY failed", suites: []Suite{suiteOf(must(Passed), outcome("MAY", Failed, ""))},
			run: Run{Strict: true}, verdict: Conformant},
		{name: "strict, ADVICE failed", suites: []Suite{suiteOf(must(Passed), outcome("ADVICE", Failed, ""))},
			run: Run{Strict: true}, verdict: Conformant},
		{name: "strict, a SHOULD inconclusive", suites: []Suite{suiteOf(must(Passed), should(Inconclusive))},
			run: Run{Strict: true}, verdict: Conformant},
		{name: "allowed", suites: []Suite{suiteOf(must(Passed), must(Inconclusive))}, policy: allow, verdict: Incomplete,
			exit: 0},
		{name: "allowed, but nothing passed", suites: []Suite{suiteOf(must(Inconclusive))}, policy: allow,
			verdict: Incomplete, exit: 6},
		{name: "allowed, but only provided", suites: []Suite{suiteOf(must(Provided), must(Inconclusive))}, policy: allow,
			verdict: Incomplete, exit: 6},
		{name: "allowed, and half provided", suites: []Suite{suiteOf(must(Passed), must(Provided), must(Inconclusive))},
			policy: allow, verdict: Incomplete},
		{name: "allowed, but all provided", suites: []Suite{suiteOf(must(Provided), must(Inconclusive))},
			policy: allow, verdict: Incomplete, exit: 6},
		{name: "allowed, but only a SHOULD passed", suites: []Suite{suiteOf(should(Passed), must(Inconclusive))},
			policy: allow, verdict: Incomplete, exit: 6},
		{name: "allowed, but also a deadline",
			suites: []Suite{suiteOf(must(Passed), must(Inconclusive), broken("MUST", DeadlineFault))}, policy: allow,
			verdict: Incomplete, exit: 6},
		{name: "allowed, but failed", suites: []Suite{suiteOf(must(Passed), must(Inconclusive), must(Failed))}, policy: allow,
			verdict: Nonconformant, exit: 1},
		{name: "allowed, but died", suites: []Suite{suiteOf(must(Passed), must(Inconclusive), broken("MUST", TargetFault))},
			policy: allow, verdict: Incomplete, exit: 3},
		{name: "allowed, but nothing observed in one suite", suites: []Suite{suiteOf(must(Passed)),
			suiteOf(must(NotApplicable))}, policy: allow, verdict: Incomplete, exit: 6},
		{name: "allowed, but interrupted", suites: []Suite{suiteOf(must(Passed), must(Inconclusive))}, run: interruptedRun,
			policy: allow, verdict: Incomplete, exit: 6},
		{name: "allowed, but no suite", policy: allow, verdict: Incomplete, exit: 6},
		{name: "interrupted", suites: []Suite{suiteOf(must(Passed), broken("MUST", InterruptedFault))}, run: interruptedRun,
			verdict: Incomplete, exit: 6},
		{name: "interrupted at the very end", suites: []Suite{suiteOf(must(Passed))}, run: interruptedRun,
			verdict: Incomplete, exit: 6},
		{name: "interrupted after a violation", suites: []Suite{suiteOf(must(Failed), broken("MUST", InterruptedFault))},
			run: interruptedRun, verdict: Nonconformant, exit: 1},
		{name: "interrupted, therefore died", suites: []Suite{suiteOf(must(Passed), broken("MUST", TargetFault))},
			run: interruptedRun, verdict: Incomplete, exit: 6},
		{name: "interrupted, the rest did not run",
			suites: []Suite{{Requirements: []Requirement{must(Passed)}, Plan: Plan{9, 1}}}, run: interruptedRun,
			verdict: Incomplete, exit: 6},
		{name: "interrupted, with a fault of the harness", suites: []Suite{suiteOf(must(Passed), broken("MUST", HarnessFault))},
			run: interruptedRun, verdict: Incomplete, exit: 5},
		{name: "unreachable", run: Run{Stopped: &Stop{Fault: TargetFault}}, verdict: Incomplete, exit: 3},
		{name: "stopped by the harness", suites: []Suite{suiteOf(must(Passed))}, run: Run{Stopped: &Stop{Fault: HarnessFault}},
			verdict: Incomplete, exit: 5},
		{name: "out of time", suites: []Suite{suiteOf(must(Passed))}, run: Run{Stopped: &Stop{Fault: DeadlineFault}},
			policy: allow, verdict: Incomplete, exit: 6},
	}
}

func partialRuns() []exitCase {
	return []exitCase{
		{name: "partial, all passed", suites: []Suite{suiteOf(must(Passed))}, run: partialRun, verdict: Partial},
		{name: "partial, failed", suites: []Suite{suiteOf(must(Failed))}, run: partialRun, verdict: Nonconformant, exit: 1},
		{name: "partial, provided", suites: []Suite{suiteOf(must(Provided))}, run: partialRun, verdict: Partial, exit: 6},
		{name: "partial, half provided, allowed", suites: []Suite{suiteOf(must(Provided), must(Passed), must(Inconclusive))},
			run: partialRun, policy: allow, verdict: Partial, exit: 6},
		{name: "partial, provided in a part", suites: []Suite{suiteOf(must(Provided))},
			run: Run{Partial: true, Shard: &Shard{Index: 1, Count: 2}}, verdict: Partial},
		{name: "partial, undecided", suites: []Suite{suiteOf(must(Passed), must(Inconclusive))}, run: partialRun, verdict: Partial,
			exit: 6},
		{name: "partial, undecided, allowed", suites: []Suite{suiteOf(must(Passed), must(Inconclusive))}, run: partialRun,
			policy: allow, verdict: Partial},
		{name: "partial, nothing passed, allowed", suites: []Suite{suiteOf(must(Inconclusive))}, run: partialRun,
			policy: allow, verdict: Partial, exit: 6},
		{name: "partial, deadline", suites: []Suite{suiteOf(must(Passed), broken("MUST", DeadlineFault))}, run: partialRun,
			policy: allow, verdict: Partial, exit: 6},
		{name: "partial, died", suites: []Suite{suiteOf(must(Passed), broken("MUST", TargetFault))}, run: partialRun,
			verdict: Partial, exit: 3},
		{name: "partial, a fault of the harness", suites: []Suite{suiteOf(must(Passed), broken("MUST", HarnessFault))},
			run: partialRun, verdict: Partial, exit: 5},
		{name: "partial, one suite left empty by the selection", suites: []Suite{suiteOf(must(Passed)), suiteOf()},
			run: partialRun, verdict: Partial},
		{name: "partial, nothing selected", suites: []Suite{suiteOf()}, run: partialRun, verdict: Partial, exit: 6},
		{name: "partial, not applicable", suites: []Suite{suiteOf(must(NotApplicable))}, run: partialRun, verdict: Partial,
			exit: 6},
		{name: "partial, no suite", run: partialRun, verdict: Incomplete, exit: 6},
		{name: "partial, a SHOULD passed", suites: []Suite{suiteOf(should(Passed))}, run: partialRun, verdict: Partial},
		{name: "partial, only SHOULDs, one failed", suites: []Suite{suiteOf(should(Passed), should(Failed))},
			run: partialRun, verdict: Partial, exit: 6},
		{name: "partial, only SHOULDs, strict", suites: []Suite{suiteOf(should(Passed), should(Failed))},
			run: Run{Partial: true, Strict: true}, verdict: Nonconformant, exit: 1},
		{name: "partial, a SHOULD failed, a MUST passed", suites: []Suite{suiteOf(must(Passed), should(Failed))},
			run: partialRun, verdict: Partial},
		{name: "stopped by fail-fast", suites: []Suite{{Requirements: []Requirement{must(Failed)}, Plan: Plan{9, 1}}},
			run: partialRun, verdict: Nonconformant, exit: 1},
		{name: "partial, a scenario lost", suites: []Suite{{Requirements: []Requirement{must(Passed)}, Plan: Plan{2, 1}}},
			run: partialRun, verdict: Partial, exit: 5},
		{name: "partial, interrupted", suites: []Suite{suiteOf(must(Passed))}, run: Run{Partial: true, Interrupted: true},
			verdict: Partial, exit: 6},
	}
}

func TestExitStatus(t *testing.T) {
	cases := slices.Concat(wholeRuns(), emptyRuns(), combinedRuns(), partialRuns())
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := &Report{Suites: c.suites, Run: c.run}
			before := ExitStatus(r, c.policy)
			r.Settle()
			if r.Verdict != c.verdict {
				t.Errorf("verdict %q, want %q", r.Verdict, c.verdict)
			}
			if got := ExitStatus(r, c.policy); got != c.exit {
				t.Errorf("exit %d (%v), want %d", got, got, c.exit)
			}
			if before != c.exit {
				t.Errorf("exit before Settle: %d, want %d: it must not depend on the counts", before, c.exit)
			}
		})
	}
}

// TestExitStatusAgreesWithVerdict checks all small reports.
func TestExitStatusAgreesWithVerdict(t *testing.T) {
	statuses := append(Statuses(), "unknown")
	for _, level := range []string{"MUST", "SHOULD", "MAY"} {
		for _, a := range statuses {
			for _, b := range statuses {
				for flags := range 8 {
					r := &Report{Suites: []Suite{suiteOf(must(a), outcome(level, b, ""))}}
					r.Run.Partial, r.Run.Interrupted, r.Run.Strict = flags&1 != 0, flags&2 != 0, flags&4 != 0
					r.Settle()
					exit := ExitStatus(r, Policy{})
					if (exit == ExitNonconformant) != (r.Verdict == Nonconformant) {
						t.Errorf("%s %s %s flags %d: %s, exit %d", a, level, b, flags, r.Verdict, exit)
					}
					if (r.Verdict == Conformant) != (exit == ExitConformant) && !r.Run.Partial {
						t.Errorf("%s %s %s flags %d: %s, exit %d", a, level, b, flags, r.Verdict, exit)
					}
					if r.Run.Partial && r.Verdict == Conformant {
						t.Errorf("%s %s %s flags %d: a partial run is conformant", a, level, b, flags)
					}
				}
			}
		}
	}
}

func TestWorstExit(t *testing.T) {
	order := []Exit{2, 5, 1, 3, 4, 6, 0}
	for i, worse := range order {
		for _, better := range order[i:] {
			if got := WorstExit(better, worse); got != worse {
				t.Errorf("WorstExit(%d, %d) = %d, want %d", better, worse, got, worse)
			}
		}
	}
	if got := WorstExit(); got != ExitIncomplete {
		t.Errorf("WorstExit() = %d, want %d", got, ExitIncomplete)
	}
}

func TestTally(t *testing.T) {
	got := Tally([]Requirement{
		must(Passed), outcome("MUST NOT", Failed, ""), outcome("DECLARED", Provided, ""), must(Excluded),
		should(Inconclusive), outcome("SHOULD NOT", Error, ""),
		outcome("MAY", NotApplicable, ""), outcome("ADVICE", Failed, ""),
		unobserved(NotApplicable), unobserved(Inconclusive),
	})
	want := Counts{
		Must:   Count{Passed: 1, Failed: 1, Provided: 1, Excluded: 1, Inconclusive: 1, NotApplicable: 1, NotObserved: 1},
		Should: Count{Inconclusive: 1, Error: 1},
		May:    Count{NotApplicable: 1, Failed: 1},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestRootCauses(t *testing.T) {
	fails := func(id, message string) Requirement {
		return Requirement{ID: id, Level: "MUST", Status: Failed, Scenarios: []Scenario{
			{Status: Passed},
			{Status: Failed, Failure: &Failure{Message: message}},
			{Status: Failed, Failure: &Failure{Message: "a later one"}},
		}}
	}
	r := &Report{Suites: []Suite{suiteOf(
		fails("A", "first"), fails("B", "second"), must(Passed),
		Requirement{ID: "C", Status: Error, Scenarios: []Scenario{{Status: Error, Reason: "second"}}},
		Requirement{ID: "D", Status: Failed, Reason: "a part failed"},
		Requirement{ID: "E", Status: Inconclusive, Reason: "second"},
	)}}
	r.Settle()
	want := []RootCause{
		{Message: "second", Requirements: []string{"B", "C"}},
		{Message: "first", Requirements: []string{"A"}},
		{Message: "a part failed", Requirements: []string{"D"}},
	}
	if diff := cmp.Diff(want, r.Suites[0].RootCauses); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// TestRootCausesAreInCatalogueOrder: causes with the same number of requirements are in catalogue order.
func TestRootCausesAreInCatalogueOrder(t *testing.T) {
	var reqs []Requirement
	var twice, once []string
	for i := range 60 {
		reason := string(rune('a'+i%26)) + string(rune('A'+i/26))
		q := Requirement{ID: "T", Status: Failed, Reason: reason}
		reqs = append(reqs, q)
		if i%3 == 2 {
			reqs = append(reqs, q)
			twice = append(twice, reason)
		} else {
			once = append(once, reason)
		}
	}
	var got []string
	for _, c := range RootCauses(reqs) {
		got = append(got, c.Message)
	}
	if diff := cmp.Diff(append(twice, once...), got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
