package chpvariant

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// evidence returns hosts that emit other events in addition to those that the outcome requires.
func evidence() []variant.Variant {
	return []variant.Variant{
		newVariant("governance-events", "Assesses every execution before it starts, with events of the host itself.",
			beside(chphost.EventStarted, true,
				"safety_assessment_started", "safety_assessment_completed", "safety_action_approved"), "CHP-6-14", "CHP-8-08"),
		newVariant("metering-events", "Meters every execution, with an event between its start and its end.",
			beside(chphost.EventStarted, false, "com.example.metered"), "CHP-6-15", "CHP-8-08"),
		newVariant("denials-announced", "Announces every denial with an event of the host itself.",
			beside(chphost.EventDenied, true, "approval_requested"), "CHP-8-10", "CHP-6-14"),
		newVariant("events-after-end", "Emits a settlement event after the end of every execution.",
			beside(chphost.EventCompleted, false, "com.example.settled"), "CHP-8-13", "CHP-6-15"),
		newVariant("observed-by-name", "Uses the example of the text as type of the event that a capability emits.",
			func(h *chphost.Host) {
				recorded(func(event object) {
					if event["event_type"] == chphost.Observed {
						event["event_type"] = "execution_observed"
					}
				})(h)
				for _, c := range h.Capabilities() {
					if c.ID == "conformance.observe" {
						h.Replace(c, c.Edit(func(descriptor object) {
							descriptor["emits"] = []any{chphost.EventStarted, "execution_observed", chphost.EventCompleted}
						}))
					}
				}
			}, "CHP-6-15", "CHP-6-14"),
		newVariant("retries", "Makes two attempts for a success: the first one fails.", retries, "CHP-8-13", "CHP-8-08"),
		newVariant("not-redacted", "States that its events are not redacted, since nothing was removed.",
			recorded(func(event object) { event["redacted"] = false }), "CHP-6-11"),
		newVariant("payload-digest", "Records a digest of the payload.", func(h *chphost.Host) {
			original := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.EventStarted {
					event["payload"] = object{"digest": "sha256:" + strconv.Itoa(len(rpc.Append(nil, inv.Payload)))}
				}
				return original(inv, event)
			}
		}, "CHP-5-09"),
		newVariant("inputs-told",
			"Emits the member names of a payload, with redacted values, in an event of the capability.",
			emitsInputs, "CHP-5-12", "CHP-5-09"),
		newVariant("chained", "Chains events by hashes, as newer texts do.", recorded(func(event object) {
			const hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
			event["content_hash"], event["prev_hash"], event["hash_scheme"] = hash, hash, "chp-event-hash-v2"
			event["execution_id"], event["admission"] = "exec-1", object{"gate": 11}
		}), "CHP-6-18"),
	}
}

// emitsInputs records the member names of a payload, with redacted values, after each start.
func emitsInputs(h *chphost.Host) {
	original := h.Evidence
	h.Evidence = func(inv *chphost.Invocation, event object) []object {
		all := original(inv, event)
		if event["event_type"] != chphost.EventStarted {
			return all
		}
		result := eventLike(h, event, "com.example.inputs")
		inputs := object{}
		for name := range inv.Payload {
			inputs[name] = "***"
		}
		result["payload"] = inputs
		return append(all, result)
	}
}

// beside records other events before or after those of one type.
func beside(kind string, before bool, further ...string) style {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			all := original(inv, event)
			if event["event_type"] != kind {
				return all
			}
			var added []object
			for _, name := range further {
				added = append(added, eventLike(h, event, name))
			}
			if before {
				return append(added, all...)
			}
			return append(all, added...)
		}
	}
}

// eventLike returns an event of another type without an outcome.
func eventLike(h *chphost.Host, event object, kind string) object {
	made := maps.Clone(event)
	for _, name := range []string{"outcome", "error", "denial"} {
		delete(made, name)
	}
	made["event_id"], made["event_type"], made["payload"] = h.NewID(chphost.EventID), kind, object{"by": "host"}
	return made
}

// retries records a failed attempt before a success.
func retries(h *chphost.Host) {
	original := h.Execute
	h.Execute = func(ctx context.Context, inv *chphost.Invocation) (any, error) {
		data, err := original(ctx, inv)
		if err != nil {
			return data, err
		}
		if err := h.Emit(inv, object{"event_type": chphost.EventFailed, "outcome": chphost.Failure}); err != nil {
			return nil, err
		}
		return data, h.Emit(inv, object{"event_type": chphost.EventStarted})
	}
}

// orders returns hosts that number events in other ways, or show them later.
func orders() []variant.Variant {
	return []variant.Variant{
		newVariant("sequence-gaps", "Leaves gaps between the sequences of events.", func(h *chphost.Host) {
			h.Store.Next = func(sequence int64) int64 { return sequence + 7 }
		}, "CHP-10-10"),
		newVariant("sequence-high", "Numbers events from above 2 to the power of 53.", func(h *chphost.Host) {
			h.Store.Next = func(sequence int64) int64 { return max(sequence, 1<<53) + 1 }
		}, "CHP-6-09", "CHP-10-10"),
		newVariant("sequence-from-zero", "Numbers events from 0.", func(h *chphost.Host) {
			h.Store.Number = func(event map[string]any, sequence int64) { event["sequence"] = sequence - 1 }
			original := h.ReadQuery
			h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
				query, err := original(members)
				if query.Since >= 0 {
					query.Since++
				}
				return query, err
			}
		}, "CHP-6-09", "CHP-10-10"),
		newVariant("sequence-with-point", "Writes sequences with a decimal point.", func(h *chphost.Host) {
			h.Store.Number = func(event map[string]any, sequence int64) {
				event["sequence"] = json.Number(strconv.FormatInt(sequence, 10) + ".0")
			}
		}, "CHP-6-09"),
		newVariant("sequence-per-correlation",
			"Numbers the events of each correlation from 1.", perCorrelation, "CHP-10-10"),
		newVariant("replay-lags", "Shows each event in replays only shortly after it was recorded.", lags, "CHP-6-01"),
	}
}

// perCorrelation numbers the events of each correlation separately. The counter of the store
// continues internally, and queries are converted.
func perCorrelation(h *chphost.Host) {
	h.Show = func(query chphost.Query, record chphost.Record) any {
		event := record.Unpack()
		all := h.Store.Events(query.CorrelationID)
		event["sequence"] = len(all) - len(chphost.After(all, record.Sequence))
		if !query.Payloads {
			event["payload"] = object{}
		}
		return event
	}
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		if all := h.Store.Events(query.CorrelationID); query.Since > 0 && len(all) > 0 {
			query.Since = all[min(int(query.Since), len(all))-1].Sequence
		}
		return original(query)
	}
}

// lag is the time for which an event is hidden.
const lag = 2 * time.Millisecond

func lags(h *chphost.Host) {
	var mutex sync.Mutex
	born, number, original := map[int64]time.Time{}, h.Store.Number, h.Select
	h.Store.Number = func(event map[string]any, sequence int64) {
		number(event, sequence)
		mutex.Lock()
		defer mutex.Unlock()
		born[sequence] = time.Now()
	}
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		records, _ := original(query)
		mutex.Lock()
		defer mutex.Unlock()
		shown := slices.IndexFunc(records, func(r chphost.Record) bool { return time.Since(born[r.Sequence]) < lag })
		if shown >= 0 {
			records = records[:shown]
		}
		return records, len(records)
	}
}
