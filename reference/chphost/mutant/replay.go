package chpmutant

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// replays returns hosts that break replay results (CHP-10-01, 02, and 06 to 10).
func replays() []mutant.Mutant {
	broken := []mutant.Mutant{
		newMutant("no-replay", "CHP-10-01", "Does not provide replay.", func(h *chphost.Host) { h.Replay = nil }),
		newMutant("replay-crashes", "CHP-10-01", "Answers every replay with an internal error.", func(h *chphost.Host) {
			h.Replay = func(context.Context, map[string]any) (any, error) { return nil, mutant.ProtocolError("internal error") }
		}),
		newMutant("replay-needs-limit", "CHP-10-01", "Refuses a replay query without limit.", func(h *chphost.Host) {
			original := h.ReadQuery
			h.ReadQuery = func(query map[string]any) (chphost.Query, error) {
				if query["limit"] == nil {
					return chphost.Query{}, chphost.Refuse("limit must be an integer")
				}
				return original(query)
			}
		}),
		newMutant("replay-last-invocation", "CHP-10-01", "Replays only the last invocation of a correlation.",
			selects(func(_ chphost.Query, records []chphost.Record) []chphost.Record {
				return byInvocation(records, false)
			})).AlsoBreaks("CHP-6-16", "what came before the last invocation is gone from later replays"),
		newMutant("replay-first-invocation", "CHP-10-01", "Replays only the first invocation of a correlation.",
			selects(func(_ chphost.Query, records []chphost.Record) []chphost.Record {
				return byInvocation(records, true)
			})),
	}
	return append(append(broken, counts()...), neighbours()...)
}

// byInvocation keeps the records of the first or the last invocation.
func byInvocation(records []chphost.Record, first bool) []chphost.Record {
	if len(records) == 0 {
		return records
	}
	kept := records[len(records)-1].Unpack()["invocation_id"]
	if first {
		kept = records[0].Unpack()["invocation_id"]
	}
	return slices.DeleteFunc(slices.Clone(records),
		func(r chphost.Record) bool { return r.Unpack()["invocation_id"] != kept })
}

// selects changes what a query selects. The total number changes with it.
func selects(change func(query chphost.Query, records []chphost.Record) []chphost.Record) defect {
	return func(h *chphost.Host) {
		original := h.Select
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			records, _ := original(query)
			changed := change(query, records)
			return changed, len(changed)
		}
	}
}

// counts returns hosts that break the id, the count and the order of a replay.
func counts() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary string
		turn                       func(events []any, result object) any
	}{
		{"replay-events-as-texts", "CHP-10-07", "Writes events as strings of JSON.", func(events []any, result object) any {
			var texts []any
			for _, event := range events {
				texts = append(texts, string(rpc.Append(nil, event)))
			}
			return mutant.With("events", texts)(result)
		}},
		{"replay-count-more", "CHP-10-08",
			"Gives one more than the number of events as event_count.", func(events []any, result object) any {
				return mutant.With("event_count", len(events)+1)(result)
			}},
		{"replay-backwards", "CHP-10-10", "Replays the last event first.", func(events []any, result object) any {
			backwards := slices.Clone(events)
			slices.Reverse(backwards)
			return mutant.With("events", backwards)(result)
		}},
		{"replay-rotated", "CHP-10-10", "Replays the first event last.", func(events []any, result object) any {
			return mutant.With("events", append(slices.Clone(events[1:]), events[0]))(result)
		}},
	} {
		broken = append(broken, newMutant(m.name, m.requirement, m.summary,
			inReplay(func(_ chphost.Query, result object) any {
				events, _ := result["events"].([]any)
				return m.turn(events, result)
			})))
	}
	return append(broken,
		newMutant("sequence-stands-still", "CHP-10-10", "Uses the same sequence for all events of an invocation.",
			standsStill),
	)
}

// standsStill sets the sequence of all events of an invocation to that of the first one.
func standsStill(h *chphost.Host) {
	var mutex sync.Mutex
	first := map[any]any{}
	numbers(func(event object, sequence int64) any {
		mutex.Lock()
		defer mutex.Unlock()
		if first[event["invocation_id"]] == nil {
			first[event["invocation_id"]] = sequence
		}
		return first[event["invocation_id"]]
	})(h)
}

// neighbours returns hosts that replay events of other correlations (CHP-10-02).
func neighbours() []mutant.Mutant {
	// also adds the evidence of other ids to a replay.
	also := func(which func(asked, other string) bool) defect {
		return func(h *chphost.Host) {
			var mutex sync.Mutex
			known := []string{}
			correlate, original := h.Correlate, h.Select
			h.Correlate = func(given map[string]any) map[string]any {
				correlation := correlate(given)
				id, _ := correlation["correlation_id"].(string)
				mutex.Lock()
				defer mutex.Unlock()
				if !slices.Contains(known, id) {
					known = append(known, id)
				}
				return correlation
			}
			h.Select = func(query chphost.Query) ([]chphost.Record, int) {
				records, total := original(query)
				mutex.Lock()
				defer mutex.Unlock()
				all := slices.Clone(records)
				for _, other := range known {
					if other != query.CorrelationID && which(query.CorrelationID, other) {
						all = append(all, chphost.After(h.Store.Events(other), query.Since)...)
					}
				}
				slices.SortFunc(all, func(a, b chphost.Record) int { return int(a.Sequence - b.Sequence) })
				if query.Limit > 0 {
					all = all[:min(query.Limit, len(all))]
				}
				return all, total + len(all) - len(records)
			}
		}
	}
	unused := func(which func(asked, other string) bool) defect { return ofUnused(also(which)) }
	return []mutant.Mutant{
		newMutant("replay-completes", "CHP-10-02", "Replays, for an unused id, a correlation whose id begins with it.",
			unused(func(asked, other string) bool { return strings.HasPrefix(other, asked) })),
		newMutant("replay-of-another-case", "CHP-10-02",
			"Replays, for an unused id, a correlation whose id differs only in case.", unused(strings.EqualFold)),
		newMutant("replay-by-prefix", "CHP-10-02", "Replays every correlation whose id begins with the requested one.",
			also(func(asked, other string) bool { return strings.HasPrefix(other, asked) })),
		newMutant("replay-everything", "CHP-10-02", "Replays the events of every correlation.",
			also(func(string, string) bool { return true })),
		newMutant("replay-of-nobody", "CHP-10-02", "Replays other events for an unused id.",
			unused(func(string, string) bool { return true })),
	}
}

// ofUnused applies a defect only to the replay of unused ids.
func ofUnused(breaks defect) defect {
	return func(h *chphost.Host) {
		original := h.Select
		breaks(h)
		loose := h.Select
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			if len(h.Store.Events(query.CorrelationID)) == 0 {
				return loose(query)
			}
			return original(query)
		}
	}
}

// refusesMember refuses a query with a member.
func refusesMember(member string) defect {
	return func(h *chphost.Host) {
		original := h.ReadQuery
		h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
			if members[member] != nil {
				return chphost.Query{}, chphost.Refuse("unknown member %s", strconv.Quote(member))
			}
			return original(members)
		}
	}
}

// queries returns hosts that ignore members of a query (CHP-10-03 to 05).
func queries() []mutant.Mutant {
	asks := func(change func(query *chphost.Query)) defect {
		return func(h *chphost.Host) {
			original := h.ReadQuery
			h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
				query, err := original(members)
				change(&query)
				return query, err
			}
		}
	}
	limited := func(change func(limit int) int) defect {
		return asks(func(query *chphost.Query) {
			if query.Limit > 0 {
				query.Limit = change(query.Limit)
			}
		})
	}
	return []mutant.Mutant{
		newMutant("limit-ignored", "CHP-10-03", "Ignores limit.", limited(func(int) int { return 0 })),
		newMutant("limit-one-more", "CHP-10-03", "Replays one more event than limit permits.",
			limited(func(limit int) int { return limit + 1 })),
		newMutant("limit-always-one", "CHP-10-03",
			"Replays one event for every query with limit.", limited(func(int) int { return 1 })),
		newMutant("limit-refused", "CHP-10-03", "Refuses a query with limit.", refusesMember("limit")),
		newMutant("since-ignored", "CHP-10-04",
			"Ignores since_sequence.", asks(func(query *chphost.Query) { query.Since = -1 })),
		newMutant("since-skips", "CHP-10-04",
			"Omits the first event after since_sequence.", asks(func(query *chphost.Query) {
				if query.Since >= 0 {
					query.Since++
				}
			})),
		newMutant("since-early", "CHP-10-04",
			"Starts a replay two events before since_sequence.", asks(func(query *chphost.Query) {
				if query.Since >= 0 {
					query.Since = max(0, query.Since-2)
				}
			})),
		newMutant("since-empties", "CHP-10-04", "Replays nothing for a query with since_sequence.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				if query.Since >= 0 {
					return nil
				}
				return records
			})),
		newMutant("since-refused", "CHP-10-04", "Refuses a query with since_sequence.", refusesMember("since_sequence")),
		newMutant("payloads-told", "CHP-10-05",
			"Ignores include_payloads.", asks(func(query *chphost.Query) { query.Payloads = true })),
		newMutant("payloads-inverted", "CHP-10-05",
			"Shows payloads only if include_payloads is false.", asks(func(query *chphost.Query) {
				query.Payloads = !query.Payloads
			})),
		newMutant("payloads-refused", "CHP-10-05", "Refuses a query with include_payloads.",
			refusesMember("include_payloads")),
	}
}
