package acdmutant

import (
	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// recordedAs changes the records of some calls.
func recordedAs(which func(entry object, call *acdhost.Call) bool,
	change func(record object, call *acdhost.Call, output any) object) defect {
	return func(h *acdhost.Host) {
		original := h.Record
		h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
			record := original(entry, call, output)
			if record == nil || !which(entry, call) {
				return record
			}
			return change(record, call, output)
		}
	}
}

func always(object, *acdhost.Call) bool { return true }

// withoutInput removes the input from the record of a failure.
func withoutInput(record object, _ *acdhost.Call, output any) object {
	if output == nil {
		delete(record, "input")
	}
	return record
}

// logDefects returns agents that log too little or too much of some calls.
func logDefects() []mutant.Mutant {
	none := func(object, *acdhost.Call, any) object { return nil }
	with := func(input, output bool) func(object, *acdhost.Call, any) object {
		return func(record object, call *acdhost.Call, result any) object {
			if input {
				record["input"] = call.Input
			}
			if output {
				record["output"] = result
			}
			return record
		}
	}
	event := func(_ object, call *acdhost.Call) bool { return call.Mode == "event" }
	channel := func(_ object, call *acdhost.Call) bool { return call.Channel != "" }
	lacks := func(path string) func(object, *acdhost.Call) bool {
		return func(entry object, _ *acdhost.Call) bool {
			audit, has := entry["audit"].(object)
			return path == "" && !has || has && path != "" && audit[path] == nil
		}
	}
	first := func(path string) func(object, *acdhost.Call) bool {
		were := newValueMap()
		return func(entry object, call *acdhost.Call) bool {
			if _, has := were.get(call.ID); !has {
				were.put(call.ID, acdhost.Flag(entry, path, false))
			}
			was, _ := were.get(call.ID)
			return was == true
		}
	}
	return []mutant.Mutant{
		newMutant("agents-unlogged", "ACD-SDK6-01", "Logs no invocation of capabilities with the substrate agent.",
			recordedAs(func(entry object, _ *acdhost.Call) bool {
				execution, _ := entry["execution"].(object)
				return execution["substrate"] == "agent"
			}, none)).WithFixtures(),
		newMutant("channels-unlogged", "ACD-SDK6-01", "Logs no call through a channel.", recordedAs(channel, none)),
		newMutant("inputs-of-failures-unlogged", "ACD-SDK6-04", "Does not log the input of an invocation that fails.",
			recordedAs(always, withoutInput)).WithRole("fails"),
		newMutant("inputs-of-events", "ACD-SDK6-04", "Logs the inputs of invocations in the mode event.",
			recordedAs(event, with(true, false))).WithFixtures(),
		newMutant("outputs-of-events", "ACD-SDK6-05", "Logs the outputs of invocations in the mode event.",
			recordedAs(event, with(false, true))).WithFixtures(),
		newMutant("inputs-logged-for-ever", "ACD-SDK6-04", "Logs inputs as the first descriptor said, even after an update.",
			func(h *acdhost.Host) { recordedAs(first("audit.log_inputs"), with(true, false))(h) }),
		newMutant("outputs-logged-for-ever", "ACD-SDK6-05",
			"Logs outputs as the first descriptor said, even after an update.",
			func(h *acdhost.Host) { recordedAs(first("audit.log_outputs"), with(false, true))(h) }),
		newMutant("inputs-logged-unless-said-by-half", "ACD-DESC-31",
			"Logs the inputs of capabilities whose audit lacks log_inputs.",
			recordedAs(lacks("log_inputs"), with(true, false))),
		newMutant("unlogged-without-audit", "ACD-DESC-30", "Does not log capabilities without audit.",
			recordedAs(lacks(""), none)),
	}
}
