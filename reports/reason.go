package reports

import (
	"slices"
	"strings"
)

// NotSelected is the reason of requirements that the flags of a run excluded.
const NotSelected = "not selected for this run"

// ReasonFailFast is the reason of scenarios that did not run because of --fail-fast. Such a run is
// partial.
const ReasonFailFast = "not run: --fail-fast ended the run at the first failure"

// EndedByFailFast reports whether a scenario did not run because of --fail-fast.
func (q *Requirement) EndedByFailFast() bool {
	return slices.ContainsFunc(q.Scenarios, func(sc Scenario) bool { return sc.Reason == ReasonFailFast })
}

// ActorNotPlayed returns the reason of requirements on an actor that the subject does not play.
func ActorNotPlayed(actor string) string {
	return "obliges the actor " + actor + ", which the subject does not play"
}

// ActorLeftOut returns the reason of requirements on an actor that the subject plays and the target
// file omits. Such a run is partial.
func ActorLeftOut(actor string) string {
	return "obliges the actor " + actor + ", which the target file leaves out"
}

// ReasonOfSum begins the reason of a sum in the plan. The parts that decide follow, unless the sum passed:
// "the worst of its parts: CHP-10-01 failed".
const ReasonOfSum = "the worst of its parts"

// IsSum reports whether the status of a requirement is that of its parts.
func (q *Requirement) IsSum() bool {
	return len(q.Scenarios) == 0 && strings.HasPrefix(q.Reason, ReasonOfSum)
}

// SumUp sets the status of a sum to the worst status of its parts, and names those that have it.
func (q *Requirement) SumUp(parts []string, status map[string]Status) {
	var all []Status
	for _, id := range parts {
		all = append(all, status[id])
	}
	q.Status, q.Reason = Worst(all...), ReasonOfSum
	if q.Status == Passed || q.Status == Provided {
		return
	}
	worst := slices.DeleteFunc(slices.Clone(parts), func(id string) bool { return status[id] != q.Status })
	q.Reason += ": " + strings.Join(worst, ", ") + " " + string(q.Status)
}

// decidingParts returns the parts that decide the status of a sum.
func (q *Requirement) decidingParts() []string {
	_, named, _ := strings.Cut(q.Reason, ": ")
	return strings.Split(strings.TrimSuffix(named, " "+string(q.Status)), ", ")
}

// notExpressible begins the reason of requirements that the binding of an adapter cannot express.
const notExpressible = "the binding can't carry it: "

// NotExpressible returns the reason of a requirement that the binding of an adapter cannot express.
func NotExpressible(why string) string { return notExpressible + why }

// NotExpressible reports whether the binding of an adapter cannot express the requirement.
func (q *Requirement) NotExpressible() bool { return strings.HasPrefix(q.Reason, notExpressible) }
