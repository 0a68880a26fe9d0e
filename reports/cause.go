package reports

import "sort"

// Explains reports whether a status needs a cause.
func (s Status) Explains() bool { return s == Failed || s == Error }

// Deciding returns the first scenario that has the status of the requirement: the one that decided.
// It returns nil if the requirement has no scenario, such as a sum.
func (q *Requirement) Deciding() *Scenario {
	for i := range q.Scenarios {
		if q.Scenarios[i].Status == q.Status {
			return &q.Scenarios[i]
		}
	}
	return nil
}

// Cause returns the cause of the status of a requirement, in one line: the message of the failure
// that decided, otherwise the reason.
func (q *Requirement) Cause() string {
	sc := q.Deciding()
	switch {
	case sc != nil && sc.Failure != nil && sc.Failure.Message != "":
		return sc.Failure.Message
	case sc != nil && sc.Reason != "":
		return sc.Reason
	case q.Reason != "":
		return q.Reason
	default:
		return "no reason given"
	}
}

// RootCauses groups the failed and error requirements of a suite by message. A sum is no cause: its parts are. It sorts
// the causes by the number of requirements, descending, then in the order of the catalogue.
func RootCauses(reqs []Requirement) []RootCause {
	causes := []RootCause{}
	place := map[string]int{}
	for i := range reqs {
		q := &reqs[i]
		if !q.Status.Explains() || q.IsSum() {
			continue
		}
		message := q.Cause()
		at, known := place[message]
		if !known {
			at = len(causes)
			place[message] = at
			causes = append(causes, RootCause{Message: message})
		}
		causes[at].Requirements = append(causes[at].Requirements, q.ID)
	}
	sort.SliceStable(causes, func(i, j int) bool {
		return len(causes[i].Requirements) > len(causes[j].Requirements)
	})
	return causes
}
