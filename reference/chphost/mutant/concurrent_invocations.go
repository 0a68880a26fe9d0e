package chpmutant

import (
	"sync"
	"time"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// mixesData exchanges the data of concurrent callers.
func mixesData(h *chphost.Host) {
	var last exchanger[any]
	original := h.Result
	h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
		result := original(inv, outcome)
		if members, isObject := result.(object); isObject && inv.CapabilityID == echo {
			members["data"] = last.exchange(members["data"])
		}
		return result
	}
}

// concurrentDefects returns hosts whose defects appear only if several invocations run at the same
// time or share an id.
func concurrentDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("results-mixed", "CHP-5-01", "Answers concurrent callers with the ids of the last one.",
			func(h *chphost.Host) {
				var last exchanger[string]
				original := h.Result
				h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
					result := original(inv, outcome)
					if members, isObject := result.(object); isObject {
						members["invocation_id"] = last.exchange(inv.ID)
					}
					return result
				}
			}),
		newMutant("end-lost-in-company", "CHP-8-08",
			"Does not record the end of an execution that ran concurrently with another one.", func(h *chphost.Host) {
				var last exchanger[string]
				original := h.Evidence
				h.Evidence = func(inv *chphost.Invocation, event object) []object {
					if event["event_type"] == chphost.EventCompleted && last.exchange(inv.ID) != inv.ID {
						return nil
					}
					return original(inv, event)
				}
			}),
		newMutant("data-mixed", "CHP-8-04", "Returns the data of another concurrent caller.", mixesData).WithRole("echo"),
	}
}

// exchanger pairs concurrent callers: each waits a short time for the next one.
type exchanger[T any] struct {
	mutex   sync.Mutex
	waiting chan T // receives the next caller's value
}

// exchange returns the value of the next caller, or own if none came.
func (m *exchanger[T]) exchange(own T) T {
	m.mutex.Lock()
	if m.waiting != nil {
		m.waiting <- own // never blocks: the channel has a buffer of one
		m.waiting = nil
		m.mutex.Unlock()
		return own
	}
	mine := make(chan T, 1)
	m.waiting = mine
	m.mutex.Unlock()
	timer := time.NewTimer(meetingTime)
	defer timer.Stop()
	select {
	case other := <-mine:
		return other
	case <-timer.C:
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.waiting == mine {
		m.waiting = nil
	}
	return own
}
