package chpvariant

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/variant"
)

// concurrentChanges returns hosts that other callers use at the same time: capabilities and answers
// change during the run. The text fixes ids, evidence and correlations, and permits everything else
// to change.
func concurrentChanges() []variant.Variant {
	return []variant.Variant{
		// An id that was removed identifies no other capability, so it was stable while it existed.
		newVariant("comes-and-goes", "Lists one more capability every second time and serves it until the next listing.",
			visitsEverySecond, "CHP-4-08", "CHP-3-15"),
		newVariant("new-each-time", "Opens a capability with a new id for every listing and closes the previous one.",
			visitsEachTime, "CHP-4-08", "CHP-3-15"),
		newVariant("version-added", "Adds another version of a capability during the run.",
			afterInvocations(9, func(h *chphost.Host) {
				h.Add(successor(h, "3.0.0"))
			}), "CHP-4-08", "CHP-3-15"),
		newVariant("retires", "Removes a capability permanently during the run.", retires, "CHP-4-08", "CHP-3-15",
			"CHP-5-10"),
		newVariant("switched-off", "Disables a capability during the run.", switchedOff, "CHP-5-10",
			"CHP-9-04"),
		newVariant("order-changes", "Lists capabilities in another order each time.", func(h *chphost.Host) {
			var asked atomic.Int64
			h.Catalogue = func(string) []*chphost.Capability {
				all := h.Capabilities()
				at := int(asked.Add(1)) % len(all)
				return slices.Concat(all[at:], all[:at])
			}
		}, "CHP-4-08"),
		// Denials by local rules are lawful, and these have retryable true.
		newVariant("turns-away", "Denies every ninth invocation because it is overloaded.", turnsAway, "CHP-9-06",
			"CHP-9-11"),
		newVariant("breaker", "Denies a capability for a while after it failed.", opensCircuit, "CHP-9-06", "CHP-8-05"),
		newVariant("budgets", "Denies invocations after five executions under one correlation.", budgets, "CHP-9-06",
			"CHP-10-01", "CHP-7-05"),
		// A correlation links related attempts, including those that the handler makes.
		newVariant("calls-others", "Invokes another capability during an invocation, under the same correlation.",
			callsOthers, "CHP-6-05", "CHP-10-01"),
		newVariant("hosts-number-alike", "Represents two hosts that use the same event ids, and invokes one from the other.",
			combined(callsOthers, numberAlike), "CHP-6-13"),
		newVariant("busy", "Serves another caller during every invocation.", servesOthers, "CHP-10-02", "CHP-10-10"),
		// The text states that evidence is written, but not when it can be read.
		newVariant("evidence-in-any-order", "Shows each event shortly after it was recorded, sometimes later events first.",
			showsInAnyOrder, "CHP-6-01", "CHP-8-08"),
		newVariant("replicas", "Replays from two stores in turn, one of which lags.", replicas, "CHP-6-16",
			"CHP-6-01"),
		newVariant("evidence-in-batches", "Shows each event in replays only 600 milliseconds after it was recorded.",
			func(h *chphost.Host) {
				showsOnly(h, func(_ int64, age time.Duration) bool { return age > batchTime })
			}, "CHP-6-01", "CHP-10-01"),
		newVariant("settles-late", "Emits a settlement event under the correlation shortly after the answer.", settlesLate,
			"CHP-6-15", "CHP-10-03", "CHP-10-04"),
		newVariant("events-age", "Adds the current age of each event to every replay.", func(h *chphost.Host) {
			original := h.Show
			h.Show = func(query chphost.Query, record chphost.Record) any {
				event := chphost.Record{Sequence: record.Sequence, Text: record.Text}.Unpack()
				if !query.Payloads {
					event, _ = original(query, record).(object)
				}
				event["x_age_us"], event["x_witnesses"] = h.Now().UnixMicro(), rand.IntN(1000)
				return event
			}
		}, "CHP-6-16", "CHP-6-18"),
	}
}

// retentions returns hosts that keep a bounded number of events. The text does not say how long
// evidence is kept: hosted retention is out of scope.
func retentions() []variant.Variant {
	return []variant.Variant{
		newVariant("keeps-last-150", "Keeps only the last 150 events.", keepsLast(150), "CHP-6-01", "CHP-6-16",
			"CHP-10-01"),
		newVariant("keeps-last-42", "Keeps only the last 42 events.", keepsLast(42), "CHP-10-03"),
		newVariant("keeps-last-21", "Keeps only the last 21 events.", keepsLast(21), "CHP-10-01", "CHP-8-08", "CHP-6-16"),
	}
}

// batchTime is the time until a batch of evidence is stored. The harness does not wait so long
// directly after an answer.
const batchTime = 600 * time.Millisecond

// successor returns a copy of the first capability in another version.
func successor(h *chphost.Host, version string) *chphost.Capability {
	first := h.Capabilities()[0]
	next := first.Edit(func(d object) {
		d["version"] = version
		if d["capability_uri"] != nil {
			d["capability_uri"] = first.ID + ":" + version
		}
	})
	next.Version = version
	return next
}

// renamed returns a copy of the first capability under another id.
func renamed(h *chphost.Host, id string) *chphost.Capability {
	first := h.Capabilities()[0]
	visitor := first.Edit(func(d object) {
		d["id"] = id
		if d["capability_uri"] != nil {
			d["capability_uri"] = id + ":" + first.Version
		}
	})
	visitor.ID = id
	return visitor
}

// visited lists a temporary capability first, and serves it until the next listing. It
// lists none if next returns nil.
func visited(h *chphost.Host, next func() *chphost.Capability) {
	var mutex sync.Mutex
	var present *chphost.Capability
	h.Catalogue = func(string) []*chphost.Capability {
		mutex.Lock()
		defer mutex.Unlock()
		present = next()
		if present == nil {
			return h.Capabilities()
		}
		return append([]*chphost.Capability{present}, h.Capabilities()...)
	}
	original := h.Resolve
	h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
		mutex.Lock()
		defer mutex.Unlock()
		if present != nil && inv.CapabilityID == present.ID && (inv.Version == "" || inv.Version == present.Version) {
			return present
		}
		return original(inv)
	}
}

func visitsEverySecond(h *chphost.Host) {
	visitor, asked := renamed(h, "report.weekly"), 0
	visited(h, func() *chphost.Capability {
		if asked++; asked%2 == 0 {
			return visitor
		}
		return nil
	})
}

func visitsEachTime(h *chphost.Host) {
	opened := 0
	visited(h, func() *chphost.Capability {
		opened++
		return renamed(h, "desk.window-"+string(rune('a'+opened%26))+string(rune('a'+opened/26%26)))
	})
}

// afterInvocations changes a host after a number of invocations.
func afterInvocations(invocations int64, change func(h *chphost.Host)) style {
	return func(h *chphost.Host) {
		var seen atomic.Int64
		original := h.Resolve
		h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
			if seen.Add(1) == invocations {
				change(h)
			}
			return original(inv)
		}
	}
}

// retires lists a temporary capability first until some invocations were made.
func retires(h *chphost.Host) {
	var gone atomic.Bool
	visitor := renamed(h, "report.yearly")
	visited(h, func() *chphost.Capability {
		if gone.Load() {
			return nil
		}
		return visitor
	})
	original := h.Resolve
	h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
		if c := original(inv); c != visitor || !gone.Load() {
			return c
		}
		return nil
	}
	afterInvocations(12, func(*chphost.Host) { gone.Store(true) })(h)
}

// switchedOff disables the first capability after some invocations.
func switchedOff(h *chphost.Host) {
	afterInvocations(12, func(h *chphost.Host) {
		first := h.Capabilities()[0]
		off := first.Edit(func(object) {})
		off.Disabled = true
		h.Replace(first, off)
	})(h)
}

func turnsAway(h *chphost.Host) {
	var asked atomic.Int64
	h.Gates = append([]chphost.Gate{{Name: "load", Check: func(*chphost.Invocation) *chphost.Outcome {
		if asked.Add(1)%9 != 0 {
			return nil
		}
		changed := chphost.Deny("com.example.too_busy", "too much to do, please try again", "", object{})
		changed.Denial["retryable"] = true
		return changed
	}}}, h.Gates...)
}

// opensCircuit denies a capability after a failure, so that one that never works is executed
// every second time.
func opensCircuit(h *chphost.Host) {
	var mutex sync.Mutex
	broken := map[string]bool{}
	h.Gates = append(h.Gates, chphost.Gate{Name: "breaker", Check: func(inv *chphost.Invocation) *chphost.Outcome {
		mutex.Lock()
		defer mutex.Unlock()
		if !broken[inv.CapabilityID] {
			return nil
		}
		broken[inv.CapabilityID] = false
		return chphost.Deny("com.example.circuit_open", "it failed lately", "", object{})
	}})
	original := h.Execute
	h.Execute = func(ctx context.Context, inv *chphost.Invocation) (any, error) {
		data, err := original(ctx, inv)
		if err != nil {
			mutex.Lock()
			defer mutex.Unlock()
			broken[inv.CapabilityID] = true
		}
		return data, err
	}
}

// budgets limits the number of executions under each correlation.
func budgets(h *chphost.Host) {
	const budget = 5
	var mutex sync.Mutex
	started := map[string]int{}
	h.Gates = append(h.Gates, chphost.Gate{Name: "budget", Check: func(inv *chphost.Invocation) *chphost.Outcome {
		mutex.Lock()
		defer mutex.Unlock()
		if started[inv.CorrelationID()]++; started[inv.CorrelationID()] <= budget {
			return nil
		}
		spent := chphost.Deny("budget_exceeded", "no more under this correlation", "", object{"limit": budget})
		spent.Denial["retryable"] = true
		return spent
	}})
}

// callsOthers lets the first capability invoke another one.
func callsOthers(h *chphost.Host) {
	original := h.Execute
	h.Execute = func(ctx context.Context, inv *chphost.Invocation) (any, error) {
		first, other := h.Capabilities()[0], h.Capabilities()[2]
		if inv.CapabilityID == first.ID && inv.Version == first.Version {
			if err := serve(ctx, h, other, inv.Correlation); err != nil {
				return nil, err
			}
		}
		return original(ctx, inv)
	}
}

// numberAlike makes another host execute the capability that is invoked in turn. Each of the two
// hosts numbers its events of a correlation.
func numberAlike(h *chphost.Host) {
	var mutex sync.Mutex
	numbers, invoked, original := map[string]int{}, h.Capabilities()[2].ID, h.Evidence
	published(func(descriptor object) { descriptor["kind"] = "multi-host" })(h)
	h.Evidence = func(inv *chphost.Invocation, event object) []object {
		mutex.Lock()
		defer mutex.Unlock()
		if inv.CapabilityID == invoked {
			event["host_id"] = other
		}
		of := fmt.Sprint(event["host_id"], " ", inv.CorrelationID())
		numbers[of]++
		event["event_id"] = fmt.Sprintf("%s/%d", inv.CorrelationID(), numbers[of])
		return original(inv, event)
	}
}

// servesOthers serves another caller before each invocation.
func servesOthers(h *chphost.Host) {
	original, someone := h.Perform, h.Capabilities()[2]
	h.Perform = func(ctx context.Context, inv *chphost.Invocation) (chphost.Outcome, error) {
		if inv.Capability != someone {
			if err := serve(ctx, h, someone, object{"correlation_id": h.NewID(chphost.CorrelationID)}); err != nil {
				return chphost.Outcome{}, err
			}
		}
		return original(ctx, inv)
	}
}

// serve performs an invocation that no external caller sent.
func serve(ctx context.Context, h *chphost.Host, c *chphost.Capability, correlation object) error {
	_, err := h.Perform(ctx, &chphost.Invocation{
		ID: h.NewID("inv"), CapabilityID: c.ID, Version: c.Version, Mode: "sync", Correlation: correlation,
		Subject: object{"id": "host", "type": "service"}, Payload: c.Sample, Capability: c, ArrivedAt: h.Now(),
	})
	return err
}

// showsOnly includes in a replay only the records that are visible.
func showsOnly(h *chphost.Host, visible func(sequence int64, age time.Duration) bool) {
	var mutex sync.Mutex
	born, number, original := map[int64]time.Time{}, h.Store.Number, h.Select
	h.Store.Number = func(event object, sequence int64) {
		number(event, sequence)
		mutex.Lock()
		defer mutex.Unlock()
		born[sequence] = time.Now()
	}
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		limit := query.Limit
		query.Limit = 0
		all, _ := original(query)
		mutex.Lock()
		defer mutex.Unlock()
		shown := slices.DeleteFunc(slices.Clone(all),
			func(r chphost.Record) bool { return !visible(r.Sequence, time.Since(born[r.Sequence])) })
		total := len(shown)
		if limit > 0 && total > limit {
			shown = shown[:limit]
		}
		return shown, total
	}
}

func showsInAnyOrder(h *chphost.Host) {
	showsOnly(h, func(sequence int64, age time.Duration) bool { return age > lag*time.Duration(3-sequence%3)/2 })
}

func replicas(h *chphost.Host) {
	var asked atomic.Int64
	showsOnly(h, func(_ int64, age time.Duration) bool { return age > 2*lag || asked.Load()%2 == 1 })
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		asked.Add(1)
		return original(query)
	}
}

// settlesLate records another event of the invocation after its end.
func settlesLate(h *chphost.Host) {
	perform := h.Perform
	h.Perform = func(ctx context.Context, inv *chphost.Invocation) (chphost.Outcome, error) {
		outcome, err := perform(ctx, inv)
		if err == nil && len(inv.Events) > 0 {
			settled := eventLike(h, maps.Clone(inv.Events[0]), "com.example.settled")
			time.AfterFunc(lag, func() {
				if h.Store.Append(inv.CorrelationID(), settled) != nil {
					return // the settlement is lost
				}
			})
		}
		return outcome, err
	}
}

// keepsLast shows only the last recorded events.
func keepsLast(places int64) style {
	return func(h *chphost.Host) {
		var newest atomic.Int64
		next, original := h.Store.Next, h.Select
		h.Store.Next = func(sequence int64) int64 {
			newest.Store(next(sequence))
			return newest.Load()
		}
		h.Select = func(query chphost.Query) ([]chphost.Record, int) {
			limit := query.Limit
			query.Limit = 0
			records, _ := original(query)
			kept := slices.DeleteFunc(slices.Clone(records),
				func(r chphost.Record) bool { return r.Sequence <= newest.Load()-places })
			total := len(kept)
			if limit > 0 {
				kept = kept[:min(limit, total)]
			}
			return kept, total
		}
	}
}
