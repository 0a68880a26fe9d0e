package chpmutant

import (
	"slices"
	"strconv"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// replaysCut returns hosts that silently omit events from long replays.
func replaysCut() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-ten", "CHP-10-01", "Silently replays at most ten events without limit.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				const page = 10
				if query.Limit > 0 || query.Since >= 0 {
					return records
				}
				return records[:min(len(records), page)]
			})),
		newMutant("replay-all-but-one", "CHP-10-01", "Silently omits the last of many events from a replay without limit.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				const many = 9
				if query.Limit > 0 || query.Since >= 0 || len(records) < many {
					return records
				}
				return records[:len(records)-1]
			})),
		newMutant("replay-fifty", "CHP-10-01", "Silently replays at most 50 events.",
			selects(func(_ chphost.Query, records []chphost.Record) []chphost.Record {
				const page = 50
				return records[:min(len(records), page)]
			})),
		newMutant("replay-near-first", "CHP-10-01",
			"Omits events whose sequence is more than 50 after that of the first event of the correlation.",
			endsAfter(50)),
	}
}

// endsAfter omits the events whose sequence is greater than that of the first event of their correlation by
// more than a number.
func endsAfter(reach int64) defect {
	return func(h *chphost.Host) {
		selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			all := h.Store.Events(query.CorrelationID)
			return slices.DeleteFunc(slices.Clone(records),
				func(r chphost.Record) bool { return r.Sequence > all[0].Sequence+reach })
		})(h)
	}
}

// replayPages returns hosts whose replays are wrong if there are many events, or if a query has
// both a limit and a starting point.
func replayPages() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-newest-invocation-first", "CHP-10-10",
			"Replays the invocations of a correlation one after another, the newest first.",
			selects(newestInvocationFirst)),
		newMutant("limit-backwards", "CHP-10-10", "Replays events from the end for a query with limit.",
			inLimited(func(result object) {
				events, _ := result["events"].([]any)
				changed := slices.Clone(events)
				slices.Reverse(changed)
				result["events"] = changed
			})),
		newMutant("limit-counts-none", "CHP-10-08", "Gives 0 as event_count for a query with limit.",
			inLimited(func(result object) { result["event_count"] = 0 })),
		newMutant("since-as-text", "CHP-10-04", "Compares sequences as strings.",
			selectsSince(func(record chphost.Record, since int64) bool {
				return strconv.FormatInt(record.Sequence, 10) > strconv.FormatInt(since, 10)
			})),
		newMutant("since-beyond-ignored", "CHP-10-04", "Ignores since_sequence if no events follow it.",
			func(h *chphost.Host) {
				original := h.Select
				h.Select = func(query chphost.Query) ([]chphost.Record, int) {
					if records, total := original(query); total > 0 || query.Since < 0 {
						return records, total
					}
					query.Since = -1
					return original(query)
				}
			}),
		newMutant("since-skips-invocation", "CHP-10-04",
			"Omits the rest of an invocation whose start is at since_sequence.", skipsInvocation),
		newMutant("limit-of-all-loses-one", "CHP-10-03", "Omits the last event if limit equals the number of events.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				if query.Limit > 1 && query.Limit == len(records) {
					return records[1:]
				}
				return records
			})),
		newMutant("page-from-start", "CHP-10-04", "Starts every page at the first event, whatever since_sequence.",
			readsQuery(fromStart)),
		newMutant("page-of-last", "CHP-10-04",
			"Returns the last events for a query with limit, whatever its since_sequence.", lastOfAll),
		newMutant("page-without-end", "CHP-10-03",
			"Ignores limit in queries with since_sequence.", readsQuery(func(query *chphost.Query, _ object) {
				if query.Since >= 0 {
					query.Limit = 0
				}
			})),
	}
}

// newestInvocationFirst sorts the records of a whole replay by invocation.
func newestInvocationFirst(query chphost.Query, records []chphost.Record) []chphost.Record {
	if query.Limit > 0 || query.Since >= 0 {
		return records
	}
	var sorted []chphost.Record
	for rest := records; len(rest) > 0; {
		of := rest[0].Unpack()["invocation_id"]
		sorted = slices.Concat(byInvocation(rest, true), sorted)
		rest = slices.DeleteFunc(slices.Clone(rest),
			func(r chphost.Record) bool { return r.Unpack()["invocation_id"] == of })
	}
	return sorted
}

// fromStart ignores since_sequence in queries with limit.
func fromStart(query *chphost.Query, _ object) {
	if query.Limit > 0 {
		query.Since = -1
	}
}

// lastOfAll returns the last events for queries with limit and since_sequence.
func lastOfAll(h *chphost.Host) {
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		limit := query.Limit
		if limit == 0 || query.Since < 0 {
			return original(query)
		}
		query.Limit, query.Since = 0, -1
		records, total := original(query)
		return records[max(0, total-limit):], total
	}
}

// skipsInvocation omits the events of the invocation whose start is at since_sequence.
func skipsInvocation(h *chphost.Host) {
	selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
		var begun any
		for _, r := range h.Store.Events(query.CorrelationID) {
			if event := r.Unpack(); r.Sequence == query.Since && event["event_type"] == chphost.EventStarted {
				begun = event["invocation_id"]
			}
		}
		return slices.DeleteFunc(slices.Clone(records),
			func(r chphost.Record) bool { return begun != nil && r.Unpack()["invocation_id"] == begun })
	})(h)
}

// inLimited changes the results of replays with a limit.
func inLimited(change func(result object)) defect {
	return func(h *chphost.Host) {
		original := h.ReplayResult
		h.ReplayResult = func(query chphost.Query, events []any, total int) any {
			result := original(query, events, total)
			if members, isObject := result.(object); isObject && query.Limit > 0 {
				change(members)
			}
			return result
		}
	}
}

// selectsSince selects the records that follow a sequence by another rule.
func selectsSince(behind func(record chphost.Record, since int64) bool) defect {
	return func(h *chphost.Host) {
		original := h.Select
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			since, limit := query.Since, query.Limit
			query.Since, query.Limit = -1, 0
			records, _ := original(query)
			if since >= 0 {
				records = slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool { return !behind(r, since) })
			}
			total := len(records)
			if limit > 0 {
				records = records[:min(limit, total)]
			}
			return records, total
		}
	}
}

// readsQuery changes how a query is read.
func readsQuery(change func(query *chphost.Query, members object)) defect {
	return func(h *chphost.Host) {
		original := h.ReadQuery
		h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
			query, err := original(members)
			change(&query, members)
			return query, err
		}
	}
}
