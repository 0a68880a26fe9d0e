package chpmutant

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// payloadDefects handle or record payloads wrongly.
func payloadDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("own-event-astray", "CHP-6-14", "Gives the event that a capability emits on its own another invocation id.",
			inEvents(asked(observe), chphost.Observed, one(mutant.With("invocation_id", "inv-background")))).WithRole("observe"),
		newMutant("payload-of-foreign-mode", "CHP-5-09", "Copies a payload into the denial of a mode.",
			denies(chphost.UnsupportedMode, quotes)),
		newMutant("payload-of-skip", "CHP-5-09", "Copies a payload into the event of a skip.", func(h *chphost.Host) {
			sound := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.WasSkipped {
					return quotes(inv, event)
				}
				return sound(inv, event)
			}
		}).WithRole("disabled"),
		newMutant("payload-below-the-top", "CHP-5-09", "Crosses out the texts of a payload, but not those that stand deeper.",
			func(h *chphost.Host) {
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

// quotes puts the request into an event.
func quotes(inv *chphost.Invocation, event object) []object {
	quoted := maps.Clone(event)
	quoted["payload"] = object{"request": inv.Payload}
	return []object{quoted}
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

// unusualPayloads go wrong where a payload is long, or no JSON, or is quoted.
func unusualPayloads() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("echo-cut", "CHP-8-04", "Cuts what it gives back after 1,000 characters.",
			inResult(asked(echo), func(result object) any {
				data, _ := result["data"].(object)
				if text, isText := data["echo"].(string); isText {
					runes := []rune(text)
					result["data"] = object{"echo": string(runes[:min(len(runes), 1000)])}
				}
				return result
			})).WithRole("echo"),
		newMutant("long-payload-unrecorded", "CHP-6-01", "Leaves no evidence where a payload is longer than 4,000 bytes.",
			silences(func(inv *chphost.Invocation) bool {
				return len(rpc.Append(nil, inv.Payload)) > 4000
			})),
		newMutant("value-in-denial", "CHP-5-09", "Quotes a value that breaks the input schema in the message of the denial.",
			quotesMisfit),
		newMutant("nan-executed", "CHP-5-10", "Executes an envelope with a bare NaN in it.", readsNaN).OverHTTP(),
		newMutant("unknown-indeterminate", "CHP-9-02", "Does not know how the invocation of an unknown capability ends.",
			func(h *chphost.Host) {
				stops(ofUnknown, func() chphost.Outcome { return chphost.Outcome{Kind: "indeterminate"} })(h)
				inEvents(ofUnknown, "", one(mutant.With("event_type", "execution_indeterminate")))(h)
			}),
		newMutant("host-id-of-start", "CHP-4-09", "Takes another host id at each start.", func(h *chphost.Host) {
			starts := new(atomic.Int64)
			h.Started = func() { starts.Add(1) }
			id := func() string { return chphost.HostID + strings.Repeat("-again", int(starts.Load())) }
			editsHost(func(descriptor object) any { return mutant.With("id", id())(descriptor) })(h)
			recorded := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				event["host_id"] = id()
				return recorded(inv, event)
			}
		}),
	}
}

// quotesMisfit writes the payload into the message of the event of a denial.
func quotesMisfit(h *chphost.Host) {
	denies(chphost.InputSchemaFailed, func(inv *chphost.Invocation, event object) []object {
		quoted, denial := maps.Clone(event), object{}
		had, _ := event["denial"].(object)
		maps.Copy(denial, had)
		denial["message"] = "no such value: " + string(rpc.Append(nil, inv.Payload))
		quoted["denial"] = denial
		return []object{quoted}
	})(h)
}

// readsNaN takes NaN for a number, as some parsers do.
func readsNaN(h *chphost.Host) {
	h.Binding.Mend = func(body []byte) []byte {
		if !json.Valid(body) && bytes.Contains(body, []byte("NaN")) {
			return bytes.ReplaceAll(body, []byte("NaN"), []byte("0"))
		}
		return body
	}
}
