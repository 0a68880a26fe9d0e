package chpmutant

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// The outcome and the event of the edition 0.1 that the draft lacks.
const (
	indeterminate      = "indeterminate"
	eventIndeterminate = "execution_indeterminate"
)

// OfStable returns the mutants of the requirements that the edition 0.1 has beyond the draft. They keep the draft.
func OfStable() []mutant.Mutant {
	ended := unknownEnd(chphost.EventStarted, eventIndeterminate)
	return []mutant.Mutant{
		newMutant("version-with-letter", "CHP-3-20", "Writes a v before the version of a capability.", versionAs("v1.0.0")),
		newMutant("version-of-two-numbers", "CHP-3-20", "Lists a version of two numbers.", versionAs("1.0")),
		newMutant("version-chosen", "CHP-3-23", "Takes the last of several versions if the caller names none.", choosesVersion),
		newMutant("environment-unlisted", "CHP-7-10", "Names another environment in a result.",
			inResult(ofVictim, inContext(func(context object) { context["environment"] = "staging" }))),
		newMutant("environment-unlisted-in-event", "CHP-7-10", "Names an environment by a number in an event.",
			inEvents(ofVictim, "", asEventChange(inContext(func(context object) { context["environment"] = 1 })))),
		newMutant("environment-lost", "CHP-7-11", "Leaves the environment out of events.",
			inEvents(anyInvocation, "", asEventChange(inContext(func(context object) { delete(context, "environment") })))),
		newMutant("environment-replaced", "CHP-7-11", "Writes its own environment into the event of a success.",
			inEvents(anyInvocation, chphost.EventCompleted, asEventChange(inContext(func(context object) {
				if context["environment"] != nil {
					context["environment"] = "prod"
				}
			})))),
		newMutant("indeterminate-as-success", "CHP-8-15", "Reports an indeterminate outcome as a success.",
			together(ended, inResult(ofVictim, ofIndeterminate(chphost.Success)))),
		newMutant("indeterminate-as-failure", "CHP-8-15", "Reports an indeterminate outcome as a failure.",
			together(ended, inResult(ofVictim, ofIndeterminate(chphost.Failure)))),
		newMutant("indeterminate-reconciled", "CHP-8-16", "Turns the event of an indeterminate outcome into one of a success later.",
			together(ended, rewrittenLater("event_type", chphost.EventCompleted))),
		newMutant("indeterminate-dated", "CHP-8-16", "Changes the time of such an event later.",
			together(ended, rewrittenLater("timestamp", "2026-01-01T00:00:00Z"))),
		newMutant("indeterminate-without-event", "CHP-8-17", "Emits no execution_indeterminate.", unknownEnd(chphost.EventStarted)),
		newMutant("indeterminate-without-start", "CHP-8-17", "Emits no execution_started.", unknownEnd(eventIndeterminate)),
		newMutant("indeterminate-contradicted", "CHP-8-17", "Writes the outcome failure into execution_indeterminate.",
			together(ended, inEvents(ofVictim, eventIndeterminate, asEventChange(mutant.With("outcome", chphost.Failure))))),
		newMutant("indeterminate-and-failed", "CHP-8-18", "Also emits execution_failed.",
			unknownEnd(chphost.EventStarted, eventIndeterminate, chphost.EventFailed)),
		newMutant("indeterminate-and-completed", "CHP-8-18", "Emits execution_completed first.",
			unknownEnd(chphost.EventStarted, chphost.EventCompleted, eventIndeterminate)),
	}
}

// together applies defects one after the other.
func together(all ...defect) defect {
	return func(h *chphost.Host) {
		for _, one := range all {
			one(h)
		}
	}
}

// versionAs lists the victim with another version, and with its URI.
func versionAs(version string) defect {
	return editsDescriptor(victim, func(published object) any {
		published["version"], published["capability_uri"] = version, victim+":"+version
		return published
	})
}

// choosesVersion executes the last version of a capability if the caller names none.
func choosesVersion(h *chphost.Host) {
	original := h.Resolve
	h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
		found := original(inv)
		if found != nil || inv.Version != "" {
			return found
		}
		for _, c := range slices.Backward(h.Capabilities()) {
			if c.ID == inv.CapabilityID {
				return c
			}
		}
		return nil
	}
}

// inContext changes the correlation of a result or of an event.
func inContext(change func(context object)) func(object) any {
	return func(members object) any {
		context, _ := members["correlation"].(object)
		context = maps.Clone(context)
		change(context)
		return mutant.With("correlation", context)(members)
	}
}

// unknownEnd executes nothing for the victim: it emits events of these types, and the outcome is indeterminate. What a
// gate stops is not affected.
func unknownEnd(kinds ...string) defect {
	outcomes := map[string]any{chphost.EventCompleted: chphost.Success, chphost.EventFailed: chphost.Failure,
		eventIndeterminate: indeterminate}
	return func(h *chphost.Host) {
		original := h.Perform
		h.Perform = func(ctx context.Context, inv *chphost.Invocation) (chphost.Outcome, error) {
			stops := func(gate chphost.Gate) bool { return gate.Check(inv) != nil }
			if !ofVictim(inv) || slices.ContainsFunc(h.Gates, stops) {
				return original(ctx, inv)
			}
			inv.StartedAt = h.Now()
			for _, kind := range kinds {
				if err := h.Emit(inv, object{"event_type": kind, "outcome": outcomes[kind]}); err != nil {
					return chphost.Outcome{}, err
				}
			}
			return chphost.Outcome{Kind: indeterminate}, nil
		}
	}
}

// ofIndeterminate gives a result that is indeterminate another outcome.
func ofIndeterminate(outcome string) func(object) any {
	return func(result object) any {
		if result["outcome"] == indeterminate {
			result["outcome"], result["success"] = outcome, outcome == chphost.Success
		}
		return result
	}
}

// rewrittenLater changes a member of each execution_indeterminate in every replay of a correlation but the first.
func rewrittenLater(member string, value any) defect {
	return func(h *chphost.Host) {
		var mutex sync.Mutex
		replayed := map[string]bool{}
		selects(func(query chphost.Query, records []chphost.Record) []chphost.Record {
			mutex.Lock()
			again := replayed[query.CorrelationID]
			replayed[query.CorrelationID] = true
			mutex.Unlock()
			records = slices.Clone(records)
			for i, record := range records {
				if again && record.Unpack()["event_type"] == eventIndeterminate {
					records[i] = rewritten(record, mutant.With(member, value))
				}
			}
			return records
		})(h)
	}
}

// rewritten returns a record with a changed event.
func rewritten(record chphost.Record, change func(object) any) chphost.Record {
	return chphost.Record{Sequence: record.Sequence, Text: rpc.Append(nil, change(record.Unpack()))}
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
