package chpmutant

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// repetitions returns hosts that fail when a request is repeated.
func repetitions() []mutant.Mutant {
	nth := func(n int, change func([]chphost.Record) []chphost.Record) defect {
		return func(h *chphost.Host) {
			var mutex sync.Mutex
			asked, original := map[chphost.Query]int{}, h.Select
			h.Select = func(query chphost.Query) ([]chphost.Record, int) {
				records, total := original(query)
				mutex.Lock()
				defer mutex.Unlock()
				if asked[query]++; asked[query] != n || len(records) == 0 {
					return records, total
				}
				changed := change(records)
				return changed, len(changed)
			}
		}
	}
	nothing := func([]chphost.Record) []chphost.Record { return nil }
	return []mutant.Mutant{
		newMutant("replay-third-empty", "CHP-10-01", "Returns no events in the third replay of a correlation.",
			nth(3, nothing)),
		newMutant("replay-tenth-empty", "CHP-10-01", "Returns no events in the tenth replay of a correlation.",
			nth(10, nothing)),
		newMutant("replay-fourth-rewritten", "CHP-6-16",
			"Changes the time of the oldest event in the fourth replay of a correlation.",
			nth(4, rewrites(mutant.With("timestamp", "2026-01-01T00:00:00Z")))),
		newMutant("retry-hides-attempt", "CHP-6-01",
			"Emits no evidence of a denied invocation that is repeated.", hidesRetried),
	}
}

// combinations returns hosts that fail for combinations of query members or of invocations.
func combinations() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("limited-payloads-told", "CHP-10-05",
			"Ignores include_payloads in queries with limit and since_sequence.",
			readsQuery(func(query *chphost.Query, _ object) {
				query.Payloads = query.Payloads || query.Limit > 0 && query.Since >= 0
			})),
		newMutant("since-without-payloads", "CHP-10-04", "Ignores since_sequence in queries with include_payloads false.",
			readsQuery(func(query *chphost.Query, _ object) {
				if !query.Payloads {
					query.Since = -1
				}
			})),
		newMutant("limit-without-payloads", "CHP-10-03", "Ignores limit in queries with include_payloads false.",
			readsQuery(func(query *chphost.Query, _ object) {
				if !query.Payloads {
					query.Limit = 0
				}
			})),
		newMutant("limited-event-bare", "CHP-6-12", "Omits assurance from events for a query with limit.",
			func(h *chphost.Host) {
				original := h.Show
				h.Show = func(query chphost.Query, record chphost.Record) any {
					if query.Limit == 0 {
						return original(query, record)
					}
					event := record.Unpack()
					if !query.Payloads {
						event["payload"] = object{}
					}
					return mutant.Without("assurance")(event)
				}
			}),
		newMutant("twentieth-lost", "CHP-10-01", "Keeps evidence of only nineteen invocations of a correlation.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				seen := map[any]bool{}
				return slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool {
					id := r.Unpack()["invocation_id"]
					seen[id] = true
					return len(seen) > 19
				})
			})),
		newMutant("second-capability-named-first", "CHP-6-06",
			"Uses the id of the first invoked capability in all events of a correlation.", func(h *chphost.Host) {
				var mutex sync.Mutex
				first, original := map[string]any{}, h.Evidence
				h.Evidence = func(inv *chphost.Invocation, event object) []object {
					mutex.Lock()
					defer mutex.Unlock()
					if first[inv.CorrelationID()] == nil {
						first[inv.CorrelationID()] = event["capability_id"]
					}
					event["capability_id"] = first[inv.CorrelationID()]
					return original(inv, event)
				}
			}),
	}
}

// hidesRetried sometimes denies a capability with retryable true, and does not record the denial.
func hidesRetried(h *chphost.Host) {
	var asked atomic.Int64
	const code = "com.example.too_busy"
	h.Gates = append([]chphost.Gate{{Name: "load", Check: func(*chphost.Invocation) *chphost.Outcome {
		if asked.Add(1)%9 != 0 {
			return nil
		}
		changed := chphost.Deny(code, "too much to do, please try again", "", object{})
		changed.Denial["retryable"] = true
		return changed
	}}}, h.Gates...)
	denies(code, func(*chphost.Invocation, object) []object { return nil })(h)
}
