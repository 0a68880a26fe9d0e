package capmutant

import (
	"context"
	"sync"

	"github.com/capconform/capconform/reference/caphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// operations returns hosts that lack an operation (CAP-DIS-03), change when they start (CAP-FC-01), or fail because of
// another call.
func operations() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("no-list", "CAP-DIS-03", "Does not provide list.", func(h *caphost.Host) { h.List = nil }),
		newMutant("no-describe", "CAP-DIS-03", "Does not provide describe.", func(h *caphost.Host) { h.Describe = nil }),
		newMutant("no-invoke", "CAP-DIS-03", "Does not provide invoke.", func(h *caphost.Host) { h.Invoke = nil }),
		newMutant("version-a-start", "CAP-FC-01", "Gives a capability a new version whenever it starts.",
			func(h *caphost.Host) {
				target, original := victim(h), h.Restart
				h.Restart = func() {
					original()
					next := target.Edit(func(manifest map[string]any) { manifest["version"] = target.Version + "+again" })
					h.Replace(target.Ref, next)
					target = next
				}
			}),
		newMutant("callers-crossed", "CAP-INV-05", "Returns to two concurrent callers each other's result.",
			answersSwapped).WithRole("echo"),
		newMutant("dies-after-failure", "CAP-ERR-04",
			"After each of two failures, answers one invoke that it served before with an error.",
			diesOnce).WithRole("fails"),
	}
}

// diesOnce answers one invoke with an error after each of two failures, and then recovers. A single
// error could be a limit on calls. It chooses the repetition of the invoke that it answered first in
// the run, so that concurrent scenarios are not affected.
func diesOnce(h *caphost.Host) {
	var mutex sync.Mutex
	dead, strikes, served := false, 0, ""
	// meets reports whether this invoke finds the host dead.
	meets := func(request string) bool {
		mutex.Lock()
		defer mutex.Unlock()
		if strikes == 2 || !dead || served != request {
			return false
		}
		dead, strikes = false, strikes+1
		return true
	}
	invoke := h.Invoke
	h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
		request := string(rpc.Append(nil, params))
		if meets(request) {
			return nil, mutant.ProtocolError("host is down")
		}
		result, err := invoke(ctx, params)
		members, _ := result.(map[string]any)
		ref, _ := params["ref"].(map[string]any)
		mutex.Lock()
		defer mutex.Unlock()
		if served == "" && members["ok"] == true {
			served = request
		}
		dead = dead || ref["capability_id"] == "conformance.fail" && members["ok"] == false
		return result, err
	}
}
