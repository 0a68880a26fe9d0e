package chpmutant

import (
	"bytes"
	"encoding/json"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// bodies returns hosts that execute bodies that are not envelopes, and one that forgets its id.
func bodies() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("list-executed", "CHP-5-10", "Executes an envelope in a list.", mends(func(body []byte) []byte {
			return bytes.TrimSuffix(bytes.TrimPrefix(body, []byte("[")), []byte("]"))
		})).OverHTTP(),
		newMutant("text-executed", "CHP-5-10", "Executes an envelope in a string.", mends(func(body []byte) []byte {
			var text string
			_ = json.Unmarshal(body, &text)
			return []byte(text)
		})).OverHTTP(),
		newMutant("cut-envelope-executed", "CHP-5-10", "Executes an envelope without its last brace.",
			mends(func(body []byte) []byte { return append(body, '}') })).OverHTTP(),
		newMutant("host-id-of-start", "CHP-4-09", "Uses another host id after each start.", changesIDAtStart),
	}
}

// changesIDAtStart gives the host another id after each start, in the host descriptor and in events.
func changesIDAtStart(h *chphost.Host) {
	starts := new(atomic.Int64)
	h.OnRestart = func() { starts.Add(1) }
	id := func() string { return chphost.HostID + strings.Repeat("-again", int(starts.Load())) }
	editsHost(func(descriptor object) any { return mutant.With("id", id())(descriptor) })(h)
	recorded := h.Evidence
	h.Evidence = func(inv *chphost.Invocation, event object) []object {
		event["host_id"] = id()
		return recorded(inv, event)
	}
}

// mends changes a body that is not a JSON object into one, if that is possible.
func mends(change func(body []byte) []byte) defect {
	isObject := func(body []byte) bool { return json.Valid(body) && bytes.HasPrefix(body, []byte("{")) }
	return func(h *chphost.Host) {
		h.Binding.RepairBody = func(body []byte) []byte {
			if changed := change(bytes.Clone(body)); !isObject(body) && isObject(changed) {
				return changed
			}
			return body
		}
	}
}
