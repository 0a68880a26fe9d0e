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
	var broken []mutant.Mutant
	for _, word := range []string{"ok", "completed", "SUCCESS", "succeeded", "true"} {
		broken = append(broken, newMutant("outcome-"+word, "CHP-8-01", "Reports the outcome "+word+" for a success.",
			inResult(ofVictim, mutant.With("outcome", word))))
	}
	broken = append(broken,
		newMutant("outcome-missing", "CHP-8-01", "Omits outcome from a result.",
			inResult(ofVictim, mutant.Without("outcome"))),
		newMutant("outcome-number", "CHP-8-01", "Writes the outcome of a result as a number.",
			inResult(ofVictim, mutant.With("outcome", 0))),
	)
	for _, fault := range faultsOf("success", "flag") {
		broken = append(broken, newMutant("success-"+fault.name, "CHP-8-03", fault.says+"a result that is a success.",
			inResult(ofVictim, ofSuccess(fault.edit))))
	}
	return append(broken,
		newMutant("success-true-of-unknown", "CHP-8-02", "Uses success true with a denial of an unknown capability.",
			inResult(ofUnknown, mutant.With("success", true))),
		newMutant("success-true-of-mode", "CHP-8-02", "Uses success true with a denial of an unsupported mode.",
			inResult(inForeignMode, mutant.With("success", true))),
		newMutant("success-true-of-failure", "CHP-8-02", "Uses success true with a failure.",
			inResult(asked(fails), mutant.With("success", true))).WithRole("fails"),
		newMutant("success-true-of-invariant", "CHP-8-02", "Uses success true if an invariant fails.",
			inResult(asked(guarded), mutant.With("success", true))).WithRole("guarded"),
		newMutant("success-true-of-skip", "CHP-8-02", "Uses success true with a skip.",
			inResult(asked(disabled), mutant.With("success", true))).WithRole("disabled"),
		newMutant("success-false-of-success", "CHP-8-03", "Uses success false with a success.",
			inResult(ofVictim, mutant.With("success", false))),
		newMutant("data-lost", "CHP-8-04", "Returns no data for a success.",
			inResult(asked(echo), mutant.With("data", nil))).WithRole("echo"),
		newMutant("data-of-another", "CHP-8-04", "Returns the data of another invocation for a success.",
			inResult(asked(echo), mutant.With("data", object{"echo": "something else"}))).WithRole("echo"),
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
		newMutant("result-strict", "CHP-8-14", "Omits completed_at from a result.",
			inResult(ofVictim, mutant.Without("completed_at"))).OnlyStrict(),
	)
}

// evidenceMatches returns hosts that emit events other than those that the outcome requires, or
// events that contradict it (CHP-8-07 to 8-13).
func evidenceMatches() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct{ name, requirement, says, kind, other, role, id string }{
		{"success-unstarted", "CHP-8-08", "a success", chphost.EventStarted, "", "", victim},
		{"success-uncompleted", "CHP-8-08", "a success", chphost.EventCompleted, "", "", victim},
		{"success-finished", "CHP-8-08", "a success", chphost.EventCompleted, "execution_finished", "", victim},
		{"success-begun", "CHP-8-08", "a success", chphost.EventStarted, "execution_begun", "", victim},
		{"failure-unstarted", "CHP-8-09", "a failure", chphost.EventStarted, "", "fails", fails},
		{"failure-unended", "CHP-8-09", "a failure", chphost.EventFailed, "", "fails", fails},
		{"failure-completed", "CHP-8-09", "a failure", chphost.EventFailed, chphost.EventCompleted, "fails", fails},
		{"failure-errored", "CHP-8-09", "a failure", chphost.EventFailed, "execution_errored", "fails", fails},
		{"invariant-unrecorded", "CHP-8-10", "a failed invariant", chphost.EventDenied, chphost.EventStarted, "guarded",
			guarded},
		{"invariant-failed", "CHP-8-10", "a failed invariant", chphost.EventDenied, chphost.EventFailed, "guarded", guarded},
		{"skip-as-denial", "CHP-8-11", "a skip", chphost.EventSkipped, chphost.EventDenied, "disabled", disabled},
		{"skip-unnamed", "CHP-8-11", "a skip", chphost.EventSkipped, "execution_disabled", "disabled", disabled},
	} {
		summary := "Emits no " + m.kind + " for " + m.says + "."
		change := func(object) []object { return nil }
		if m.other != "" {
			summary = "Emits " + m.other + " instead of " + m.kind + " for " + m.says + "."
			change = asEventChange(mutant.With("event_type", m.other))
		}
		made := newMutant(m.name, m.requirement, summary, inEvents(asked(m.id), m.kind, change))
		if m.role != "" {
			made = made.WithRole(m.role)
		}
		broken = append(broken, made)
	}
	for _, m := range []struct {
		name, summary string
		which         affects
	}{
		{"unknown-denied-otherwise", "Emits execution_rejected instead of execution_denied for an unknown capability.",
			ofUnknown},
		{"mode-denied-otherwise", "Emits execution_rejected instead of execution_denied for an unsupported mode.",
			inForeignMode},
	} {
		broken = append(broken, newMutant(m.name, "CHP-8-10", m.summary,
			inEvents(m.which, chphost.EventDenied, asEventChange(mutant.With("event_type", "execution_rejected")))))
	}
	return append(append(broken,
		newMutant("success-ends-first", "CHP-8-08", "Records the end of a success before its start.",
			swaps(ofVictim, chphost.EventCompleted)),
		newMutant("failure-ends-first", "CHP-8-09", "Records the end of a failure before its start.",
			swaps(asked(fails), chphost.EventFailed)).WithRole("fails"),
		newMutant("skip-started", "CHP-8-07", "Records the start of an invocation that it skips.",
			precedes(asked(disabled), chphost.EventSkipped, chphost.EventStarted)).WithRole("disabled"),
		newMutant("skip-executed", "CHP-8-07", "Executes an invocation and reports it as skipped.",
			precedes(asked(disabled), chphost.EventSkipped, chphost.EventStarted, chphost.EventCompleted)).WithRole("disabled").
			AlsoBreaks("CHP-8-13", "an execution that completed and a skip are two ends"),
	), contradictions()...)
}

// contradictions returns hosts whose result and events disagree (CHP-8-13).
func contradictions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("completed-with-failure", "CHP-8-13",
			"Records the outcome failure in the event that completes a success.",
			inEvents(ofVictim, chphost.EventCompleted, asEventChange(mutant.With("outcome", chphost.Failure)))),
		newMutant("denied-with-success", "CHP-8-13", "Records the outcome success in the event of a denial.",
			inEvents(ofUnknown, chphost.EventDenied, asEventChange(mutant.With("outcome", chphost.Success)))),
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
