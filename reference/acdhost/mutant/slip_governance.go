package acdmutant

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/acdhost"
	"github.com/capconform/capconform/reference/mutant"
)

// recordedAs changes the records of some calls.
func recordedAs(which func(entry object, call *acdhost.Call) bool, change func(record object, call *acdhost.Call, output any) object) defect {
	return func(h *acdhost.Host) {
		sound := h.Record
		h.Record = func(entry map[string]any, call *acdhost.Call, output any) map[string]any {
			record := sound(entry, call, output)
			if record == nil || !which(entry, call) {
				return record
			}
			return change(record, call, output)
		}
	}
}

// recordSlips log too little or too much of some calls.
func recordSlips() []mutant.Mutant {
	none := func(object, *acdhost.Call, any) object { return nil }
	with := func(input, output bool) func(object, *acdhost.Call, any) object {
		return func(record object, call *acdhost.Call, result any) object {
			if input {
				record["input"] = call.Input
			}
			if output {
				record["output"] = result
			}
			return record
		}
	}
	event := func(_ object, call *acdhost.Call) bool { return call.Mode == "event" }
	channel := func(_ object, call *acdhost.Call) bool { return call.Channel != "" }
	lacks := func(path string) func(object, *acdhost.Call) bool {
		return func(entry object, _ *acdhost.Call) bool {
			audit, has := entry["audit"].(object)
			return path == "" && !has || has && path != "" && audit[path] == nil
		}
	}
	first := func(path string) func(object, *acdhost.Call) bool {
		were := newShelf()
		return func(entry object, call *acdhost.Call) bool {
			if _, has := were.get(call.ID); !has {
				were.put(call.ID, acdhost.Flag(entry, path, false))
			}
			was, _ := were.get(call.ID)
			return was == true
		}
	}
	return []mutant.Mutant{
		newMutant("events-unlogged", "ACD-SDK6-01", "Logs no event.", recordedAs(event, none)).WithFixtures(),
		newMutant("channels-unlogged", "ACD-SDK6-01", "Logs no call that comes through a channel.", recordedAs(channel, none)),
		newMutant("inputs-of-events", "ACD-SDK6-04", "Logs the inputs of events.", recordedAs(event, with(true, false))).WithFixtures(),
		newMutant("outputs-of-events", "ACD-SDK6-05", "Logs the outputs of events.", recordedAs(event, with(false, true))).WithFixtures(),
		newMutant("inputs-logged-for-ever", "ACD-SDK6-04", "Logs inputs as the first descriptor said.", func(h *acdhost.Host) { recordedAs(first("audit.log_inputs"), with(true, false))(h) }),
		newMutant("outputs-logged-for-ever", "ACD-SDK6-05", "Logs outputs as the first descriptor said.", func(h *acdhost.Host) { recordedAs(first("audit.log_outputs"), with(false, true))(h) }),
		newMutant("inputs-logged-unless-said-by-half", "ACD-DESC-31", "Logs the inputs of capabilities whose audit leaves log_inputs out.", recordedAs(lacks("log_inputs"), with(true, false))),
		newMutant("unlogged-without-audit", "ACD-DESC-30", "Does not log capabilities without audit.", recordedAs(lacks(""), none)),
		newMutant("disabled-without-status", "ACD-DESC-27", "Takes a capability without status for disabled in the engine.", shuts(func(call *acdhost.Call) bool { return call.Entry["status"] == nil })),
	}
}

// hookedAs runs the hooks of one kind as often as it is told.
func hookedAs(kind string, often func(n int64, call *acdhost.Call) int) defect {
	return func(h *acdhost.Host) {
		counts := newShelf()
		h.Hooked = func(ctx context.Context, call *acdhost.Call, run func(context.Context) (any, error)) (any, error) {
			if _, has := counts.get(call.ID); !has {
				counts.put(call.ID, &atomic.Int64{})
			}
			kept, _ := counts.get(call.ID)
			count, _ := kept.(*atomic.Int64)
			n := count.Add(1)
			hooks := func(of string) {
				times := 1
				if of == kind {
					times = often(n, call)
				}
				for range times {
					h.Hooks(ctx, call, of)
				}
			}
			hooks("pre_invoke")
			output, err := run(ctx)
			if err != nil {
				hooks("on_error")
				return nil, err
			}
			hooks("post_invoke")
			return output, nil
		}
	}
}

// hookSlips run hooks not as often as they have to.
func hookSlips() []mutant.Mutant {
	if1 := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	once := func(n int64, _ *acdhost.Call) int { return if1(n == 1) }
	within := func(_ int64, call *acdhost.Call) int { return if1(call.Channel == "") }
	twofold := func(int64, *acdhost.Call) int { return 2 }
	return []mutant.Mutant{
		newMutant("pre-once", "ACD-SDK6-02", "Runs the hooks of pre_invoke before the first call of a capability alone.", hookedAs("pre_invoke", once)),
		newMutant("pre-twice", "ACD-SDK6-02", "Runs the hooks of pre_invoke twice.", hookedAs("pre_invoke", twofold)),
		newMutant("pre-within-alone", "ACD-SDK6-02", "Runs no hook of pre_invoke for calls through channels.", hookedAs("pre_invoke", within)),
		newMutant("post-once", "ACD-SDK6-06", "Runs the hooks of post_invoke behind the first call of a capability alone.", hookedAs("post_invoke", once)),
		newMutant("post-twice", "ACD-SDK6-06", "Runs the hooks of post_invoke twice.", hookedAs("post_invoke", twofold)),
		newMutant("post-within-alone", "ACD-SDK6-06", "Runs no hook of post_invoke for calls through channels.", hookedAs("post_invoke", within)),
		newMutant("on-error-once", "ACD-SDK6-07", "Runs the hooks of on_error behind the first failure of a capability alone.", hookedAs("on_error", once)).WithRole("fails"),
		newMutant("on-error-twice", "ACD-SDK6-07", "Runs the hooks of on_error twice.", hookedAs("on_error", twofold)).WithRole("fails"),
	}
}

// unlistedInManifest takes ids out of the list of the manifest.
func unlistedInManifest(which func(id string) bool) defect {
	return answers(acdhost.OpManifest, func(_, result object) {
		capabilities, _ := result["capabilities"].(object)
		list, _ := capabilities["list"].([]any)
		capabilities["list"] = slices.DeleteFunc(list, func(item any) bool { id, _ := item.(string); return which(id) })
	})
}

// channelSlips show another capability than they are asked for, or forget one.
func channelSlips() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("projects-another", "ACD-SDK5-01", "Projects another capability than it is asked for, if that was created at runtime.", answers(acdhost.OpProject, func(params, result object) {
			if strings.HasPrefix(acdhost.Text(params, "capability_id"), probes) {
				result["capability_id"] = "cap.identify"
			}
		})),
		newMutant("manifest-forgets-enabled", "ACD-EX4-02", "Does not list again what was disabled and enabled.", func(h *acdhost.Host) {
			off := newSet()
			asksOtherwise(acdhost.OpUpdate, func(params object) {
				id := acdhost.Text(params, "descriptor.capability_id")
				mutable := acdhost.Flag(h.Find(id), "status.mutable", true) // else the update is refused
				if mutable && !acdhost.Flag(params, "descriptor.status.enabled", true) {
					off.add(id)
				}
			})(h)
			unlistedInManifest(off.has)(h)
		}).WithFixtures(),
		newMutant("manifest-first-scope", "ACD-MAN-01", "Does not list what was internal when it was created.", func(h *acdhost.Host) {
			internal := newSet()
			asksOtherwise(acdhost.OpCreate, func(params object) {
				if acdhost.Text(params, "descriptor.exposure.scope") == "internal" {
					internal.add(acdhost.Text(params, "descriptor.capability_id"))
				}
			})(h)
			unlistedInManifest(internal.has)(h)
		}),
		newMutant("cli-without-new", "ACD-EX2-02", "Shows on the channel cli what there was at the start, and what names it.", func(h *acdhost.Host) {
			sound := h.Realizes
			h.Realizes = func(c acdhost.Channel, entry map[string]any) bool {
				fresh := strings.HasPrefix(acdhost.Text(entry, "capability_id"), probes) && len(acdhost.Texts(entry, "exposure.channels")) == 0
				return sound(c, entry) && (c.ID != "cli" || !fresh)
			}
		}).WithFixtures(),
		newMutant("cli-shows-alone", "ACD-EX2-02", "Shows capabilities on the channel cli and runs none there.", shuts(func(call *acdhost.Call) bool { return call.Channel == "cli" })).WithFixtures(),
	}
}
