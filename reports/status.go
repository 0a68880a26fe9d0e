// Package reports contains the result of a run: the report document of DESIGN section 11, the
// verdicts that follow from its statuses (section 6), and the comparison of reports. The packages
// below it derive every output from it.
package reports

// Status is the result of one requirement or scenario.
type Status string

// The statuses of DESIGN section 6.
const (
	Passed        Status = "passed"
	Provided      Status = "provided" // met by the adapter or a mapping, not by the target
	Failed        Status = "failed"
	Inconclusive  Status = "inconclusive" // a role, a declaration or a positive control was missing
	NotApplicable Status = "not_applicable"
	Error         Status = "error" // a failure or limit of the harness, a deadline, an interruption
	Excluded      Status = "excluded"
)

// Statuses lists every status in the order in which tables print them.
func Statuses() []Status {
	return []Status{Passed, Provided, Failed, Inconclusive, NotApplicable, Error, Excluded}
}

// NotObserved begins the reason of a requirement that is not applicable because this run did not
// cause the event that it is about (DESIGN section 6). Counts and verdicts are recomputed from it.
const NotObserved = "not observed: "

// severity orders statuses: the worst part decides. It consists of integers, because "passed" would
// outrank "failed" in the order of strings.
func (s Status) severity() int {
	switch s {
	case Failed:
		return 6
	case Error:
		return 5
	case Inconclusive:
		return 4
	case Provided:
		return 3
	case Passed:
		return 2
	case NotApplicable:
		return 1
	default:
		return 0
	}
}

// Worst returns the worst of the statuses, or Excluded for none.
func Worst(statuses ...Status) Status {
	worst := Excluded
	for _, s := range statuses {
		if s.severity() > worst.severity() {
			worst = s
		}
	}
	return worst
}

// Fault is the origin of an Error. Exit statuses depend on it.
type Fault string

// The faults.
const (
	HarnessFault     Fault = "harness"     // of the harness: a panic, an undefined step, a broken schema file: exit 5
	TargetFault      Fault = "target"      // the target cannot be reached, or died: exit 3
	DeadlineFault    Fault = "deadline"    // no complete answer arrived in time
	LimitFault       Fault = "limit"       // the answer exceeds a limit of the harness
	InterruptedFault Fault = "interrupted" // the run was cancelled before the scenario ended
)

// Verdict is the result of a suite or of the whole run.
type Verdict string

// The verdicts of DESIGN section 6.
const (
	Conformant    Verdict = "conformant"
	Nonconformant Verdict = "nonconformant"
	Incomplete    Verdict = "incomplete"
	Partial       Verdict = "partial" // a selection was run and nothing in it failed
)

// rank orders verdicts: the worst suite decides for the run.
func (v Verdict) rank() int {
	switch v {
	case Conformant:
		return 0
	case Partial:
		return 1
	case Incomplete:
		return 2
	default:
		return 3
	}
}
