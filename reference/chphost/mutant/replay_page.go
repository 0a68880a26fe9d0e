package chpmutant

import (
	"slices"
	"strconv"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// replaysCut are replays that lack events where there are many, and don't say so.
func replaysCut() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-ten", "CHP-10-01", "Replays no more than ten events where there is no limit, and does not say so.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				const page = 10
				if query.Limit > 0 || query.Since >= 0 {
					return records
				}
				return records[:min(len(records), page)]
			})),
		newMutant("replay-all-but-one", "CHP-10-01",
			"Leaves the last event of a replay out where there are many and no limit, and does not say so.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				const many = 9
				if query.Limit > 0 || query.Since >= 0 || len(records) < many {
					return records
				}
				return records[:len(records)-1]
			})),
	}
}

// replayPages are replays that are wrong if there are many events, or if a query has
// both a limit and a starting point.
func replayPages() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-newest-invocation-first", "CHP-10-10", "Replays one invocation after the other, the newest first.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
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
			})),
		newMutant("limit-backwards", "CHP-10-10", "Replays from the end where there is a limit.",
			inLimited(func(result object) {
				events, _ := result["events"].([]any)
				turned := slices.Clone(events)
				slices.Reverse(turned)
				result["events"] = turned
			})),
		newMutant("limit-counts-none", "CHP-10-08", "Tells 0 as the number of events where there is a limit.",
			inLimited(func(result object) { result["event_count"] = 0 })),
		newMutant("since-as-text", "CHP-10-04", "Compares sequences as texts.",
			selectsSince(func(record chphost.Record, since int64) bool {
				return strconv.FormatInt(record.Sequence, 10) > strconv.FormatInt(since, 10)
			})),
		newMutant("since-beyond-ignored", "CHP-10-04", "Replays from the start where nothing lies behind the place.",
			func(h *chphost.Host) {
				sound := h.Select
				h.Select = func(query chphost.Query) ([]chphost.Record, int) {
					if records, total := sound(query); total > 0 || query.Since < 0 {
						return records, total
					}
					query.Since = -1
					return sound(query)
				}
			}),
		newMutant("limit-of-all-loses-one", "CHP-10-03", "Leaves the last event out where the limit is the number of all.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				if query.Limit > 1 && query.Limit == len(records) {
					return records[1:]
				}
				return records
			})),
		newMutant("page-from-start", "CHP-10-04", "Reads a page from the start whatever the place.",
			readsQuery(fromStart)),
		newMutant("page-of-last", "CHP-10-04", "Gives the last events where there is a limit, whatever the place.",
			lastOfAll),
		newMutant("page-without-end", "CHP-10-03", "Forgets the limit where there is a place to begin at.", readsQuery(func(query *chphost.Query, _ object) {
			if query.Since >= 0 {
				query.Limit = 0
			}
		})),
	}
}

// fromStart forgets the place to begin at where there is a limit.
func fromStart(query *chphost.Query, _ object) {
	if query.Limit > 0 {
		query.Since = -1
	}
}

// lastOfAll keeps what came last where there are a limit and a place to begin at.
func lastOfAll(h *chphost.Host) {
	sound := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		limit := query.Limit
		if limit == 0 || query.Since < 0 {
			return sound(query)
		}
		query.Limit, query.Since = 0, -1
		records, total := sound(query)
		return records[max(0, total-limit):], total
	}
}

// inLimited changes the results of replays with a limit.
func inLimited(change func(result object)) defect {
	return func(h *chphost.Host) {
		sound := h.Replayed
		h.Replayed = func(query chphost.Query, events []any, total int) any {
			result := sound(query, events, total)
			if members, isObject := result.(object); isObject && query.Limit > 0 {
				change(members)
			}
			return result
		}
	}
}

// selectsSince decides by its own which records lie behind a sequence.
func selectsSince(behind func(record chphost.Record, since int64) bool) defect {
	return func(h *chphost.Host) {
		sound := h.Select
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			since, limit := query.Since, query.Limit
			query.Since, query.Limit = -1, 0
			records, _ := sound(query)
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
		sound := h.Ask
		h.Ask = func(members map[string]any) (chphost.Query, error) {
			query, err := sound(members)
			change(&query, members)
			return query, err
		}
	}
}
