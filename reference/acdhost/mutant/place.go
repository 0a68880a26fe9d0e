package acdmutant

import (
	"maps"
	"strings"
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
		newMutant("permission-of-channels", "ACD-SDK2-02", "Checks no permissions of calls through a channel.",
			removesGate(acdhost.GatePermission, through)),
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
		newMutant("projects-deleted", "ACD-SDK5-05", "Projects deleted capabilities.", projectsDeleted),
		newMutant("query-of-enabled-later", "ACD-SDK1-06", "Ignores enabled in queries, after the first queries.",
			ignoresLater("enabled")),
		newMutant("query-of-scope-later", "ACD-SDK1-05", "Ignores exposure in queries, after the first queries.",
			ignoresLater("exposure")),
		newMutant("query-of-kind-later", "ACD-LEG-05", "Ignores kind in queries, after the first queries.",
			ignoresLater("kind")),
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

// projectsDeleted projects deleted capabilities.
func projectsDeleted(h *acdhost.Host) {
	gone := newSet()
	changesParams(acdhost.OpDelete, func(params object) { gone.add(acdhost.Text(params, "capability_id")) })(h)
	projects(func(h *acdhost.Host, params object) bool {
		id := acdhost.Text(params, "capability_id")
		return gone.has(id) && h.Find(id) == nil // the id is not gone if the deletion was refused
	})(h)
}

// validAnswers is the number of queries that ignoresLater answers correctly: the suite's first reading asks twice.
const validAnswers = 2

// ignoresLater ignores a single filter after some queries with it.
func ignoresLater(filter string) defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		asked := 0
		changesParams(acdhost.OpQuery, func(params object) {
			mutex.Lock()
			defer mutex.Unlock()
			if len(params) != 1 || params[filter] == nil {
				return
			}
			if text, _ := params[filter].(string); strings.HasPrefix(text, "capconform") {
				return
			}
			if asked++; asked > validAnswers {
				delete(params, filter)
			}
		})(h)
	}
}
