package chpmutant

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// concurrentDefects are defects that a single invocation under an id of its own does not show.
func concurrentDefects() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("results-mixed", "CHP-5-01", "Answers callers who meet by the ids of whoever came last.", func(h *chphost.Host) {
			var last meeting[string]
			sound := h.Result
			h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
				result := sound(inv, outcome)
				if members, isObject := result.(object); isObject {
					members["invocation_id"] = last.meet(inv.ID)
				}
				return result
			}
		}),
		newMutant("end-lost-in-company", "CHP-8-08", "Does not record the end of an execution beside another one.", func(h *chphost.Host) {
			var last meeting[string]
			sound := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == chphost.Completed && last.meet(inv.ID) != inv.ID {
					return nil
				}
				return sound(inv, event)
			}
		}),
		newMutant("event-ids-by-type", "CHP-6-13", "Makes the id of an event from the correlation and its type.", func(h *chphost.Host) {
			sound := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				event["event_id"] = fmt.Sprintf("%s/%v", inv.CorrelationID(), event["event_type"])
				return sound(inv, event)
			}
		}),
		newMutant("replay-cached", "CHP-10-01", "Answers a replay that was asked for before from memory.", func(h *chphost.Host) {
			var mutex sync.Mutex
			sound, kept := h.Select, map[chphost.Query][]chphost.Record{}
			h.Select = func(query chphost.Query) ([]chphost.Record, int) {
				mutex.Lock()
				defer mutex.Unlock()
				if kept[query] == nil {
					records, total := sound(query)
					if total > len(records) {
						return records, total
					}
					kept[query] = records
				}
				return kept[query], len(kept[query])
			}
		}),
	}
}

// replaysCut are replays that lack events where there are many, and don't say so.
func replaysCut() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-ten", "CHP-10-01", "Replays no more than ten events where there is no limit, and does not say so.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			const page = 10
			if query.Limit > 0 || query.Since >= 0 {
				return records
			}
			return records[:min(len(records), page)]
		})),
		newMutant("replay-all-but-one", "CHP-10-01", "Leaves the last event of a replay out where there are many and no limit, and does not say so.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			const many = 9
			if query.Limit > 0 || query.Since >= 0 || len(records) < many {
				return records
			}
			return records[:len(records)-1]
		})),
	}
}

// replaysInCompany are replays that are wrong where many events are, or a limit and a
// place to begin at meet.
func replaysInCompany() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("replay-newest-invocation-first", "CHP-10-10", "Replays one invocation after the other, the newest first.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			if query.Limit > 0 || query.Since >= 0 {
				return records
			}
			var sorted []chphost.Record
			for rest := records; len(rest) > 0; {
				of := rest[0].Unpack()["invocation_id"]
				sorted = slices.Concat(byInvocation(rest, true), sorted)
				rest = slices.DeleteFunc(slices.Clone(rest), func(r chphost.Record) bool { return r.Unpack()["invocation_id"] == of })
			}
			return sorted
		})),
		newMutant("limit-backwards", "CHP-10-10", "Replays from the end where there is a limit.", inLimited(func(result object) {
			events, _ := result["events"].([]any)
			turned := slices.Clone(events)
			slices.Reverse(turned)
			result["events"] = turned
		})),
		newMutant("limit-counts-none", "CHP-10-08", "Tells 0 as the number of events where there is a limit.", inLimited(func(result object) { result["event_count"] = 0 })),
		newMutant("since-as-text", "CHP-10-04", "Compares sequences as texts.", selectsSince(func(record chphost.Record, since int64) bool {
			return strconv.FormatInt(record.Sequence, 10) > strconv.FormatInt(since, 10)
		})),
		newMutant("since-beyond-ignored", "CHP-10-04", "Replays from the start where nothing lies behind the place.", func(h *chphost.Host) {
			sound := h.Select
			h.Select = func(query chphost.Query) ([]chphost.Record, int) {
				if records, total := sound(query); total > 0 || query.Since < 0 {
					return records, total
				}
				query.Since = -1
				return sound(query)
			}
		}),
		newMutant("limit-of-all-loses-one", "CHP-10-03", "Leaves the last event out where the limit is the number of all.", selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			if query.Limit > 1 && query.Limit == len(records) {
				return records[1:]
			}
			return records
		})),
		newMutant("page-from-start", "CHP-10-04", "Reads a page from the start whatever the place.", readsQuery(func(query *chphost.Query, _ object) {
			if query.Limit > 0 {
				query.Since = -1
			}
		})),
		newMutant("page-without-end", "CHP-10-03", "Forgets the limit where there is a place to begin at.", readsQuery(func(query *chphost.Query, _ object) {
			if query.Since >= 0 {
				query.Limit = 0
			}
		})),
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

// readsQuery reads a query in a way of its own.
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

// meeting lets callers at the same time meet: each waits a little for the next one.
type meeting[T any] struct {
	mutex   sync.Mutex
	waiting chan T // takes what the next caller has
}

// meet gives what whoever came next has, or its own where nobody came.
func (m *meeting[T]) meet(own T) T {
	m.mutex.Lock()
	if m.waiting != nil {
		m.waiting <- own // never blocks: there is room for one
		m.waiting = nil
		m.mutex.Unlock()
		return own
	}
	mine := make(chan T, 1)
	m.waiting = mine
	m.mutex.Unlock()
	timer := time.NewTimer(company)
	defer timer.Stop()
	select {
	case other := <-mine:
		return other
	case <-timer.C:
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.waiting == mine {
		m.waiting = nil
	}
	return own
}

// alike are ids that are taken for one in a lookup, though each is kept as it came.
func alike() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		key           func(id string) string
	}{
		{"replay-any-case", "Looks evidence up without regard to case.", strings.ToLower},
		{"replay-trimmed", "Looks evidence up by an id without the blanks around it.", strings.TrimSpace},
		{"replay-by-beginning", "Looks evidence up by the first 200 characters of an id.", func(id string) string { return id[:min(len(id), 200)] }},
		{"replay-any-sign", "Looks evidence up without regard to signs.", func(id string) string { return strings.NewReplacer("-", "", "/", "", "_", "").Replace(id) }},
	} {
		broken = append(broken, newMutant(m.name, "CHP-10-02", m.summary, keyed(m.key)))
	}
	return broken
}

// keyed replays whatever was kept under an id with the same key.
func keyed(key func(id string) string) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		ids, correlate, sound := map[string][]string{}, h.Correlate, h.Select
		h.Correlate = func(given map[string]any) map[string]any {
			correlation := correlate(given)
			id, _ := correlation["correlation_id"].(string)
			mutex.Lock()
			defer mutex.Unlock()
			if !slices.Contains(ids[key(id)], id) {
				ids[key(id)] = append(ids[key(id)], id)
			}
			return correlation
		}
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			mutex.Lock()
			defer mutex.Unlock()
			limit := query.Limit
			query.Limit = 0
			var all []chphost.Record
			for _, query.CorrelationID = range ids[key(query.CorrelationID)] {
				records, _ := sound(query)
				all = append(all, records...)
			}
			slices.SortFunc(all, func(a, b chphost.Record) int { return int(a.Sequence - b.Sequence) })
			total := len(all)
			if limit > 0 {
				all = all[:min(limit, total)]
			}
			return all, total
		}
	}
}
