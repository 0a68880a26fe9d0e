package chpmutant

import (
	"encoding/json"
	"iter"
	"maps"
	"strconv"
	"sync"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

func keysOf(members object) iter.Seq[string] { return maps.Keys(members) }

// eventDefects returns hosts that omit evidence or break events (CHP 6).
func eventDefects() []mutant.Mutant {
	nothing := func(object) []object { return nil }
	broken := []mutant.Mutant{
		newMutant("no-evidence-of-success", "CHP-6-01", "Emits no evidence of the invocations of one capability.",
			silences(ofVictim)),
		newMutant("no-evidence-of-unknown", "CHP-6-01", "Emits no evidence if the capability is unknown.",
			inEvents(ofUnknown, chphost.EventDenied, nothing)),
		newMutant("no-evidence-of-mode", "CHP-6-01", "Emits no evidence if the mode is not supported.",
			inEvents(inForeignMode, chphost.EventDenied, nothing)),
		newMutant("no-evidence-of-failure", "CHP-6-01", "Emits no evidence of a failure.",
			silences(asked(fails))).WithRole("fails"),
		newMutant("no-evidence-of-invariant", "CHP-6-01", "Emits no evidence if an invariant fails.",
			inEvents(asked(guarded), chphost.EventDenied, nothing)).WithRole("guarded"),
		newMutant("no-evidence-of-skip", "CHP-6-01", "Emits no evidence of a skip.",
			silences(asked(disabled))).WithRole("disabled"),
		newMutant("evidence-id-invented", "CHP-6-02", "Lists evidence in a result that was never recorded.",
			inResult(ofVictim, func(result object) any {
				ids, _ := result["evidence_ids"].([]any)
				result["evidence_ids"] = append(ids, "evt-0001")
				return result
			})),
		newMutant("evidence-id-of-denial-invented", "CHP-6-02",
			"Lists evidence in a denied result that was never recorded.",
			inResult(ofUnknown, mutant.With("evidence_ids", []any{"evt-0001"}))),
		newMutant("evidence-ids-as-hashes", "CHP-6-02", "Uses other ids in evidence_ids than in replays.",
			inResult(ofVictim, func(result object) any {
				ids, _ := result["evidence_ids"].([]any)
				hashed := []any{}
				for i := range ids {
					hashed = append(hashed, "sha256:"+strconv.Itoa(i))
				}
				result["evidence_ids"] = hashed
				return result
			})),
		newMutant("event-other-invocation", "CHP-6-05", "Stores an event of another invocation under a correlation.",
			further(mutant.With("invocation_id", "inv-0001"))),
		newMutant("event-other-capability", "CHP-6-06", "Uses the id of another capability in an event.",
			inEvents(ofVictim, chphost.EventStarted, asEventChange(mutant.With("capability_id", "text.measure")))),
		newMutant("event-unknown-capability", "CHP-6-06",
			"Uses unknown as capability id in the event of an unknown capability.",
			inEvents(ofUnknown, chphost.EventDenied, asEventChange(mutant.With("capability_id", "unknown")))),
		newMutant("event-other-host", "CHP-6-07", "Uses the id of another host in an event.",
			inEvents(ofVictim, chphost.EventStarted, asEventChange(mutant.With("host_id", "host-7")))),
		newMutant("event-host-of-capability", "CHP-6-07", "Uses the id of the capability as host id in an event.",
			inEvents(ofVictim, chphost.EventStarted, asEventChange(mutant.With("host_id", victim)))),
		newMutant("event-twice", "CHP-6-13", "Records one event twice.",
			inEvents(ofVictim, chphost.EventStarted, func(event object) []object { return []object{event, event} })),
		newMutant("event-unknown-level", "CHP-6-18", "Uses an assurance level in an event that the schema does not define.",
			inEvents(ofVictim, chphost.EventStarted,
				asEventChange(mutant.With("assurance", object{"level": "S9"})))).OnlyStrict(),
		newMutant("event-sequence-fraction", "CHP-6-09", "Numbers events in halves.",
			numbers(func(event object, sequence int64) any { return json.Number(strconv.FormatInt(sequence, 10) + ".5") })),
		newMutant("event-sequence-text", "CHP-6-09", "Writes the sequence of an event as a string.",
			numbers(func(_ object, sequence int64) any { return strconv.FormatInt(sequence, 10) })),
		newMutant("event-sequence-negative", "CHP-6-09", "Numbers events below zero.",
			numbers(func(_ object, sequence int64) any { return sequence - 1<<40 })),
		newMutant("event-sequence-missing", "CHP-6-09", "Omits sequence from an event.", numbers(noNumber)),
	}
	return append(append(broken, eventMembers()...), ownEvents()...)
}

func noNumber(object, int64) any { return nil }

// silences records nothing for affected invocations.
func silences(which affects) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			if which(inv) {
				return nil
			}
			return original(inv, event)
		}
	}
}

// numbers sets the sequence of the victim's events; nil removes it.
func numbers(sequence func(event object, original int64) any) defect {
	return func(h *chphost.Host) {
		original := h.Store.Number
		h.Store.Number = func(event object, n int64) {
			original(event, n)
			if event["capability_id"] != victim {
				return
			}
			if event["sequence"] = sequence(event, n); event["sequence"] == nil {
				delete(event, "sequence")
			}
		}
	}
}

func eventMembers() []mutant.Mutant {
	onStart := func(change func(object) any) defect {
		return inEvents(ofVictim, chphost.EventStarted, asEventChange(change))
	}
	var broken []mutant.Mutant
	for _, m := range []struct {
		member, requirement, shape string
		strikes                    func(change func(object) any) defect
	}{
		{"event_id", "CHP-6-03", "text", further},
		{"event_type", "CHP-6-04", "text", further},
		{"invocation_id", "CHP-6-05", "text", further},
		{"capability_id", "CHP-6-06", "text", onStart},
		{"host_id", "CHP-6-07", "text", onStart},
		{"timestamp", "CHP-6-08", "time", onStart},
		{"payload", "CHP-6-10", "object", onStart},
		{"redacted", "CHP-6-11", "flag", onStart},
		{"assurance", "CHP-6-12", "object", onStart},
		{"correlation", "CHP-7-03", "object", onStart},
	} {
		for _, fault := range faultsOf(m.member, m.shape) {
			broken = append(broken, newMutant("event-"+mutant.Dashed(m.member)+"-"+fault.name, m.requirement,
				fault.says+"an event.", m.strikes(fault.edit)))
		}
	}
	for _, m := range []struct {
		name, summary string
		value         any
	}{
		{"event-correlation-empty", "Uses an empty object as correlation of an event.", object{}},
		{"event-correlation-null", "Uses null as correlation id of an event.", object{"correlation_id": nil}},
		{"event-correlation-blank", "Uses an empty correlation id in an event.", object{"correlation_id": ""}},
	} {
		broken = append(broken, newMutant(m.name, "CHP-7-03", m.summary, onStart(mutant.With("correlation", m.value))))
	}
	return append(broken, newMutant("denied-event-uncorrelated", "CHP-7-03",
		"Omits correlation from the event of a denial.", inEvents(ofUnknown, chphost.EventDenied,
			asEventChange(mutant.Without("correlation")))))
}

// ownEvents returns hosts that break the events that a capability itself emits (CHP-6-14).
func ownEvents() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(object) any
	}{
		{"own-event-uncorrelated", "Omits correlation from an event that a capability emits.",
			mutant.Without("correlation")},
		{"own-event-other-correlation", "Uses another correlation id in an event that a capability emits.",
			mutant.With("correlation", object{"correlation_id": "corr-0001"})},
		{"own-event-payload-text", "Uses a string as payload of an event that a capability emits.",
			mutant.With("payload", "observed one value")},
		{"own-event-without-payload", "Omits payload from an event that a capability emits.", mutant.Without("payload")},
		{"own-event-without-time", "Omits timestamp from an event that a capability emits.", mutant.Without("timestamp")},
		{"own-event-without-host", "Omits host_id from an event that a capability emits.", mutant.Without("host_id")},
		{"own-event-without-redacted", "Omits redacted from an event that a capability emits.",
			mutant.Without("redacted")},
		{"own-event-without-id", "Omits event_id from an event that a capability emits.", mutant.Without("event_id")},
	} {
		broken = append(broken, newMutant(m.name, "CHP-6-14", m.summary,
			inEvents(asked(observe), chphost.Observed, asEventChange(m.turn))).WithRole("observe"))
	}
	return append(broken, newMutant("progress-without-invocation", "CHP-6-14",
		"Omits invocation_id from a progress event that it adds to an invocation.", func(h *chphost.Host) {
			inEvents(ofVictim, chphost.EventStarted, func(event object) []object {
				progress := maps.Clone(event)
				progress["event_id"], progress["event_type"] = h.NewID(chphost.EventID), "execution_progress"
				delete(progress, "invocation_id")
				return []object{event, progress}
			})(h)
		}))
}

// histories returns hosts that change stored evidence (CHP-6-16). They wait until a correlation
// has more events than in its first replay.
func histories() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("history-drops", "CHP-6-16", "Deletes the oldest event of a correlation after more events were added.",
			later(func(records []chphost.Record) []chphost.Record { return records[1:] })),
		newMutant("history-rewrites", "CHP-6-16",
			"Changes the time of the oldest event of a correlation after more events were added.",
			later(rewrites(mutant.With("timestamp", "2026-01-01T00:00:00Z")))),
		newMutant("history-redacts", "CHP-6-16", "Inverts redacted of the oldest event after more events were added.",
			later(rewrites(mutant.With("redacted", false)))),
		newMutant("history-renames", "CHP-6-16",
			"Changes the id of the oldest event of a correlation after more events were added.",
			later(rewrites(mutant.With("event_id", "evt-0001")))),
		newMutant("history-renumbers", "CHP-6-16", "Renumbers a correlation from zero after more events were added.",
			later(func(records []chphost.Record) []chphost.Record {
				var renumbered []chphost.Record
				for i, record := range records {
					renumbered = append(renumbered, rewritten(record, mutant.With("sequence", i)))
				}
				return renumbered
			})),
		newMutant("history-forgets", "CHP-6-16",
			"Keeps only the last two events of a correlation after more events were added.",
			later(func(records []chphost.Record) []chphost.Record { return records[len(records)-2:] })).AlsoBreaks("CHP-10-01",
			"an invocation of the correlation is gone with its events"),
	}
}

func rewrites(change func(object) any) func([]chphost.Record) []chphost.Record {
	return func(records []chphost.Record) []chphost.Record {
		return append([]chphost.Record{rewritten(records[0], change)}, records[1:]...)
	}
}

func rewritten(record chphost.Record, change func(object) any) chphost.Record {
	return chphost.Record{Sequence: record.Sequence, Text: rpc.Append(nil, change(record.Unpack()))}
}

// later changes the evidence of a correlation that has more events than in its first replay.
func later(change func(records []chphost.Record) []chphost.Record) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		original, seen := h.Select, map[string]int{}
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			all := h.Store.Events(query.CorrelationID)
			mutex.Lock()
			first, known := seen[query.CorrelationID]
			if !known && len(all) > 0 {
				seen[query.CorrelationID] = len(all)
			}
			mutex.Unlock()
			records, total := original(query)
			if !known || len(all) == first || len(records) < 3 || query.Limit > 0 || query.Since >= 0 {
				return records, total
			}
			changed := change(records)
			return changed, len(changed)
		}
	}
}
