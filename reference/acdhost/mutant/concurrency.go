package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// overlap is the time that a call waits for others. On a machine under load, calls that are sent together arrive up to
// 25 ms apart or more.
const overlap = 60 * time.Millisecond

// overlapCounter counts the calls of copies that are in progress at the same time.
type overlapCounter struct {
	mutex sync.Mutex
	calls []*acdhost.Call
}

// enter delays each call of a copy, so that concurrent calls overlap, and returns the others that overlap.
func (m *overlapCounter) enter(ctx context.Context, call *acdhost.Call) (others []*acdhost.Call, leave func()) {
	m.mutex.Lock()
	others = slices.Clone(m.calls)
	m.calls = append(m.calls, call)
	m.mutex.Unlock()
	timer := time.NewTimer(overlap)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	others = append(others, slices.DeleteFunc(slices.Clone(m.calls),
		func(one *acdhost.Call) bool { return one == call })...)
	return others, func() {
		m.mutex.Lock()
		defer m.mutex.Unlock()
		m.calls = slices.DeleteFunc(m.calls, func(one *acdhost.Call) bool { return one == call })
	}
}

// concurrencyDefects returns agents that break a requirement only if calls run at the same time.
func concurrencyDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("create-lost-at-once", "ACD-SDK1-08",
			"Loses descriptors that are created at the same time as others.",
			lostAtOnce(acdhost.OpCreate)),
		newMutant("update-lost-at-once", "ACD-SDK1-10", "Loses updates that are made at the same time as others.",
			lostAtOnce(acdhost.OpUpdate)),
		newMutant("delete-lost-at-once", "ACD-SDK1-11", "Loses deletions that are made at the same time as others.",
			lostAtOnce(acdhost.OpDelete)),
		newMutant("mode-at-once", "ACD-SDK2-04",
			"Checks only the mode of the first of several calls at the same time.",
			firstOfSeveral(acdhost.GateMode, func(entry object) bool {
				return len(acdhost.Texts(entry, "invocation.modes")) == 1
			})).WithFixtures(),
		newMutant("disabled-at-once", "ACD-SDK2-05",
			"Runs disabled capabilities for all but the first of several calls at the same time.",
			firstOfSeveral(acdhost.GateEnabled, func(entry object) bool {
				return len(acdhost.Texts(entry, "permissions.required")) > 0
			})),
		newMutant("permission-shared-at-once", "ACD-SDK2-02",
			"Accepts callers who lack permissions while another caller who has them calls the same capability.",
			func(h *acdhost.Host) {
				met := &overlapCounter{}
				gateOfCopies(h, acdhost.GatePermission, func(h *acdhost.Host, call *acdhost.Call, check check) error {
					if len(acdhost.Texts(call.Entry, "permissions.required")) < 2 {
						return check(h, call)
					}
					others, leave := met.enter(context.Background(), call)
					defer leave()
					for _, other := range others {
						if other.ID == call.ID && check(h, other) == nil {
							return nil
						}
					}
					return check(h, call)
				})
			}),
		newMutant("unlogged-at-once", "ACD-SDK6-01", "Logs only one of several invocations at the same time.",
			func(h *acdhost.Host) {
				met := &overlapCounter{}
				recordedAs(func(_ object, call *acdhost.Call) bool {
					if !strings.HasPrefix(call.ID, probes) {
						return false
					}
					others, leave := met.enter(context.Background(), call)
					defer leave()
					return len(others) > 0
				}, func(object, *acdhost.Call, any) object { return nil })(h)
			}),
	}
}

// lostAtOnce answers an operation without performing it while it is performed for another caller.
func lostAtOnce(operation string) defect {
	return func(h *acdhost.Host) {
		met := &overlapCounter{}
		changesOperation(operation, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				others, leave := met.enter(ctx, &acdhost.Call{})
				defer leave()
				if len(others) > 0 {
					return object{}, nil
				}
				return original(ctx, params)
			}
		})(h)
	}
}

// firstOfSeveral opens a gate for calls of some copies while another such call is in progress.
func firstOfSeveral(name string, which func(entry object) bool) defect {
	return func(h *acdhost.Host) {
		met := &overlapCounter{}
		gateOfCopies(h, name, func(h *acdhost.Host, call *acdhost.Call, check check) error {
			if !which(call.Entry) {
				return check(h, call)
			}
			others, leave := met.enter(context.Background(), call)
			defer leave()
			if len(others) > 0 {
				return nil
			}
			return check(h, call)
		})
	}
}

// check is the check of a gate.
type check = func(h *acdhost.Host, call *acdhost.Call) error

// gateOfCopies changes a gate for calls of copies.
func gateOfCopies(h *acdhost.Host, name string, change func(*acdhost.Host, *acdhost.Call, check) error) {
	for i, gate := range h.Gates {
		if gate.Name == name {
			h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
				if !strings.HasPrefix(call.ID, probes) {
					return gate.Check(h, call)
				}
				return change(h, call, gate.Check)
			}
		}
	}
}
