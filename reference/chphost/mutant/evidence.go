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
	broken := []mutant.Mutant{
		newMutant("evidence-id-invented", "CHP-6-02", "Lists evidence in a result that was never recorded.",
			inResult(ofVictim, func(result object) any {
				ids, _ := result["evidence_ids"].([]any)
				result["evidence_ids"] = append(ids, "evt-0001")
				return result
			})),
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
		newMutant("event-twice", "CHP-6-13", "Records one event twice.",
			inEvents(ofVictim, chphost.EventStarted, func(event object) []object { return []object{event, event} })),
		newMutant("event-sequence-fraction", "CHP-6-09", "Numbers events in halves.",
			numbers(func(event object, sequence int64) any { return json.Number(strconv.FormatInt(sequence, 10) + ".5") })),
		newMutant("event-sequence-text", "CHP-6-09", "Writes the sequence of an event as a string.",
			numbers(func(_ object, sequence int64) any { return strconv.FormatInt(sequence, 10) })),
		newMutant("event-sequence-negative", "CHP-6-09", "Numbers events below zero.",
			numbers(func(_ object, sequence int64) any { return sequence - 1<<40 })),
		newMutant("event-sequence-missing", "CHP-6-09", "Omits sequence from an event.", numbers(noNumber)),
	}
	return append(broken, ownEvents()...)
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

// ownEvents returns hosts that break the events that a capability itself emits (CHP-6-14).
func ownEvents() []mutant.Mutant {
	return []mutant.Mutant{newMutant("progress-without-invocation", "CHP-6-14",
		"Omits invocation_id from a progress event that it adds to an invocation.", func(h *chphost.Host) {
			inEvents(ofVictim, chphost.EventStarted, func(event object) []object {
				progress := maps.Clone(event)
				progress["event_id"], progress["event_type"] = h.NewID(chphost.EventID), "execution_progress"
				delete(progress, "invocation_id")
				return []object{event, progress}
			})(h)
		})}
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
