package acdmutant

import (
	"strings"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// entryLogDefects returns agents that log too little or too much of calls of registered entries, and handle copies
// correctly.
func entryLogDefects() []mutant.Mutant {
	own := func(_ object, call *acdhost.Call) bool { return !strings.HasPrefix(call.ID, probes) }
	creating := func(_ object, call *acdhost.Call) bool { return strings.HasSuffix(call.ID, "capability.create") }
	with := func(name string, value func(call *acdhost.Call, output any) any) func(object, *acdhost.Call, any) object {
		return func(record object, call *acdhost.Call, output any) object {
			record[name] = value(call, output)
			return record
		}
	}
	input := func(call *acdhost.Call, _ any) any { return call.Input }
	output := func(_ *acdhost.Call, output any) any { return output }
	return []mutant.Mutant{
		newMutant("inputs-of-entries", "ACD-SDK6-04", "Logs the inputs of entries except copies.",
			recordedAs(own, with("input", input))),
		newMutant("inputs-of-create", "ACD-SDK6-04", "Logs the inputs of capability.create.",
			recordedAs(creating, with("input", input))).WithFixtures(),
		newMutant("inputs-of-hooked", "ACD-SDK6-04", "Logs the inputs of capabilities with hooks of pre_invoke.",
			recordedAs(func(entry object, _ *acdhost.Call) bool {
				return len(acdhost.Texts(entry, "lifecycle.hooks.pre_invoke")) > 0
			}, with("input", input))).WithFixtures(),
		newMutant("outputs-of-entries", "ACD-SDK6-05", "Logs the outputs of entries except copies.",
			recordedAs(own, with("output", output))).WithFixtures(),
		newMutant("outputs-of-create", "ACD-SDK6-05", "Logs the outputs of capability.create.",
			recordedAs(creating, with("output", output))).WithFixtures(),
	}
}
