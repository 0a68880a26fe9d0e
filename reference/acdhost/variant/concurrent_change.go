package acdvariant

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// concurrentChanges returns agents that serve other callers at the same time. Each of them
// meets the requirements of the text on registry, engine and channels at any time; no sentence
// requires that two successive answers are equal.
func concurrentChanges() []variant.Variant {
	return []variant.Variant{
		newVariant("busy-guest", "Has another caller who registers two capabilities, one a hook of the other, before one call and deletes them "+
			"before the next.",
			func(h *acdhost.Host) {
				beforeEachCall(h, comesAndGoes(h, visitors(h)...))
			}, "ACD-SDK1-01", "ACD-MAN-01"),
		newVariant("busy-guest-stays-twice", "Has another caller whose capabilities are registered during two calls and deleted during the next one.",
			func(h *acdhost.Host) {
				visit := comesAndGoes(h, visitors(h)...)
				beforeEachCall(h, func(n int64) { visit(n % 3) })
			}, "ACD-SDK1-01", "ACD-MAN-01"),
		newVariant("busy-owner", "Has another caller who changes one capability before every call: its version, state, scope, modes, "+
			"permissions and substrate.",
			func(h *acdhost.Host) {
				now := unusedCapability(h)
				other := withPaths(now, object{
					"version": "1.1.0", "name": "Under repair", "status.enabled": false, "exposure.scope": "internal",
					"invocation.modes":     []any{"direct", "event"},
					"permissions.required": []any{"repair"}, "execution.substrate": "symbolic", "execution.entrypoint": "note",
				})
				beforeEachCall(h, alternates(h, now, other))
			}, "ACD-SDK1-09", "ACD-SDK1-12"),
		newVariant("busy-release", "Has another caller who releases a version before every call, each with another mode and another permission.",
			func(h *acdhost.Host) {
				now := unusedCapability(h)
				beforeEachCall(h, func(n int64) {
					h.Put(withPaths(now, object{
						"version": fmt.Sprintf("1.%d.0", n), "description": fmt.Sprintf("Release %d.", n),
						"invocation.modes":     []any{[]any{"direct", "ui_action"}[n%2]},
						"permissions.required": []any{fmt.Sprintf("release.%d", n)},
					}))
				})
			}, "ACD-SDK1-09"),
		newVariant("busy-callers", "Has other callers, whose calls run, fail and are refused between any two calls, and logs that keep only the "+
			"last 400 entries.",
			otherCallers,
			"ACD-SDK6-01", "ACD-SDK2-03"),
		newVariant("busy-other-run", "Is examined by another run at the same time, whose copies, including a shell, come and go.", func(h *acdhost.Host) {
			beforeEachCall(h, comesAndGoes(h, otherRun(h)...))
		}, "ACD-SDK4-04"),
		newVariant("busy-sessions", "Has a channel for a session, which opens before one call and closes before the next.",
			busySessions, "ACD-SDK5-01"),
		newVariant("busy-order", "Returns entries, and the sets in them, in another order with each reading.", busyOrder,
			"ACD-SDK6-03"),
		newVariant("busy-counters", "Counts the readings of its descriptors in additional members.", busyCounters,
			"ACD-SDK6-03", "ACD-SDK1-09"),
		newVariant("busy-service", "Reaches an external service only in every second call.", func(h *acdhost.Host) {
			original, asked := h.Executors["external_service"], atomic.Int64{}
			h.Executors["external_service"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
				if asked.Add(1)%2 == 0 {
					return nil, fmt.Errorf("the service is busy")
				}
				return original(ctx, call)
			}
		}, "ACD-SDK2-01"),
	}
}

// operationStyles lists the operations before which other callers act.
var operationStyles = []string{
	acdhost.OpManifest, acdhost.OpList, acdhost.OpGet, acdhost.OpCreate, acdhost.OpUpdate, acdhost.OpDelete,
	acdhost.OpQuery, acdhost.OpLegacy, acdhost.OpInvoke,
	acdhost.OpDeclare, acdhost.OpProject, acdhost.OpDocs, acdhost.OpAudit, acdhost.OpExecLog,
}

// beforeEachCall calls do before each call, with the number of the call.
func beforeEachCall(h *acdhost.Host, do func(n int64)) {
	var mutex sync.Mutex
	var n int64
	for _, operation := range operationStyles {
		changedOperation(operation, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				mutex.Lock()
				n++
				do(n)
				mutex.Unlock()
				return original(ctx, params)
			}
		})(h)
	}
}

func comesAndGoes(h *acdhost.Host, all ...object) func(n int64) {
	return func(n int64) {
		for _, entry := range all {
			if n%2 != 0 {
				h.Put(entry)
			} else if n%3 != 2 {
				h.Delete(acdhost.Text(entry, "capability_id"))
			}
		}
	}
}

func alternates(h *acdhost.Host, forms ...object) func(n int64) {
	return func(n int64) { h.Put(forms[n%int64(len(forms))]) }
}

// unusedCapability returns a capability on which no scenario depends.
func unusedCapability(h *acdhost.Host) object {
	all := h.Query(object{"execution": "external_service"})
	return all[len(all)-1]
}

func withPaths(entry, paths object) object {
	made := object{}
	for name, value := range entry {
		made[name] = value
		if members, is := value.(object); is {
			inner := object{}
			for path, part := range members {
				inner[path] = part
			}
			made[name] = inner
		}
	}
	for path, value := range paths {
		acdhost.Set(made, path, value)
	}
	return made
}

// visitors returns two capabilities, the second of which is a hook of the first.
func visitors(h *acdhost.Host) []object {
	first := withPaths(unusedCapability(h), object{
		"capability_id": "desk.visitor", "name": "Visitor", "exposure": object{"scope": "public"},
		"invocation.modes": []any{"direct", "command", "ui_action"},
		"lifecycle":        object{"hooks": object{"pre_invoke": []any{"desk.visitor.door"}}},
	})
	return []object{first, withPaths(first, object{"capability_id": "desk.visitor.door", "name": "Door",
		"execution.substrate": "transport", "lifecycle": object{}})}
}

// otherRun returns copies as another run of capconform registers them.
func otherRun(h *acdhost.Host) []object {
	const prefix = "conformance.probe.0ther"
	of := h.Entries()[0]
	shell := withPaths(of, object{"capability_id": prefix + "001", "execution.substrate": "shell",
		"exposure": object{"scope": "public", "channels": []any{"cli", "web", "mcp"}}})
	hooked := withPaths(of, object{"capability_id": prefix + "002",
		"lifecycle":            object{"hooks": object{"on_error": []any{prefix + "003"}}},
		"permissions.required": []any{"conformance.first"}})
	return []object{shell, hooked,
		withPaths(of, object{"capability_id": prefix + "003", "status.enabled": false, "invocation.modes": []any{"event"}})}
}

// otherCallers lets another caller call before each call.
func otherCallers(h *acdhost.Host) {
	const kept = 400
	var engine rpc.Operation
	own := h.Entries()
	var n atomic.Int64
	changedOperation(acdhost.OpInvoke, func(original rpc.Operation) rpc.Operation { engine = original; return original })(h)
	tail := func(name string) func(object, any) any {
		return func(_ object, result any) any {
			members, _ := result.(object)
			list, _ := members[name].([]any)
			return object{name: list[max(0, len(list)-kept):]}
		}
	}
	for _, operation := range []string{acdhost.OpList, acdhost.OpManifest, acdhost.OpAudit, acdhost.OpExecLog,
		acdhost.OpDeclare, acdhost.OpCreate} {
		changedOperation(operation, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				at := n.Add(1)
				if entry := own[at%int64(len(own))]; !strings.Contains(acdhost.Text(entry, "execution.entrypoint"), "create") &&
					acdhost.Text(entry, "execution.substrate") != "shell" {
					held := []any{}
					if at%3 != 0 {
						held = append(held, acdhost.Text(entry, "permissions.required"))
					}
					// The result belongs to the other caller.
					_, _ = engine(ctx, object{
						"capability_id": entry["capability_id"], "mode": "direct", "input": object{"message": "of another caller"},
						"principal": object{"id": "another", "permissions": held},
					})
				}
				return original(ctx, params)
			}
		})(h)
	}
	for operation, name := range map[string]string{acdhost.OpAudit: "records", acdhost.OpExecLog: "entries"} {
		first := h.Wrap[operation]
		changedOperation(operation, func(original rpc.Operation) rpc.Operation {
			run := first(original)
			return func(ctx context.Context, params map[string]any) (any, error) {
				result, err := run(ctx, params)
				if err != nil {
					return nil, err
				}
				return tail(name)(params, result), nil
			}
		})(h)
	}
	changedResult(acdhost.OpCalls, func(_ object, result any) any {
		members, _ := result.(object)
		calls, _ := members["calls"].(int)
		return object{"calls": calls + int(n.Load())}
	})(h)
}

// busySessions adds a channel that answers like the channel web while a session is open.
func busySessions(h *acdhost.Host) {
	const session = "session-7f3a"
	var open atomic.Bool
	beforeEachCall(h, func(n int64) { open.Store(n%2 != 0) })
	for _, c := range h.Channels {
		if c.ID == "web" {
			c.ID = session
			h.Channels = append(h.Channels, c)
		}
	}
	for operation, name := range map[string]string{acdhost.OpDeclare: "channel_id", acdhost.OpProject: "channel_id",
		acdhost.OpInvoke: "channel"} {
		changedOperation(operation, permitting(h.Wrap[operation], func(params object) bool {
			return params[name] != session ||
				open.Load()
		}))(h)
	}
	first := h.Wrap[acdhost.OpManifest]
	changedOperation(acdhost.OpManifest, func(original rpc.Operation) rpc.Operation {
		return first(func(ctx context.Context, params map[string]any) (any, error) {
			result, err := original(ctx, params)
			if members, is := result.(object); is && !open.Load() {
				channels, _ := members["channels"].([]any)
				members["channels"] = slices.DeleteFunc(channels,
					func(item any) bool { return acdhost.Text(item, "channel_id") == session })
			}
			return result, err
		})
	})(h)
}

// permitting forwards the calls for which may is true, and refuses the others.
func permitting(first func(rpc.Operation) rpc.Operation,
	may func(params object) bool) func(rpc.Operation) rpc.Operation {
	return func(original rpc.Operation) rpc.Operation {
		return first(func(ctx context.Context, params map[string]any) (any, error) {
			if !may(params) {
				return nil, rpc.Refuse("", "no such channel")
			}
			return original(ctx, params)
		})
	}
}

// changedReadings changes the descriptors in each answer that contains descriptors.
func changedReadings(h *acdhost.Host, change func(n int64, list []any)) {
	var n atomic.Int64
	for _, operation := range []string{acdhost.OpList, acdhost.OpGet, acdhost.OpQuery, acdhost.OpLegacy} {
		changedResult(operation, func(_ object, result any) any {
			members, _ := result.(object)
			list, is := members["capabilities"].([]any)
			if !is {
				list = []any{result}
			}
			change(n.Add(1), list)
			return result
		})(h)
	}
}

func busyOrder(h *acdhost.Host) {
	sets := []string{"invocation.modes", "invocation.command_aliases", "exposure.channels", "permissions.required",
		"inputs.required", "dependencies.resources", "dependencies.capabilities"}
	for _, entry := range h.Entries() {
		if len(acdhost.Texts(entry, "permissions.required")) == 0 && !acdhost.Flag(entry, "status.mutable", true) {
			acdhost.Set(entry, "invocation.modes", []any{"direct", "event", "message"})
			h.Put(entry)
		}
	}
	changedReadings(h, func(n int64, list []any) {
		if n%2 == 0 {
			return
		}
		slices.Reverse(list)
		for _, entry := range list {
			for _, path := range sets {
				if all := acdhost.Texts(entry, path); len(all) > 1 {
					reversed := []any{}
					for _, one := range slices.Backward(all) {
						reversed = append(reversed, one)
					}
					acdhost.Set(entry.(object), path, reversed)
				}
			}
		}
	})
}

func busyCounters(h *acdhost.Host) {
	changedReadings(h, func(n int64, list []any) {
		for _, item := range list {
			if entry, is := item.(object); is && entry["capability_id"] != nil {
				for _, path := range []string{"status.reads", "execution.load", "audit.written", "permissions.checked",
					"lifecycle.seen", "invocation.last", "inputs.seen"} {
					acdhost.Set(entry, path, n)
				}
			}
		}
	})
}
