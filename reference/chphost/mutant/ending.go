package chpmutant

import (
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// ofCode reports whether an event or result contains a denial with one code.
func ofCode(members object, code string) bool {
	denial, _ := members["denial"].(object)
	return denial["code"] == code
}

// refused changes the results of payloads that break the input schema.
func refused(change func(result object)) defect {
	return inResult(anyInvocation, func(result object) any {
		if ofCode(result, chphost.InputSchemaFailed) {
			change(result)
		}
		return result
	})
}

// denies changes the event of a denial with this code.
func denies(code string, change func(inv *chphost.Invocation, event object) []object) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if event["event_type"] == chphost.EventDenied && ofCode(event, code) {
				return change(inv, event)
			}
			return original(inv, event)
		}
	}
}

// refusalDetails returns hosts with defects in the details of denials and failures.
func refusalDetails() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("refusal-own-invocation-id", "CHP-5-14", "Uses another invocation id in every denial.",
			inResult(anyInvocation, func(result object) any {
				if result["outcome"] == chphost.Denied {
					result["invocation_id"] = "inv-denied"
				}
				return result
			})),
		newMutant("invalid-denied-in-silence", "CHP-6-01", "Emits no evidence if a payload breaks the input schema.",
			denies(chphost.InputSchemaFailed, func(*chphost.Invocation, object) []object { return nil })),
		newMutant("invalid-denied-once", "CHP-6-01",
			"Emits evidence only for the first payload that breaks the input schema of a capability.",
			func(h *chphost.Host) {
				var seen sync.Map
				denies(chphost.InputSchemaFailed, func(inv *chphost.Invocation, event object) []object {
					if _, again := seen.LoadOrStore(inv.CapabilityID, true); again {
						return nil
					}
					return []object{event}
				})(h)
			}),
		newMutant("invalid-denied-as-failure", "CHP-8-10",
			"Records a failure if it denies a payload that breaks the input schema.",
			denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object {
				failed := maps.Clone(event)
				failed["event_type"], failed["outcome"] = chphost.EventFailed, chphost.Failure
				return []object{failed}
			})),
		newMutant("invalid-denied-without-record", "CHP-9-07",
			"Returns no denial record if a payload breaks the input schema.",
			refused(func(result object) { result["denial"] = nil })),
		newMutant("invalid-denied-other-correlation", "CHP-7-01",
			"Uses another correlation id if a payload breaks the input schema.", refused(func(result object) {
				result["correlation"] = object{"correlation_id": "corr-validation"}
			})),
		newMutant("invariant-code-counts", "CHP-9-08", "Numbers the codes of denials of an invariant.",
			func(h *chphost.Host) {
				var denied atomic.Int64
				for i, original := range h.Gates {
					if original.Name != chphost.InvariantFailed {
						continue
					}
					h.Gates[i].Check = func(inv *chphost.Invocation) *chphost.Outcome {
						stopped := original.Check(inv)
						if stopped != nil {
							stopped.Denial["code"] = fmt.Sprintf("invariant_failed_%d", denied.Add(1))
						}
						return stopped
					}
				}
			}).WithRole("guarded"),
	}
}

// ordinaryEndings returns hosts that end invocations of capabilities without a role wrongly.
func ordinaryEndings() []mutant.Mutant {
	misfit := func(change func(event object) []object) defect {
		return denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object { return change(event) })
	}
	return []mutant.Mutant{
		newMutant("misfit-completed", "CHP-8-13",
			"Records a completion for a payload that breaks the input schema and that it denies.",
			misfit(func(event object) []object {
				done := maps.Clone(event)
				done["event_type"], done["outcome"], done["denial"] = chphost.EventCompleted, chphost.Success, nil
				done["event_id"] = "evt-done-" + string(rpc.Append(nil, event["event_id"]))
				return []object{done, event}
			})),
		newMutant("misfit-unredacted", "CHP-6-11",
			"Omits redacted from the event of an invocation whose payload breaks the input schema.",
			misfit(asEventChange(mutant.Without("redacted")))),
		newMutant("denials-renamed", "CHP-6-05", "Uses another invocation id in the result and events of a denial.",
			func(h *chphost.Host) {
				inResult(ofUnknown, mutant.With("invocation_id", "inv-denied"))(h)
				inEvents(ofUnknown, chphost.EventDenied, asEventChange(mutant.With("invocation_id", "inv-denied")))(h)
			}).AlsoBreaks("CHP-5-14", "the result bears that id as well"),
		newMutant("second-mode-unrecorded", "CHP-8-10", "Records a denial under another event type if the mode is stream.",
			inEvents(func(inv *chphost.Invocation) bool {
				return inForeignMode(inv) && inv.Mode == "stream"
			}, chphost.EventDenied, asEventChange(mutant.With("event_type", "execution_rejected")))),
		newMutant("second-capability-mode-silent", "CHP-6-01",
			"Emits no evidence if one capability does not support the mode.", inEvents(func(inv *chphost.Invocation) bool {
				return inForeignMode(inv) && inv.Version == "2.0.0"
			}, chphost.EventDenied, func(object) []object { return nil })),
	}
}
