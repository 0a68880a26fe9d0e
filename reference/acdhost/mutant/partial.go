package acdmutant

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// partial returns agents that break a requirement only in one mode, for one kind of entry,
// on one channel, or after a change.
func partial() []mutant.Mutant {
	return slices.Concat(partialRegistries(), partialEngines(), partialPermissions(), partialChannels(),
		partialGovernance(), partialHooks())
}

func partialRegistries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("subagents-by-kind", "ACD-LEG-03", "Lists proxies by /listSubAgents.", func(h *acdhost.Host) {
			changesOperation(acdhost.OpLegacy, func(original rpc.Operation) rpc.Operation {
				return func(ctx context.Context, params map[string]any) (any, error) {
					if params["endpoint"] != "/listSubAgents" {
						return original(ctx, params)
					}
					all := []any{}
					for _, entry := range h.Query(object{"kind": "proxy"}) {
						all = append(all, entry)
					}
					return object{"capabilities": all}, nil
				}
			})(h)
		}),
		newMutant("deleted-runs", "ACD-SDK1-11", "Still runs deleted capabilities.", remembersDeleted(anyCall)),
	}
}

// remembersDeleted lets the engine find deleted entries for some calls.
func remembersDeleted(which func(call *acdhost.Call) bool) defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		gone := map[string]map[string]any{}
		changesOperation(acdhost.OpDelete, func(original rpc.Operation) rpc.Operation {
			return func(ctx context.Context, params map[string]any) (any, error) {
				id := acdhost.Text(params, "capability_id")
				entry := h.Find(id)
				result, err := original(ctx, params)
				if err == nil && entry != nil {
					mutex.Lock()
					gone[id] = entry
					mutex.Unlock()
				}
				return result, err
			}
		})(h)
		findsUnregistered(h, func(call *acdhost.Call) map[string]any {
			mutex.Lock()
			defer mutex.Unlock()
			if !which(call) {
				return nil
			}
			return gone[call.ID]
		})
	}
}

// findsUnregistered lets the engine find entries that are not in the registry.
func findsUnregistered(h *acdhost.Host, find func(call *acdhost.Call) map[string]any) {
	for i, gate := range h.Gates {
		if gate.Name == acdhost.GateKnown {
			h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
				if call.Entry == nil {
					call.Entry = find(call)
				}
				return gate.Check(h, call)
			}
		}
	}
}

func partialEngines() []mutant.Mutant {
	known := func(h *acdhost.Host) *idSet {
		all := newSet()
		for _, entry := range h.Entries() {
			all.add(acdhost.Text(entry, "capability_id"))
		}
		return all
	}
	return []mutant.Mutant{
		newMutant("unknown-prefix", "ACD-SDK2-06", "Runs a capability for an unknown id that begins with its id.",
			func(h *acdhost.Host) {
				findsUnregistered(h, func(call *acdhost.Call) map[string]any {
					all := h.Entries()
					at := slices.IndexFunc(all, func(e map[string]any) bool {
						return strings.HasPrefix(call.ID, acdhost.Text(e, "capability_id")+".")
					})
					if at < 0 {
						return nil
					}
					return all[at]
				})
			}),
		newMutant("disabled-event-runs", "ACD-SDK2-05", "Runs disabled capabilities in the mode event.",
			removesGate(acdhost.GateEnabled, func(call *acdhost.Call) bool { return call.Mode == "event" })).
			WithFixtures(),
		newMutant("mode-direct-always", "ACD-SDK2-04", "Accepts the mode direct for every capability.",
			removesGate(acdhost.GateMode, func(call *acdhost.Call) bool { return call.Mode == "direct" })).
			WithFixtures(),
		newMutant("substrate-of-copies", "ACD-SDK2-03",
			"Runs capabilities that were created at runtime on the substrate symbolic.",
			func(h *acdhost.Host) {
				first, original := known(h), h.Route
				h.Route = func(entry map[string]any) string {
					if first.has(acdhost.Text(entry, "capability_id")) || original(entry) == "shell" {
						return original(entry)
					}
					return "symbolic"
				}
			}).WithRole("echo"),
		newMutant("echo-cached", "ACD-SDK2-01", "Returns the first output of a capability to every later call.",
			func(h *acdhost.Host) {
				var mutex sync.Mutex
				outputs := map[string]any{}
				original := h.Handlers["echo"]
				h.Handlers["echo"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
					output, err := original(ctx, call)
					mutex.Lock()
					defer mutex.Unlock()
					if kept, there := outputs[call.ID]; there || err != nil {
						return kept, err
					}
					outputs[call.ID] = output
					return output, nil
				}
			}).WithRole("echo"),
		enableResets(),
	}
}

func enableResets() mutant.Mutant {
	return newMutant("enable-resets", "ACD-SDK3-04", "Changes the scope of a capability that capability.enable enables.",
		func(h *acdhost.Host) {
			original := h.Handlers["enable"]
			h.Handlers["enable"] = func(ctx context.Context, call *acdhost.Call) (any, error) {
				output, err := original(ctx, call)
				if entry := h.Find(acdhost.Text(call.Input, "capability_id")); err == nil && entry != nil {
					acdhost.Set(entry, "exposure.scope", "channel")
					h.Put(entry)
				}
				return output, err
			}
		})
}

// partialPermissions returns agents that check permissions only sometimes.
func partialPermissions() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("permission-once", "ACD-SDK2-02",
			"Checks the permissions of a capability only until a caller has them.",
			func(h *acdhost.Host) {
				passed := newSet()
				for i, gate := range h.Gates {
					if gate.Name != acdhost.GatePermission {
						continue
					}
					h.Gates[i].Check = func(h *acdhost.Host, call *acdhost.Call) error {
						if len(acdhost.Texts(call.Entry, "permissions.required")) < 2 || !passed.has(call.ID) {
							if err := gate.Check(h, call); err != nil {
								return err
							}
							passed.add(call.ID)
						}
						return nil
					}
				}
			}),
	}
}

func partialChannels() []mutant.Mutant {
	// shows treats an entry as if it had another value at path on some channels.
	shows := func(which func(c acdhost.Channel, entry map[string]any) bool, path string, value any) defect {
		return func(h *acdhost.Host) {
			original := h.Realizes
			h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
				if entry == nil || !which(c, entry) {
					return original(c, entry)
				}
				seen := maps.Clone(entry)
				head, _, _ := strings.Cut(path, ".")
				if part, is := seen[head].(map[string]any); is {
					seen[head] = maps.Clone(part)
				}
				acdhost.Set(seen, path, value)
				return original(c, seen)
			}
		}
	}
	of := func(id string) func(acdhost.Channel, map[string]any) bool {
		return func(c acdhost.Channel, _ map[string]any) bool { return c.ID == id }
	}
	return []mutant.Mutant{
		newMutant("projects-events-on-mcp", "ACD-SDK5-03",
			"Projects capabilities with the mode event on one channel that does not support it.",
			shows(func(c acdhost.Channel, entry map[string]any) bool {
				return c.ID == "mcp" && slices.Equal(acdhost.Texts(entry, "invocation.modes"), []string{"event"})
			}, "invocation.modes", []any{"direct"})),
		newMutant("projects-for-others-on-mcp", "ACD-SDK5-04",
			"Projects on one channel capabilities that name other channels.",
			shows(of("mcp"), "exposure.channels", []any{})),
		newMutant("shell-by-request", "ACD-SDK4-04", "Shows a shell on a channel that its descriptor names.",
			shows(func(c acdhost.Channel, entry map[string]any) bool {
				return slices.Contains(acdhost.Texts(entry, "exposure.channels"), c.ID)
			}, "execution.substrate", "symbolic")).WithRole("shell"),
	}
}

func partialGovernance() []mutant.Mutant {
	failed := func(turn func(record, entry object, call *acdhost.Call) object) defect {
		return func(h *acdhost.Host) {
			original := h.Record
			h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
				record := original(entry, call, output)
				if record == nil || output != nil {
					return record
				}
				return turn(record, entry, call)
			}
		}
	}
	return []mutant.Mutant{
		newMutant("failures-unlogged", "ACD-SDK6-01", "Logs no invocation that fails.",
			failed(func(object, object, *acdhost.Call) object { return nil })).WithRole("fails"),
		newMutant("failures-log-inputs", "ACD-SDK6-04",
			"Logs the input of an invocation that fails, although the descriptor says false.",
			failed(func(record, _ object, call *acdhost.Call) object {
				record["input"] = call.Input
				return record
			})).WithRole("fails"),
		newMutant("immutable-newer", "ACD-SDK6-03", "Replaces an immutable capability by a newer version.",
			func(h *acdhost.Host) {
				original := h.Guard
				h.Guard = func(entry, change map[string]any) error {
					if change != nil && change["version"] != entry["version"] {
						return nil
					}
					return original(entry, change)
				}
			}),
		newMutant("docs-first-name", "ACD-EX4-01", "Has documentation that keeps the first name of a capability.",
			func(h *acdhost.Host) {
				var mutex sync.Mutex
				names := map[string]string{}
				changesResult(acdhost.OpDocs, func(_, result object) {
					mutex.Lock()
					defer mutex.Unlock()
					for _, entry := range h.Entries() {
						id, name := acdhost.Text(entry, "capability_id"), acdhost.Text(entry, "name")
						if names[id] == "" {
							names[id] = name
						}
						result["text"] = strings.ReplaceAll(acdhost.Text(result, "text"), name, names[id])
					}
				})(h)
			}).WithFixtures(),
	}
}

// partialHooks returns agents that run only some hooks.
func partialHooks() []mutant.Mutant {
	// hooked changes the list of hooks of a call.
	hooked := func(kind string, keep func(call *acdhost.Call, ids []string) []string) defect {
		return func(h *acdhost.Host) {
			original := h.RunWithHooks
			h.RunWithHooks = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
				path := "lifecycle.hooks." + kind
				if ids := acdhost.Texts(call.Entry, path); len(ids) > 0 {
					kept := []any{}
					for _, id := range keep(call, ids) {
						kept = append(kept, id)
					}
					acdhost.Set(call.Entry, path, kept)
				}
				return original(ctx, call, run)
			}
		}
	}
	first := func(_ *acdhost.Call, ids []string) []string { return ids[:1] }
	beside := func(kind string) func(*acdhost.Call, []string) []string {
		return func(call *acdhost.Call, ids []string) []string {
			if len(acdhost.Texts(call.Entry, "lifecycle.hooks."+kind)) > 0 {
				return nil
			}
			return ids
		}
	}
	return []mutant.Mutant{
		newMutant("pre-first-alone", "ACD-SDK6-02",
			"Runs only the first hook of pre_invoke.", hooked("pre_invoke", first)),
		newMutant("post-direct-alone", "ACD-SDK6-06", "Runs the hooks of post_invoke only after direct calls.",
			hooked("post_invoke", func(call *acdhost.Call, ids []string) []string {
				if call.Mode == "direct" {
					return ids
				}
				return nil
			})).WithFixtures(),
		newMutant("post-not-beside-pre", "ACD-SDK6-06",
			"Does not run the hooks of post_invoke of a capability that has hooks of pre_invoke.",
			hooked("post_invoke", beside("pre_invoke"))),
		newMutant("on-error-not-beside-post", "ACD-SDK6-07",
			"Does not run the hooks of on_error of a capability that has hooks of post_invoke.",
			hooked("on_error", beside("post_invoke"))).WithRole("fails"),
		newMutant("on-error-first-alone", "ACD-SDK6-07", "Runs only the first hook of on_error.",
			hooked("on_error", first)).WithRole("fails"),
	}
}
