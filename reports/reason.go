package reports

import (
	"slices"
	"strings"
)

// NotSelected is the reason of requirements that the flags of a run left out.
const NotSelected = "not selected for this run"

// EndedByFailFast is the reason of scenarios that --fail-fast left out. Such a run is
// partial.
const EndedByFailFast = "not run: --fail-fast ended the run at the first failure"

// CutShort reports whether --fail-fast left a scenario out.
func (q *Requirement) CutShort() bool {
	return slices.ContainsFunc(q.Scenarios, func(sc Scenario) bool { return sc.Reason == EndedByFailFast })
}

// ActorNotPlayed is the reason of requirements on an actor that the subject does not
// play.
func ActorNotPlayed(actor string) string {
	return "obliges the actor " + actor + ", which the subject does not play"
}

// ActorLeftOut is the reason of requirements on an actor that the subject plays and the
// target file leaves out. Such a run is partial.
func ActorLeftOut(actor string) string {
	return "obliges the actor " + actor + ", which the target file leaves out"
}

// Summed is the reason of a sum that is inside the plan.
const Summed = "the worst of its parts"

// uncarried begins the reason of requirements that the wire of an adapter has no words
// for.
const uncarried = "the binding can't carry it: "

// Uncarried is the reason of a requirement that the wire of an adapter has no words for.
func Uncarried(why string) string { return uncarried + why }

// Uncarried reports whether the wire of an adapter has no words for the requirement.
func (q *Requirement) Uncarried() bool { return strings.HasPrefix(q.Reason, uncarried) }
