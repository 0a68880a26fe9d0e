package chpmutant

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"html"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// payloadDefects returns hosts that handle or record payloads wrongly.
func payloadDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("own-event-astray", "CHP-6-14", "Uses another invocation id in the event that a capability emits.",
			inEvents(asked(observe), chphost.Observed,
				asEventChange(mutant.With("invocation_id", "inv-background")))).WithRole("observe"),
		newMutant("payload-of-foreign-mode", "CHP-5-09", "Copies the payload into the event of a denied mode.",
			denies(chphost.UnsupportedMode, quotes)),
		newMutant("payload-of-skip", "CHP-5-09", "Copies the payload into the event of a skip.", func(h *chphost.Host) {
			original := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.EventSkipped {
					return quotes(inv, event)
				}
				return original(inv, event)
			}
		}).WithRole("disabled"),
		newMutant("payload-encoded", "CHP-5-09", "Copies the payload, in base64, into the event that starts an execution.",
			encodes(func(text []byte) string { return base64.StdEncoding.EncodeToString(text) })),
		newMutant("payload-preview", "CHP-5-09",
			"Copies the first 40 characters of the payload into the event that starts an execution.",
			encodes(func(text []byte) string { return string(text[:min(40, len(text))]) })),
		newMutant("payload-in-hex", "CHP-5-09",
			"Copies the payload, in hexadecimal, into the event that starts an execution.", encodes(hex.EncodeToString)),
		newMutant("payload-below-the-top", "CHP-5-09",
			"Redacts only the strings at the top level of a payload that it copies.", func(h *chphost.Host) {
				original := h.Evidence
				h.Evidence = func(inv *chphost.Invocation, event object) []object {
					if event["event_type"] == chphost.EventStarted {
						event["payload"] = swapped(inv.Payload)
					}
					return original(inv, event)
				}
			}),
		newMutant("failures-archived", "CHP-6-16", "Empties the event of a failure after it was replayed.",
			archivesFailures).WithRole("fails"),
		newMutant("echo-ascii", "CHP-8-04",
			"Returns only the letters of the Latin alphabet.", inResult(asked(echo), func(result object) any {
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
		newMutant("payloads-kept-in-denials", "CHP-10-05",
			"Keeps the payloads of denials in a replay without payloads.", shownWhole(chphost.EventDenied)),
		newMutant("payloads-excluded-own-events-too", "CHP-10-05",
			"Omits the events that a capability emits if a query excludes payloads.", omitsOwnEvents).WithRole("observe"),
		newMutant("payloads-asked-for-left-out", "CHP-10-05",
			"Omits payloads if include_payloads is true.", readsQuery(func(query *chphost.Query, members object) {
				query.Payloads = query.Payloads && members["include_payloads"] == nil
			})),
	}
}

// omitsOwnEvents replays only core events if a query excludes payloads.
func omitsOwnEvents(h *chphost.Host) {
	selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
		if query.Payloads {
			return records
		}
		return slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool {
			kind, _ := r.Unpack()["event_type"].(string)
			return !strings.HasPrefix(kind, "execution_")
		})
	})(h)
}

// archivesFailures removes the error from the event of a failure after its first replay.
func archivesFailures(h *chphost.Host) {
	var mutex sync.Mutex
	seen, original := map[any]bool{}, h.Show
	h.Show = func(query chphost.Query, record chphost.Record) any {
		event := record.Unpack()
		if event["event_type"] != chphost.EventFailed {
			return original(query, record)
		}
		mutex.Lock()
		defer mutex.Unlock()
		if seen[event["event_id"]] {
			event["error"] = nil
		}
		seen[event["event_id"]] = true
		return event
	}
}

// encodes copies the payload in an encoded form into the event that starts an execution.
func encodes(encode func([]byte) string) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if event["event_type"] == chphost.EventStarted {
				event["payload"] = object{"request": encode(rpc.Append(nil, inv.Payload))}
			}
			return original(inv, event)
		}
	}
}

// quotes copies the request into an event.
func quotes(inv *chphost.Invocation, event object) []object {
	quoted := maps.Clone(event)
	quoted["payload"] = object{"request": inv.Payload}
	return []object{quoted}
}

// shownWhole always shows events of a type with their payloads.
func shownWhole(kind string) defect {
	return func(h *chphost.Host) {
		original := h.Show
		h.Show = func(query chphost.Query, record chphost.Record) any {
			if record.Unpack()["event_type"] == kind {
				query.Payloads = true
			}
			return original(query, record)
		}
	}
}

// unusualPayloads returns hosts that fail if a payload is long, is not JSON, or is quoted.
func unusualPayloads() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("echo-cut", "CHP-8-04", "Truncates the value that it returns to 1,000 characters.",
			inResult(asked(echo), func(result object) any {
				data, _ := result["data"].(object)
				if text, isText := data["echo"].(string); isText {
					runes := []rune(text)
					result["data"] = object{"echo": string(runes[:min(len(runes), 1000)])}
				}
				return result
			})).WithRole("echo"),
		newMutant("echo-escaped", "CHP-8-04", "Escapes the value that it returns for HTML.",
			inResult(asked(echo), func(result object) any {
				data, _ := result["data"].(object)
				if text, isText := data["echo"].(string); isText {
					result["data"] = object{"echo": html.EscapeString(text)}
				}
				return result
			})).WithRole("echo"),
		newMutant("long-payload-copied", "CHP-5-09",
			"Copies a payload that is longer than 1,000 bytes into the event that starts an execution.",
			func(h *chphost.Host) {
				original := h.Evidence
				h.Evidence = func(inv *chphost.Invocation, event object) []object {
					if event["event_type"] == chphost.EventStarted && len(rpc.Append(nil, inv.Payload)) > 1000 {
						return quotes(inv, event)
					}
					return original(inv, event)
				}
			}).WithRole("echo"),
		newMutant("long-payload-unrecorded", "CHP-6-01", "Emits no evidence if a payload is longer than 4,000 bytes.",
			silences(func(inv *chphost.Invocation) bool {
				return len(rpc.Append(nil, inv.Payload)) > 4000
			})),
		newMutant("value-in-denial", "CHP-5-09",
			"Quotes a value that breaks the input schema in the message of the denial.", quotesInvalid),
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
		newMutant("unknown-indeterminate", "CHP-9-02",
			"Answers for an unknown capability that the outcome is indeterminate.", func(h *chphost.Host) {
				endsAtBoundary(ofUnknown, func() chphost.Outcome { return chphost.Outcome{Kind: "indeterminate"} })(h)
				inEvents(ofUnknown, "", asEventChange(mutant.With("event_type", "execution_indeterminate")))(h)
			}),
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

// quotesInvalid writes the payload into the message of the event of a denial.
func quotesInvalid(h *chphost.Host) {
	denies(chphost.InputSchemaFailed, func(inv *chphost.Invocation, event object) []object {
		quoted, denial := maps.Clone(event), object{}
		had, _ := event["denial"].(object)
		maps.Copy(denial, had)
		denial["message"] = "no such value: " + string(rpc.Append(nil, inv.Payload))
		quoted["denial"] = denial
		return []object{quoted}
	})(h)
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
