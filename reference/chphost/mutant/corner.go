package chpmutant

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// empty answer the replay of an id that nobody used by half a result.
func empty() []mutant.Mutant {
	var broken []mutant.Mutant
	for requirement, member := range map[string]string{"CHP-10-06": "correlation_id", "CHP-10-07": "events", "CHP-10-08": "event_count", "CHP-10-09": "replayed_at"} {
		broken = append(broken, newMutant("empty-replay-no-"+mutant.Dashed(member), requirement, "Gives null as "+member+" of a replay without events.", func(h *chphost.Host) {
			sound := h.Replayed
			h.Replayed = func(query chphost.Query, events []any, total int) any {
				result := sound(query, events, total)
				if members, isObject := result.(object); isObject && total == 0 {
					members[member] = nil
				}
				return result
			}
		}))
	}
	slices.SortFunc(broken, func(a, b mutant.Mutant) int { return strings.Compare(a.Requirement, b.Requirement) })
	return broken
}

// ofCode tells the events and results of denials by one code.
func ofCode(members object, code string) bool {
	denial, _ := members["denial"].(object)
	return denial["code"] == code
}

// corners are places of a host that are reached in one way only.
func corners() []mutant.Mutant {
	return slices.Concat(refusedCorners(), payloadCorners(), otherCorners())
}

// refused changes the results of payloads that break the input schema.
func refused(turn func(result object)) defect {
	return inResult(anyInvocation, func(result object) any {
		if ofCode(result, chphost.InputSchemaFailed) {
			turn(result)
		}
		return result
	})
}

// denies changes the event of a denial with this code.
func denies(code string, turn func(inv *chphost.Invocation, event object) []object) defect {
	return func(h *chphost.Host) {
		sound := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if event["event_type"] == chphost.WasDenied && ofCode(event, code) {
				return turn(inv, event)
			}
			return sound(inv, event)
		}
	}
}

// quotes puts the request into an event.
func quotes(inv *chphost.Invocation, event object) []object {
	quoted := maps.Clone(event)
	quoted["payload"] = object{"request": inv.Payload}
	return []object{quoted}
}

// refusedCorners are of denials and failures.
func refusedCorners() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("refusal-own-invocation-id", "CHP-5-14", "Gives every denial an invocation id of its own.", inResult(anyInvocation, func(result object) any {
			if result["outcome"] == chphost.Denied {
				result["invocation_id"] = "inv-denied"
			}
			return result
		})),
		newMutant("failure-no-invocation-id", "CHP-5-14", "Leaves the invocation id out of a failure.", inResult(asked(fails), mutant.Without("invocation_id"))).WithRole("fails"),
		newMutant("invalid-denied-in-silence", "CHP-6-01", "Leaves no evidence where a payload breaks the input schema.", denies(chphost.InputSchemaFailed, func(*chphost.Invocation, object) []object { return nil })),
		newMutant("invalid-denied-as-failure", "CHP-8-10", "Records a failure where a payload that breaks the input schema is denied.", denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object {
			failed := maps.Clone(event)
			failed["event_type"], failed["outcome"] = chphost.Failed, chphost.Failure
			return []object{failed}
		})),
		newMutant("invalid-denied-without-record", "CHP-9-07", "Gives no denial where a payload breaks the input schema.", refused(func(result object) { result["denial"] = nil })),
		newMutant("invalid-denied-other-correlation", "CHP-7-01", "Gives another correlation id where a payload breaks the input schema.", refused(func(result object) {
			result["correlation"] = object{"correlation_id": "corr-validation"}
		})),
		newMutant("invariant-code-counts", "CHP-9-08", "Counts the denials of an invariant in their codes.", func(h *chphost.Host) {
			var denied atomic.Int64
			for i, sound := range h.Gates {
				if sound.Name != chphost.InvariantFailed {
					continue
				}
				h.Gates[i].Check = func(inv *chphost.Invocation) *chphost.Outcome {
					stopped := sound.Check(inv)
					if stopped != nil {
						stopped.Denial["code"] = fmt.Sprintf("invariant_failed_%d", denied.Add(1))
					}
					return stopped
				}
			}
		}).WithRole("guarded"),
	}
}

// payloadCorners are of payloads and of what is recorded of them.
func payloadCorners() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("own-event-astray", "CHP-6-14", "Gives the event that a capability emits on its own another invocation id.", inEvents(asked(observe), chphost.Observed, one(mutant.With("invocation_id", "inv-background")))).WithRole("observe"),
		newMutant("payload-of-foreign-mode", "CHP-5-09", "Copies a payload into the denial of a mode.", denies(chphost.UnsupportedMode, quotes)),
		newMutant("payload-of-skip", "CHP-5-09", "Copies a payload into the event of a skip.", func(h *chphost.Host) {
			sound := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.WasSkipped {
					return quotes(inv, event)
				}
				return sound(inv, event)
			}
		}).WithRole("disabled"),
		newMutant("payload-below-the-top", "CHP-5-09", "Crosses out the texts of a payload, but not those that stand deeper.", func(h *chphost.Host) {
			sound := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.Started {
					event["payload"] = crossed(inv.Payload)
				}
				return sound(inv, event)
			}
		}),
		newMutant("failures-archived", "CHP-6-16", "Empties the event of a failure once it was read.", func(h *chphost.Host) {
			var mutex sync.Mutex
			seen, sound := map[any]bool{}, h.Show
			h.Show = func(query chphost.Query, record chphost.Record) any {
				event := record.Unpack()
				if event["event_type"] != chphost.Failed {
					return sound(query, record)
				}
				mutex.Lock()
				defer mutex.Unlock()
				if seen[event["event_id"]] {
					event["error"] = nil
				}
				seen[event["event_id"]] = true
				return event
			}
		}).WithRole("fails"),
		newMutant("echo-ascii", "CHP-8-04", "Gives back nothing but letters of the Latin alphabet.", inResult(asked(echo), func(result object) any {
			data, _ := result["data"].(object)
			if text, isText := data["echo"].(string); isText {
				result["data"] = object{"echo": strings.Map(func(r rune) rune {
					if r > 127 {
						return '?'
					}
					return r
				}, text)}
			}
			return result
		})).WithRole("echo"),
		newMutant("payloads-kept-in-denials", "CHP-10-05", "Leaves the payloads of denials in a replay without payloads.", shownWhole(chphost.WasDenied)),
		newMutant("payloads-asked-for-left-out", "CHP-10-05", "Leaves payloads out where they are asked for in so many words.", readsQuery(func(query *chphost.Query, members object) {
			query.Payloads = query.Payloads && members["include_payloads"] == nil
		})),
	}
}

// otherCorners are of ids, modes and names.
func otherCorners() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("known-by-beginning", "CHP-9-02", "Finds a capability by an id that only begins like its own.", func(h *chphost.Host) {
			sound := h.Resolve
			h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
				if c := sound(inv); c != nil {
					return c
				}
				all := h.Capabilities()
				i := slices.IndexFunc(all, func(c *chphost.Capability) bool { return strings.HasPrefix(inv.CapabilityID, c.ID+".") })
				if i < 0 {
					return nil
				}
				return all[i]
			}
		}),
		newMutant("stream-as-sync", "CHP-9-03", "Takes the mode stream for sync.", ungated(chphost.UnsupportedMode, func(inv *chphost.Invocation) bool { return inv.Mode == "stream" })),
		newMutant("correlation-number", "CHP-7-05", "Writes a correlation id of digits as a number.", inResult(anyInvocation, func(result object) any {
			correlation, _ := result["correlation"].(object)
			id, _ := correlation["correlation_id"].(string)
			if _, err := strconv.ParseFloat(id, 64); err == nil {
				number := maps.Clone(correlation)
				number["correlation_id"] = rpc.Raw(id)
				result["correlation"] = number
			}
			return result
		})),
		newMutant("descriptors-swapped", "CHP-3-15", "Swaps the names of two capabilities after some calls.", swapsNames),
		newMutant("ids-counted", "CHP-3-15", "Gives a capability an id with a new number at each listing, by which it is not served.", countsIDs),
	}
}

// shownWhole shows events of a type with their payloads always.
func shownWhole(kind string) defect {
	return func(h *chphost.Host) {
		sound := h.Show
		h.Show = func(query chphost.Query, record chphost.Record) any {
			if record.Unpack()["event_type"] == kind {
				query.Payloads = true
			}
			return sound(query, record)
		}
	}
}

// crossed crosses out the texts of an object, and not what lies deeper.
func crossed(payload map[string]any) object {
	told := object{}
	for name, value := range payload {
		switch value.(type) {
		case []any, map[string]any:
			told["deeper"] = value
		default:
			told["crossed"] = name == ""
		}
	}
	return told
}

// quietCalls is how many listings a defect of names lets pass.
const quietCalls = 4

// named changes descriptors in listings; n counts the listings.
func named(change func(n int64, c *chphost.Capability) any) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		n, catalogue, publish := int64(0), h.Catalogue, h.Publish
		h.Catalogue = func(operation string) []*chphost.Capability {
			mutex.Lock()
			defer mutex.Unlock()
			n++
			return catalogue(operation)
		}
		h.Publish = func(operation string, c *chphost.Capability) any {
			mutex.Lock()
			defer mutex.Unlock()
			if changed := change(n, c); changed != nil {
				return changed
			}
			return publish(operation, c)
		}
	}
}

func swapsNames(h *chphost.Host) {
	all := h.Capabilities()
	one, other := all[2], all[3]
	called := func(c *chphost.Capability, name *chphost.Capability) any {
		return c.Edit(func(d object) {
			d["id"], d["version"], d["capability_uri"] = name.ID, name.Version, name.ID+":"+name.Version
		}).Rendered()
	}
	named(func(n int64, c *chphost.Capability) any {
		switch {
		case n > quietCalls && c == one:
			return called(other, one)
		case n > quietCalls && c == other:
			return called(one, other)
		}
		return nil
	})(h)
}

func countsIDs(h *chphost.Host) {
	named(func(n int64, c *chphost.Capability) any {
		if c.ID != victim || n <= quietCalls {
			return nil
		}
		return c.Edit(func(d object) {
			id := fmt.Sprintf("%s-%d", c.ID, n)
			d["id"], d["capability_uri"] = id, id+":"+c.Version
		}).Rendered()
	})(h)
}
