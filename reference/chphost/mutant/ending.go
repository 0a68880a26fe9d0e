package chpmutant

import (
	"fmt"
	"maps"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// ofCode tells the events and results of denials by one code.
func ofCode(members object, code string) bool {
	denial, _ := members["denial"].(object)
	return denial["code"] == code
}

// refused changes the results of payloads that break the input schema.
func refused(turn func(result object)) defect {
	return inResult(anyInvocation, func(result object) any {
		if ofCode(result, chphost.InputSchemaFailed) {
			turn(result)
		}
		return result
	})
}

// denies changes the event of a denial with this code.
func denies(code string, turn func(inv *chphost.Invocation, event object) []object) defect {
	return func(h *chphost.Host) {
		sound := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if event["event_type"] == chphost.WasDenied && ofCode(event, code) {
				return turn(inv, event)
			}
			return sound(inv, event)
		}
	}
}

// refusalDetails are defects in the details of denials and failures.
func refusalDetails() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("refusal-own-invocation-id", "CHP-5-14", "Gives every denial another invocation id.",
			inResult(anyInvocation, func(result object) any {
				if result["outcome"] == chphost.Denied {
					result["invocation_id"] = "inv-denied"
				}
				return result
			})),
		newMutant("failure-no-invocation-id", "CHP-5-14", "Leaves the invocation id out of a failure.",
			inResult(asked(fails), mutant.Without("invocation_id"))).WithRole("fails"),
		newMutant("invalid-denied-in-silence", "CHP-6-01", "Leaves no evidence where a payload breaks the input schema.",
			denies(chphost.InputSchemaFailed, func(*chphost.Invocation, object) []object { return nil })),
		newMutant("invalid-denied-as-failure", "CHP-8-10",
			"Records a failure where a payload that breaks the input schema is denied.",
			denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object {
				failed := maps.Clone(event)
				failed["event_type"], failed["outcome"] = chphost.Failed, chphost.Failure
				return []object{failed}
			})),
		newMutant("invalid-denied-without-record", "CHP-9-07", "Gives no denial where a payload breaks the input schema.",
			refused(func(result object) { result["denial"] = nil })),
		newMutant("invalid-denied-other-correlation", "CHP-7-01",
			"Gives another correlation id where a payload breaks the input schema.", refused(func(result object) {
				result["correlation"] = object{"correlation_id": "corr-validation"}
			})),
		newMutant("invariant-code-counts", "CHP-9-08", "Counts the denials of an invariant in their codes.",
			func(h *chphost.Host) {
				var denied atomic.Int64
				for i, sound := range h.Gates {
					if sound.Name != chphost.InvariantFailed {
						continue
					}
					h.Gates[i].Check = func(inv *chphost.Invocation) *chphost.Outcome {
						stopped := sound.Check(inv)
						if stopped != nil {
							stopped.Denial["code"] = fmt.Sprintf("invariant_failed_%d", denied.Add(1))
						}
						return stopped
					}
				}
			}).WithRole("guarded"),
	}
}

// ordinaryEndings are wrong for capabilities that play no role.
func ordinaryEndings() []mutant.Mutant {
	misfit := func(turn func(event object) []object) defect {
		return denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object { return turn(event) })
	}
	return []mutant.Mutant{
		newMutant("misfit-completed", "CHP-8-13",
			"Records the completion of what it denies, for a payload that breaks the input schema.",
			misfit(func(event object) []object {
				done := maps.Clone(event)
				done["event_type"], done["outcome"], done["event_id"], done["denial"] = chphost.Completed, chphost.Success, "evt-done-"+string(rpc.Append(nil, event["event_id"])), nil
				return []object{done, event}
			})),
		newMutant("misfit-unredacted", "CHP-6-11",
			"Leaves redacted out of the event of a payload that breaks the input schema.",
			misfit(one(mutant.Without("redacted")))),
		newMutant("denials-renamed", "CHP-6-05", "Gives what it denies another invocation id, in result and events.",
			func(h *chphost.Host) {
				inResult(ofUnknown, mutant.With("invocation_id", "inv-denied"))(h)
				inEvents(ofUnknown, chphost.WasDenied, one(mutant.With("invocation_id", "inv-denied")))(h)
			}).AlsoBreaks("CHP-5-14", "the result bears that id as well"),
		newMutant("second-mode-unrecorded", "CHP-8-10", "Records a refusal under another name where the mode is stream.",
			inEvents(func(inv *chphost.Invocation) bool {
				return inForeignMode(inv) && inv.Mode == "stream"
			}, chphost.WasDenied, one(mutant.With("event_type", "execution_rejected")))),
		newMutant("second-capability-mode-silent", "CHP-6-01",
			"Leaves no evidence where the mode of one capability is not supported.",
			inEvents(func(inv *chphost.Invocation) bool {
				return inForeignMode(inv) && inv.Version == "2.0.0"
			}, chphost.WasDenied, func(object) []object { return nil })),
	}
}
