package acdmutant

import (
	"context"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// indexed changes the manifest.
func indexed(change func(manifest object)) defect {
	return changesResult(acdhost.OpManifest, func(_, manifest object) { change(manifest) })
}

// listed changes the list of the manifest.
func listed(change func(list []any) []any) defect {
	return indexed(func(manifest object) {
		capabilities, _ := manifest["capabilities"].(object)
		list, _ := capabilities["list"].([]any)
		capabilities["list"] = change(list)
	})
}

// onChannel changes one channel of the manifest.
func onChannel(id string, change func(channel object)) defect {
	return indexed(func(manifest object) {
		channels, _ := manifest["channels"].([]any)
		for _, item := range channels {
			if channel, is := item.(object); is && channel["channel_id"] == id {
				change(channel)
			}
		}
	})
}

// moreChannels adds a channel to the manifest.
func moreChannels(channel object) defect {
	return indexed(func(manifest object) {
		channels, _ := manifest["channels"].([]any)
		manifest["channels"] = append(channels, channel)
	})
}

// atPath sets a member of the manifest.
func atPath(path string, value any) defect { return indexed(setAt(path, value)) }

// manifests returns agents whose manifests are invalid or do not match the registry (ACD 2.1).
func manifests() []mutant.Mutant {
	without := func(name string) defect {
		return indexed(func(manifest object) { delete(manifest, name) })
	}
	const ghost = "the id in the list is not registered"
	return []mutant.Mutant{
		newMutant("manifest-by-hand", "ACD-MAN-01", "Has a manifest that never changes.", frozen(acdhost.OpManifest)),
		newMutant("manifest-remembers", "ACD-MAN-01", "Still lists deleted and disabled capabilities in its manifest.",
			remembers()),
		newMutant("manifest-omits", "ACD-MAN-01", "Omits an enabled capability from its manifest.", func(h *acdhost.Host) {
			id := victim(h)["capability_id"]
			listed(func(list []any) []any { return slices.DeleteFunc(list, func(item any) bool { return item == id }) })(h)
		}).AlsoBreaks("ACD-EX4-02", "an entry that is not listed breaks one of the two directions"),
		newMutant("channel-with-commands", "ACD-MAN-02", "Defines commands in a channel.",
			onChannel("web", setAt("commands", object{"tides": "run"}))),
		newMutant("channel-with-handler", "ACD-MAN-02", "Gives a channel a handler.",
			onChannel("web", setAt("handler", "web.Serve"))),
		newMutant("agent-id-missing", "ACD-MAN-03", "Has no agent_id in its manifest.", without("agent_id")),
		newMutant("agent-id-number", "ACD-MAN-03", "Has a number as agent_id.", atPath("agent_id", 7)),
		newMutant("manifest-name-missing", "ACD-MAN-04", "Has no name in its manifest.", without("name")),
		newMutant("manifest-name-empty", "ACD-MAN-04", "Has an empty name in its manifest.", atPath("name", "")),
		newMutant("manifest-version-missing", "ACD-MAN-05", "Has no version in its manifest.", without("version")),
		newMutant("manifest-version-number", "ACD-MAN-05", "Has a number as the version of its manifest.",
			atPath("version", 1)),
		newMutant("registry-template", "ACD-MAN-06", "Has the template \"inline | external\" as its registry.",
			atPath("capabilities.registry", "inline | external")),
		newMutant("registry-missing", "ACD-MAN-06", "Does not say where its registry is.",
			atPath("capabilities.registry", nil)),
		newMutant("list-of-objects", "ACD-MAN-07", "Lists an object among the ids.",
			listed(func(list []any) []any { return append(list, object{"capability_id": list[0]}) })),
		newMutant("channel-nameless", "ACD-MAN-08", "Has a channel without an id.",
			moreChannels(object{"capabilities": []any{}})),
		newMutant("channel-numbered", "ACD-MAN-08", "Has a channel with a number as its id.",
			moreChannels(object{"channel_id": 7, "capabilities": []any{}})),
		newMutant("channel-bare", "ACD-MAN-09", "Has a channel that lists no capabilities.",
			onChannel("web", func(channel object) { delete(channel, "capabilities") })),
		newMutant("channel-of-one", "ACD-MAN-09", "Lists the capabilities of a channel as one string.",
			onChannel("web", setAt("capabilities", "cap.web.adapter"))),
		newMutant("policy-object", "ACD-MAN-10", "Has an object as a policy.",
			atPath("policies.shell_access", object{"scope": "all"})),
		newMutant("policy-text", "ACD-MAN-10", "Has a string instead of a list as llm_required_for.",
			atPath("policies.llm_required_for", "delegation")),
		newMutant("channel-exposes-ghost", "ACD-MAN-11", "Exposes on a channel a capability that is not registered.",
			onChannel("web", func(channel object) {
				list, _ := channel["capabilities"].([]any)
				channel["capabilities"] = append(list, "cap.ghost")
			})),
		newMutant("manifest-lists-ghost", "ACD-EX4-02", "Advertises a sub-agent that is not in the registry.",
			listed(func(list []any) []any {
				return append(list, "cap.ghost.agent")
			})).WithFixtures().AlsoBreaks("ACD-MAN-01", ghost),
		newMutant("manifest-lists-disabled", "ACD-EX4-02", "Advertises a disabled capability.",
			listed(func(list []any) []any {
				return append(list, "cap.archive")
			})).WithFixtures(),
	}
}

// secondRegistries returns agents with a second registry (FR-SDK-1).
func secondRegistries() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("skill-registry", "ACD-SDK1-07", "Has a registry of skills beside its capabilities.",
			atPath("skills", []any{object{"name": "sum"}})),
		newMutant("skill-registry-within", "ACD-SDK1-07", "Has a registry of skills inside its capabilities.",
			atPath("capabilities.skills", []any{object{"name": "sum"}})),
		newMutant("command-registry", "ACD-SDK1-07", "Names a registry of commands beside its capabilities.",
			atPath("command_registry", "commands.json")),
	}
}

// frozen repeats the first answer of an operation.
func frozen(operation string) defect {
	return changesOperation(operation, func(original rpc.Operation) rpc.Operation {
		var once sync.Once
		var kept any
		return func(ctx context.Context, params map[string]any) (result any, err error) {
			once.Do(func() { kept, err = original(ctx, params) })
			return kept, err
		}
	})
}

// remembers lists every id that was ever listed.
func remembers() defect {
	return func(h *acdhost.Host) {
		var mutex sync.Mutex
		var known []any
		listed(func(list []any) []any {
			mutex.Lock()
			defer mutex.Unlock()
			for _, id := range list {
				if !slices.Contains(known, id) {
					known = append(known, id)
				}
			}
			return slices.Clone(known)
		})(h)
	}
}
