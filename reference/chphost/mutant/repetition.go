package chpmutant

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// repetitions go wrong when something is asked for again.
func repetitions() []mutant.Mutant {
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
		newMutant("replay-third-empty", "CHP-10-01", "Replays nothing when the same is asked for the third time.",
			nth(3, nothing)),
		newMutant("replay-tenth-empty", "CHP-10-01", "Replays nothing when the same is asked for the tenth time.",
			nth(10, nothing)),
		newMutant("replay-fourth-rewritten", "CHP-6-16",
			"Gives the oldest event another time when the same is asked for the fourth time.",
			nth(4, rewrites(mutant.With("timestamp", "2026-01-01T00:00:00Z")))),
		newMutant("retry-hides-attempt", "CHP-6-01", "Leaves no evidence of a denial that is sent again.", hidesRetried),
	}
}

// combinations go wrong where several members of a query, or several invocations, meet.
func combinations() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("limited-payloads-told", "CHP-10-05",
			"Disregards include_payloads where there is a limit and a place to begin at.",
			readsQuery(func(query *chphost.Query, _ object) {
				query.Payloads = query.Payloads || query.Limit > 0 && query.Since >= 0
			})),
		newMutant("since-without-payloads", "CHP-10-04", "Replays from the start where no payloads are wanted.",
			readsQuery(func(query *chphost.Query, _ object) {
				if !query.Payloads {
					query.Since = -1
				}
			})),
		newMutant("limit-without-payloads", "CHP-10-03", "Forgets the limit where no payloads are wanted.",
			readsQuery(func(query *chphost.Query, _ object) {
				if !query.Payloads {
					query.Limit = 0
				}
			})),
		newMutant("limited-event-bare", "CHP-6-12", "Leaves assurance out of events where there is a limit.",
			func(h *chphost.Host) {
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
		newMutant("twentieth-lost", "CHP-10-01", "Keeps no more than nineteen invocations of a correlation.",
			selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
				seen := map[any]bool{}
				return slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool {
					id := r.Unpack()["invocation_id"]
					seen[id] = true
					return len(seen) > 19
				})
			})),
		newMutant("second-capability-named-first", "CHP-6-06",
			"Gives the events of a correlation the id of the capability that was invoked first.", func(h *chphost.Host) {
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
