package chpmutant

import (
	"context"
	"errors"
	"net/http"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// The outcomes of a host that decides wrongly.
func skippedOutcome() chphost.Outcome { return chphost.Outcome{Kind: chphost.Skipped} }

func deniedOutcome() chphost.Outcome {
	return *chphost.Deny("policy_blocked", "the policy of the host forbids it", "", object{})
}

func runsEmpty(context.Context, *chphost.Host, *chphost.Invocation) (any, error) {
	return object{}, nil
}

func runsInvain(context.Context, *chphost.Host, *chphost.Invocation) (any, error) {
	return nil, errors.New("the handler could not be run")
}

func withoutValue(inv *chphost.Invocation) bool {
	return inv.CapabilityID == guarded && inv.Payload["value"] == nil
}

// ofSuccess edits only results of successes.
func ofSuccess(edit func(object) any) func(object) any {
	return func(result object) any {
		if result["outcome"] != chphost.Success {
			return result
		}
		return edit(result)
	}
}

// outcomes returns hosts that report another outcome than the real one (CHP-8-01 to 8-06).
func outcomes() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("failure-as-success", "CHP-8-05", "Reports a failure as a success, in the result and the evidence.",
			runsInstead(asked(fails), runsEmpty)).WithRole("fails"),
		newMutant("failure-as-error", "CHP-8-05",
			"Answers a failure with an error of the transport, over HTTP with status 500.",
			resultAs(asked(fails), chphost.Failure, http.StatusInternalServerError)).WithRole("fails"),
		newMutant("invariant-unchecked", "CHP-8-06", "Executes an invocation although an invariant fails.",
			withoutGate(chphost.InvariantFailed, anyInvocation)).WithRole("guarded"),
		newMutant("invariant-as-failure", "CHP-8-06", "Reports a failed invariant as a failure.",
			runsInstead(asked(guarded), runsInvain)).WithRole("guarded"),
		newMutant("invariant-as-skipped", "CHP-8-06", "Reports a failed invariant as a skip.",
			endsAtBoundary(withoutValue, skippedOutcome)).WithRole("guarded"),
		newMutant("invariant-as-error", "CHP-8-06",
			"Answers a failed invariant with an error of the transport, over HTTP with a bare 403.",
			resultAs(asked(guarded), chphost.Denied, http.StatusForbidden)).WithRole("guarded"),
	}
}

// evidenceMatches returns hosts that emit events other than those that the outcome requires, or
// events that contradict it (CHP-8-07 to 8-13).
func evidenceMatches() []mutant.Mutant {
	return append([]mutant.Mutant{
		newMutant("success-ends-first", "CHP-8-08", "Records the end of a success before its start.",
			swaps(ofVictim, chphost.EventCompleted)),
		newMutant("failure-ends-first", "CHP-8-09", "Records the end of a failure before its start.",
			swaps(asked(fails), chphost.EventFailed)).WithRole("fails"),
		newMutant("skip-started", "CHP-8-07", "Records the start of an invocation that it skips.",
			precedes(asked(disabled), chphost.EventSkipped, chphost.EventStarted)).WithRole("disabled"),
		newMutant("skip-executed", "CHP-8-07", "Executes an invocation and reports it as skipped.",
			precedes(asked(disabled), chphost.EventSkipped, chphost.EventStarted, chphost.EventCompleted)).WithRole("disabled").
			AlsoBreaks("CHP-8-13", "an execution that completed and a skip are two ends"),
	}, contradictions()...)
}

// contradictions returns hosts whose result and events disagree (CHP-8-13).
func contradictions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("success-failed-too", "CHP-8-13", "Records a failure after the end of a success.",
			follows(ofVictim, chphost.EventCompleted, chphost.EventFailed)),
		newMutant("failed-before-success", "CHP-8-13", "Records a failure and a completion after the same start.",
			precedes(ofVictim, chphost.EventCompleted, chphost.EventFailed)),
		newMutant("failure-completed-too", "CHP-8-13", "Records a completion after a failure.",
			follows(asked(fails), chphost.EventFailed, chphost.EventCompleted)).WithRole("fails"),
		newMutant("denial-completed-too", "CHP-8-13", "Records a completion after a denial.",
			follows(ofUnknown, chphost.EventDenied, chphost.EventCompleted)),
		newMutant("success-completed-twice", "CHP-8-13", "Records the end of a success twice, as two events.",
			precedes(ofVictim, chphost.EventCompleted, chphost.EventCompleted)),
		newMutant("starts-after-end", "CHP-8-13", "Records another start after the end of a success.",
			follows(ofVictim, chphost.EventCompleted, chphost.EventStarted)),
		newMutant("success-denied-too", "CHP-8-13", "Records a denial after the end of a success.",
			follows(ofVictim, chphost.EventCompleted, chphost.EventDenied)),
	}
}

// another returns a copy of an event with another type and without an outcome.
func another(h *chphost.Host, event object, kind string) object {
	made := object{}
	for name, value := range event {
		if name != "outcome" && name != "error" && name != "denial" {
			made[name] = value
		}
	}
	made["event_id"], made["event_type"] = h.NewID(chphost.EventID), kind
	return made
}

// precedes records other events before those of one type.
func precedes(which affects, kind string, kinds ...string) defect {
	return func(h *chphost.Host) {
		inEvents(which, kind, func(event object) []object {
			var recorded []object
			for _, before := range kinds {
				recorded = append(recorded, another(h, event, before))
			}
			return append(recorded, event)
		})(h)
	}
}

// follows records another event after those of one type.
func follows(which affects, kind, after string) defect {
	return func(h *chphost.Host) {
		inEvents(which, kind, func(event object) []object { return []object{event, another(h, event, after)} })(h)
	}
}

// swaps records the end of an execution before its start.
func swaps(which affects, end string) defect {
	return func(h *chphost.Host) {
		inEvents(which, chphost.EventStarted, func(object) []object { return nil })(h)
		inEvents(which, end, func(event object) []object {
			return []object{event, another(h, event, chphost.EventStarted)}
		})(h)
	}
}
