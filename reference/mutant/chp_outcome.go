package mutant

import (
	"context"
	"errors"
	"net/http"

	"github.com/capconform/capconform/reference/chphost"
)

// The outcomes of a host that judges wrongly.
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
	return inv.CapabilityID == chpGuarded && inv.Payload["value"] == nil
}

// ofSuccess edits results that are a success alone.
func ofSuccess(edit func(object) any) func(object) any {
	return func(result object) any {
		if result["outcome"] != chphost.Success {
			return result
		}
		return edit(result)
	}
}

// chpOutcomes give another outcome than what happened (CHP-8-01 to 8-06).
func chpOutcomes() []Mutant {
	var broken []Mutant
	for _, word := range []string{"ok", "completed", "SUCCESS", "succeeded", "true"} {
		broken = append(broken, chpMutant("outcome-"+word, "CHP-8-01", "Gives the outcome "+word+" for a success.", inResult(ofVictim, with("outcome", word))))
	}
	broken = append(broken,
		chpMutant("outcome-missing", "CHP-8-01", "Leaves outcome out of a result.", inResult(ofVictim, without("outcome"))),
		chpMutant("outcome-number", "CHP-8-01", "Gives the outcome of a result as a number.", inResult(ofVictim, with("outcome", 0))),
	)
	for _, fault := range faultsOf("success", "flag") {
		broken = append(broken, chpMutant("success-"+fault.name, "CHP-8-03", fault.says+"a result that is a success.", inResult(ofVictim, ofSuccess(fault.edit))))
	}
	return append(broken,
		chpMutant("success-true-of-unknown", "CHP-8-02", "Says success true of a denial of an unknown capability.", inResult(ofUnknown, with("success", true))),
		chpMutant("success-true-of-mode", "CHP-8-02", "Says success true of a denial of an unsupported mode.", inResult(inForeignMode, with("success", true))),
		chpMutant("success-true-of-failure", "CHP-8-02", "Says success true of a failure.", inResult(asked(chpFails), with("success", true))).role("fails"),
		chpMutant("success-true-of-invariant", "CHP-8-02", "Says success true where an invariant fails.", inResult(asked(chpGuarded), with("success", true))).role("guarded"),
		chpMutant("success-true-of-skip", "CHP-8-02", "Says success true of a skip.", inResult(asked(chpDisabled), with("success", true))).role("disabled"),
		chpMutant("success-false-of-success", "CHP-8-03", "Says success false of a success.", inResult(ofVictim, with("success", false))),
		chpMutant("data-lost", "CHP-8-04", "Gives no data of a success.", inResult(asked(chpEcho), with("data", nil))).role("echo"),
		chpMutant("data-of-another", "CHP-8-04", "Gives data of another invocation for a success.", inResult(asked(chpEcho), with("data", object{"echo": "something else"}))).role("echo"),
		chpMutant("failure-as-success", "CHP-8-05", "Gives a failure as a success, in result and evidence.", runs(asked(chpFails), runsEmpty)).role("fails"),
		chpMutant("failure-as-error", "CHP-8-05", "Answers a failure by an error of the transport, over HTTP by status 500.", chpResultAs(asked(chpFails), chphost.Failure, http.StatusInternalServerError)).role("fails"),
		chpMutant("invariant-unchecked", "CHP-8-06", "Executes although an invariant fails.", ungated(chphost.InvariantFailed, anyInvocation)).role("guarded"),
		chpMutant("invariant-as-failure", "CHP-8-06", "Gives a failed invariant as a failure.", runs(asked(chpGuarded), runsInvain)).role("guarded"),
		chpMutant("invariant-as-skipped", "CHP-8-06", "Gives a failed invariant as a skip.", stops(withoutValue, skippedOutcome)).role("guarded"),
		chpMutant("invariant-as-error", "CHP-8-06", "Answers a failed invariant by an error of the transport, over HTTP by a bare 403.", chpResultAs(asked(chpGuarded), chphost.Denied, http.StatusForbidden)).role("guarded"),
		chpMutant("result-strict", "CHP-8-14", "Leaves completed_at out of a result.", inResult(ofVictim, without("completed_at"))).strictly(),
	)
}

// chpStories leave other events than the outcome demands, or events that
// contradict it (CHP-8-07 to 8-13).
func chpStories() []Mutant {
	var broken []Mutant
	for _, m := range []struct{ name, requirement, says, kind, other, role, id string }{
		{"success-unstarted", "CHP-8-08", "a success", chphost.Started, "", "", chpVictim},
		{"success-uncompleted", "CHP-8-08", "a success", chphost.Completed, "", "", chpVictim},
		{"success-finished", "CHP-8-08", "a success", chphost.Completed, "execution_finished", "", chpVictim},
		{"success-begun", "CHP-8-08", "a success", chphost.Started, "execution_begun", "", chpVictim},
		{"failure-unstarted", "CHP-8-09", "a failure", chphost.Started, "", "fails", chpFails},
		{"failure-unended", "CHP-8-09", "a failure", chphost.Failed, "", "fails", chpFails},
		{"failure-completed", "CHP-8-09", "a failure", chphost.Failed, chphost.Completed, "fails", chpFails},
		{"failure-errored", "CHP-8-09", "a failure", chphost.Failed, "execution_errored", "fails", chpFails},
		{"invariant-unrecorded", "CHP-8-10", "a failed invariant", chphost.WasDenied, chphost.Started, "guarded", chpGuarded},
		{"invariant-failed", "CHP-8-10", "a failed invariant", chphost.WasDenied, chphost.Failed, "guarded", chpGuarded},
		{"skip-as-denial", "CHP-8-11", "a skip", chphost.WasSkipped, chphost.WasDenied, "disabled", chpDisabled},
		{"skip-unnamed", "CHP-8-11", "a skip", chphost.WasSkipped, "execution_disabled", "disabled", chpDisabled},
	} {
		summary := "Leaves no " + m.kind + " of " + m.says + "."
		turn := func(object) []object { return nil }
		if m.other != "" {
			summary = "Leaves " + m.other + " in the place of " + m.kind + " of " + m.says + "."
			turn = one(with("event_type", m.other))
		}
		mutant := chpMutant(m.name, m.requirement, summary, inEvents(asked(m.id), m.kind, turn))
		if m.role != "" {
			mutant = mutant.role(m.role)
		}
		broken = append(broken, mutant)
	}
	for _, m := range []struct {
		name, summary string
		which         struck
	}{
		{"unknown-denied-otherwise", "Leaves execution_rejected in the place of execution_denied of an unknown capability.", ofUnknown},
		{"mode-denied-otherwise", "Leaves execution_rejected in the place of execution_denied of an unsupported mode.", inForeignMode},
	} {
		broken = append(broken, chpMutant(m.name, "CHP-8-10", m.summary, inEvents(m.which, chphost.WasDenied, one(with("event_type", "execution_rejected")))))
	}
	return append(append(broken,
		chpMutant("success-ends-first", "CHP-8-08", "Records the end of a success before its start.", swaps(ofVictim, chphost.Completed)),
		chpMutant("failure-ends-first", "CHP-8-09", "Records the end of a failure before its start.", swaps(asked(chpFails), chphost.Failed)).role("fails"),
		chpMutant("skip-started", "CHP-8-07", "Starts what it skips.", precedes(asked(chpDisabled), chphost.WasSkipped, chphost.Started)).role("disabled"),
		chpMutant("skip-executed", "CHP-8-07", "Executes what it says it skipped.", precedes(asked(chpDisabled), chphost.WasSkipped, chphost.Started, chphost.Completed)).role("disabled").
			also("CHP-8-13", "an execution that completed and a skip are two ends"),
	), chpContradictions()...)
}

// chpContradictions let result and events tell two stories (CHP-8-13).
func chpContradictions() []Mutant {
	return []Mutant{
		chpMutant("completed-with-failure", "CHP-8-13", "Records the outcome failure in the event that completes a success.", inEvents(ofVictim, chphost.Completed, one(with("outcome", chphost.Failure)))),
		chpMutant("denied-with-success", "CHP-8-13", "Records the outcome success in the event of a denial.", inEvents(ofUnknown, chphost.WasDenied, one(with("outcome", chphost.Success)))),
		chpMutant("success-failed-too", "CHP-8-13", "Records a failure behind the end of a success.", follows(ofVictim, chphost.Completed, chphost.Failed)),
		chpMutant("failed-before-success", "CHP-8-13", "Records a failure and an end of one and the same start.", precedes(ofVictim, chphost.Completed, chphost.Failed)),
		chpMutant("failure-completed-too", "CHP-8-13", "Records a completion behind a failure.", follows(asked(chpFails), chphost.Failed, chphost.Completed)).role("fails"),
		chpMutant("denial-completed-too", "CHP-8-13", "Records a completion behind a denial.", follows(ofUnknown, chphost.WasDenied, chphost.Completed)),
		chpMutant("success-completed-twice", "CHP-8-13", "Records the end of a success twice, as two events.", precedes(ofVictim, chphost.Completed, chphost.Completed)),
		chpMutant("starts-after-end", "CHP-8-13", "Records a further start behind the end of a success.", follows(ofVictim, chphost.Completed, chphost.Started)),
		chpMutant("success-denied-too", "CHP-8-13", "Records a denial behind the end of a success.", follows(ofVictim, chphost.Completed, chphost.WasDenied)),
	}
}

// another makes an event like one, of another type and without an outcome of its own.
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

// precedes records further events before those of one type.
func precedes(which struck, kind string, kinds ...string) chpDefect {
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

// follows records a further event behind those of one type.
func follows(which struck, kind, after string) chpDefect {
	return func(h *chphost.Host) {
		inEvents(which, kind, func(event object) []object { return []object{event, another(h, event, after)} })(h)
	}
}

// swaps records the end of an execution before its start.
func swaps(which struck, end string) chpDefect {
	return func(h *chphost.Host) {
		inEvents(which, chphost.Started, func(object) []object { return nil })(h)
		inEvents(which, end, func(event object) []object {
			return []object{event, another(h, event, chphost.Started)}
		})(h)
	}
}
