package chpmutant

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// missingID tells the invocations whose correlation id is left to the host.
func missingID(inv *chphost.Invocation) bool { return inv.Given["correlation_id"] == nil }

func both(one, other struck) struck {
	return func(inv *chphost.Invocation) bool { return one(inv) && other(inv) }
}

// longID tells the invocations under a long correlation id.
func longID(inv *chphost.Invocation) bool { return len(inv.CorrelationID()) > 100 }

// rareCorrelations are right under the ids that callers use most.
func rareCorrelations() []mutant.Mutant {
	blank := renames(func(string) any { return "" })
	return []mutant.Mutant{
		newMutant("made-id-not-in-events", "CHP-7-03", "Makes a correlation id and leaves it out of the events.", inEvents(both(missingID, served), chphost.Completed, one(mutant.With("correlation", object{})))),
		newMutant("long-id-without-correlation", "CHP-7-04", "Leaves correlation out of a result where the id is longer than 100 characters.", inResult(longID, mutant.Without("correlation"))),
		newMutant("long-id-uncorrelated-events", "CHP-7-03", "Leaves correlation out of an event where the id is longer than 100 characters.", inEvents(longID, chphost.Completed, one(mutant.Without("correlation")))),
		newMutant("made-id-not-for-denials", "CHP-7-02", "Makes no correlation id for what it denies.", inResult(both(missingID, ofUnknown), blank)),
		newMutant("made-id-not-for-failures", "CHP-7-02", "Makes no correlation id for what fails.", inResult(both(missingID, asked(fails)), blank)).WithRole("fails"),
		newMutant("made-id-not-for-skips", "CHP-7-02", "Makes no correlation id for what it skips.", inResult(both(missingID, asked(disabled)), blank)).WithRole("disabled"),
		newMutant("half-context-not-completed", "CHP-7-02", "Makes no correlation id where the caller gives a trace id alone.", inResult(both(missingID, func(inv *chphost.Invocation) bool { return inv.Given["trace_id"] != nil }), blank)),
		newMutant("denied-long-id-cut", "CHP-7-05", "Cuts long correlation ids in the results of denials.", inResult(both(ofUnknown, longID), renames(func(id string) any { return id[:100] }))),
		newMutant("failed-id-composed", "CHP-7-05", "Composes the letters of correlation ids in the results of failures.", inResult(asked(fails), renames(func(id string) any {
			return strings.NewReplacer("u\u0308", "\u00fc", "e\u0301", "\u00e9").Replace(id)
		}))).WithRole("fails"),
		newMutant("replay-not-of-rare-ids", "CHP-10-01", "Replays nothing for ids that are not of ASCII letters, digits and hyphens.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			rare := strings.ContainsFunc(query.CorrelationID, func(r rune) bool { return r >= utf8.RuneSelf || strings.ContainsRune(" /%*?", r) })
			if rare {
				return nil
			}
			return records
		})),
		newMutant("replay-as-pattern", "CHP-10-02", "Takes an underscore in a correlation id for any letter.", keyed(func(id string) string { return strings.ReplaceAll(id, "-2", "_2") })),
		newMutant("replay-composed", "CHP-10-02", "Looks evidence up by composed letters.", keyed(func(id string) string { return strings.ReplaceAll(id, "u\u0308", "\u00fc") })),
	}
}

// often go wrong when something is asked for again.
func often() []mutant.Mutant {
	nth := func(n int, turn func([]chphost.Record) []chphost.Record) defect {
		return func(h *chphost.Host) {
			var mutex sync.Mutex
			asked, sound := map[chphost.Query]int{}, h.Select
			h.Select = func(query chphost.Query) ([]chphost.Record, int) {
				records, total := sound(query)
				mutex.Lock()
				defer mutex.Unlock()
				if asked[query]++; asked[query] != n || len(records) == 0 {
					return records, total
				}
				turned := turn(records)
				return turned, len(turned)
			}
		}
	}
	nothing := func([]chphost.Record) []chphost.Record { return nil }
	return []mutant.Mutant{
		newMutant("replay-third-empty", "CHP-10-01", "Replays nothing when the same is asked for the third time.", nth(3, nothing)),
		newMutant("replay-tenth-empty", "CHP-10-01", "Replays nothing when the same is asked for the tenth time.", nth(10, nothing)),
		newMutant("replay-fourth-rewritten", "CHP-6-16", "Gives the oldest event another time when the same is asked for the fourth time.", nth(4, rewrites(mutant.With("timestamp", "2026-01-01T00:00:00Z")))),
		newMutant("retry-hides-attempt", "CHP-6-01", "Leaves no evidence of a denial that is sent again.", hidesRetried),
	}
}

// crowded go wrong where several members of a query, or several invocations, meet.
func crowded() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("limited-payloads-told", "CHP-10-05", "Disregards include_payloads where there is a limit and a place to begin at.", readsQuery(func(query *chphost.Query, _ object) {
			query.Payloads = query.Payloads || query.Limit > 0 && query.Since >= 0
		})),
		newMutant("since-without-payloads", "CHP-10-04", "Replays from the start where no payloads are wanted.", readsQuery(func(query *chphost.Query, _ object) {
			if !query.Payloads {
				query.Since = -1
			}
		})),
		newMutant("limit-without-payloads", "CHP-10-03", "Forgets the limit where no payloads are wanted.", readsQuery(func(query *chphost.Query, _ object) {
			if !query.Payloads {
				query.Limit = 0
			}
		})),
		newMutant("limited-event-bare", "CHP-6-12", "Leaves assurance out of events where there is a limit.", func(h *chphost.Host) {
			sound := h.Show
			h.Show = func(query chphost.Query, record chphost.Record) any {
				if query.Limit == 0 {
					return sound(query, record)
				}
				event := record.Unpack()
				if !query.Payloads {
					event["payload"] = object{}
				}
				return mutant.Without("assurance")(event)
			}
		}),
		newMutant("twentieth-lost", "CHP-10-01", "Keeps no more than nineteen invocations of a correlation.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			seen := map[any]bool{}
			return slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool {
				id := r.Unpack()["invocation_id"]
				seen[id] = true
				return len(seen) > 19
			})
		})),
		newMutant("second-capability-named-first", "CHP-6-06", "Gives the events of a correlation the id of the capability that was invoked first.", func(h *chphost.Host) {
			var mutex sync.Mutex
			first, sound := map[string]any{}, h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				mutex.Lock()
				defer mutex.Unlock()
				if first[inv.CorrelationID()] == nil {
					first[inv.CorrelationID()] = event["capability_id"]
				}
				event["capability_id"] = first[inv.CorrelationID()]
				return sound(inv, event)
			}
		}),
	}
}

// hidesRetried denies a capability at times, asks to try again, and forgets the denial.
func hidesRetried(h *chphost.Host) {
	var asked atomic.Int64
	const code = "com.example.too_busy"
	h.Gates = append([]chphost.Gate{{Name: "load", Check: func(*chphost.Invocation) *chphost.Outcome {
		if asked.Add(1)%9 != 0 {
			return nil
		}
		turned := chphost.Deny(code, "too much to do, please try again", "", object{})
		turned.Denial["retryable"] = true
		return turned
	}}}, h.Gates...)
	denies(code, func(*chphost.Invocation, object) []object { return nil })(h)
}

// unusualPayloads go wrong where a payload is long, or no JSON, or is quoted.
func unusualPayloads() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("echo-cut", "CHP-8-04", "Cuts what it gives back after 1,000 characters.", inResult(asked(echo), func(result object) any {
			data, _ := result["data"].(object)
			if text, isText := data["echo"].(string); isText {
				runes := []rune(text)
				result["data"] = object{"echo": string(runes[:min(len(runes), 1000)])}
			}
			return result
		})).WithRole("echo"),
		newMutant("long-payload-unrecorded", "CHP-6-01", "Leaves no evidence where a payload is longer than 4,000 bytes.", silences(func(inv *chphost.Invocation) bool {
			return len(rpc.Append(nil, inv.Payload)) > 4000
		})),
		newMutant("value-in-denial", "CHP-5-09", "Quotes a value that breaks the input schema in the message of the denial.", quotesMisfit),
		newMutant("nan-executed", "CHP-5-10", "Executes an envelope with a bare NaN in it.", readsNaN).OverHTTP(),
		newMutant("unknown-indeterminate", "CHP-9-02", "Does not know how the invocation of an unknown capability ends.", func(h *chphost.Host) {
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

// ordinaryEndings are of capabilities that play no role.
func ordinaryEndings() []mutant.Mutant {
	misfit := func(turn func(event object) []object) defect {
		return denies(chphost.InputSchemaFailed, func(_ *chphost.Invocation, event object) []object { return turn(event) })
	}
	return []mutant.Mutant{
		newMutant("misfit-completed", "CHP-8-13", "Records the completion of what it denies, for a payload that breaks the input schema.", misfit(func(event object) []object {
			done := maps.Clone(event)
			done["event_type"], done["outcome"], done["event_id"], done["denial"] = chphost.Completed, chphost.Success, "evt-done-"+string(rpc.Append(nil, event["event_id"])), nil
			return []object{done, event}
		})),
		newMutant("misfit-unredacted", "CHP-6-11", "Leaves redacted out of the event of a payload that breaks the input schema.", misfit(one(mutant.Without("redacted")))),
		newMutant("denials-renamed", "CHP-6-05", "Gives what it denies an invocation id of its own, in result and events.", func(h *chphost.Host) {
			inResult(ofUnknown, mutant.With("invocation_id", "inv-denied"))(h)
			inEvents(ofUnknown, chphost.WasDenied, one(mutant.With("invocation_id", "inv-denied")))(h)
		}).AlsoBreaks("CHP-5-14", "the result bears that id as well"),
		newMutant("second-mode-unrecorded", "CHP-8-10", "Records a refusal under another name where the mode is stream.", inEvents(func(inv *chphost.Invocation) bool {
			return inForeignMode(inv) && inv.Mode == "stream"
		}, chphost.WasDenied, one(mutant.With("event_type", "execution_rejected")))),
		newMutant("second-capability-mode-silent", "CHP-6-01", "Leaves no evidence where the mode of one capability is not supported.", inEvents(func(inv *chphost.Invocation) bool {
			return inForeignMode(inv) && inv.Version == "2.0.0"
		}, chphost.WasDenied, func(object) []object { return nil })),
	}
}

// blind are defects of what every run provokes and a judgement of few attempts overlooks.
func blind() []mutant.Mutant {
	return slices.Concat(rareCorrelations(), often(), crowded(), unusualPayloads(), ordinaryEndings())
}
