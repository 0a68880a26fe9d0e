package acdmutant

import (
	"maps"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// places returns agents that break a requirement in one place: for calls through channels,
// in the answers to one query, or after a number of calls.
func places() []mutant.Mutant {
	through := func(call *acdhost.Call) bool { return call.Channel != "" }
	channel := func(_ object, call *acdhost.Call) bool { return through(call) }
	logs := func(member string, value func(*acdhost.Call, any) any) defect {
		return recordedAs(channel, func(record object, call *acdhost.Call, output any) object {
			record[member] = value(call, output)
			return record
		})
	}
	return []mutant.Mutant{
		newMutant("disabled-through-channel", "ACD-SDK2-05",
			"Runs disabled capabilities for calls through a channel.", func(h *acdhost.Host) {
				removesGate(acdhost.GateEnabled, through)(h)
				for i, gate := range h.Gates {
					if gate.Name == acdhost.GateChannel {
						h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
							on := *call
							on.Entry = maps.Clone(call.Entry)
							acdhost.Set(on.Entry, "status", object{"enabled": true})
							return gate.Check(h, &on)
						}
					}
				}
			}),
		newMutant("mode-of-channels", "ACD-SDK2-04", "Checks no mode of calls through a channel.",
			removesGate(acdhost.GateMode, through)),
		newMutant("inputs-of-channels", "ACD-SDK6-04", "Logs the inputs of calls through a channel.",
			logs("input", func(call *acdhost.Call, _ any) any { return call.Input })),
		newMutant("outputs-of-channels", "ACD-SDK6-05", "Logs the outputs of calls through a channel.",
			logs("output", func(_ *acdhost.Call, output any) any { return output })),
		newMutant("logged-twice", "ACD-SDK6-01", "Logs at most two invocations of each capability.", loggedAtMost(2)),
	}
}

// loggedAtMost logs only the first invocations of each capability.
func loggedAtMost(often int) defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		logged := map[string]int{}
		changesRecord(func(record, _ object, call *acdhost.Call) object {
			mutex.Lock()
			defer mutex.Unlock()
			if logged[call.ID]++; logged[call.ID] > often {
				return nil
			}
			return record
		})(h)
	}
}
