package chpmutant

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// rareCases are wrong only after an error, for a long payload, in a combination of the members of a query, or
// in events that are not of the core types.
func rareCases() []mutant.Mutant {
	return []mutant.Mutant{
		newMutant("host-id-after-error", "CHP-4-09", "Uses another host id after a message that is not an envelope.",
			changesIDAfterError),
		newMutant("long-payload-bare", "CHP-5-01",
			"Returns the data instead of a result if a payload is longer than 4,000 bytes.",
			inResult(func(inv *chphost.Invocation) bool {
				return served(inv) && len(rpc.Append(nil, inv.Payload)) > 4000
			}, func(result object) any { return result["data"] })).WithRole("echo"),
		newMutant("payload-in-assessment", "CHP-5-09",
			"Copies the payload into the event of its safety assessment.", beforeStart("safety_assessment_started")),
		newMutant("payload-of-second-mode", "CHP-5-09", "Copies the payload into the event of a denied mode stream.",
			denies(chphost.UnsupportedMode, func(inv *chphost.Invocation, event object) []object {
				if inv.Mode != "stream" {
					return []object{event}
				}
				return quotes(inv, event)
			})),
		newMutant("failure-without-id-as-success", "CHP-8-05",
			"Reports a failure as a success if the caller supplies no correlation id.",
			runsInstead(both(missingID, asked(fails)), runsEmpty)).WithRole("fails"),
		newMutant("known-by-end", "CHP-9-02",
			"Finds a capability by an id that only ends with the capability's id.", func(h *chphost.Host) {
				original := h.Resolve
				h.Resolve = func(inv *chphost.Invocation) *chphost.Capability {
					if c := original(inv); c != nil {
						return c
					}
					all := h.Capabilities()
					i := slices.IndexFunc(all,
						func(c *chphost.Capability) bool { return strings.HasSuffix(inv.CapabilityID, "."+c.ID) })
					if i < 0 {
						return nil
					}
					return all[i]
				}
			}),
		newMutant("page-limited-first", "CHP-10-04",
			"Applies limit before since_sequence, so that every page but the first is empty.", limitsFirst),
		newMutant("payloads-moved", "CHP-10-05",
			"Moves payloads to another member if a query excludes payloads.", movesPayloads),
	}
}

// changesIDAfterError changes the id in the host descriptor once an envelope was refused.
func changesIDAfterError(h *chphost.Host) {
	refused, original := new(atomic.Bool), h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		inv, err := original(envelope)
		if err != nil && envelope["capability_id"] == nil {
			refused.Store(true)
		}
		return inv, err
	}
	editsHost(func(descriptor object) any {
		if refused.Load() {
			descriptor["id"] = chphost.HostID + "-recovered"
		}
		return descriptor
	})(h)
}

// beforeStart records an event of the host itself, with the payload, before each execution.
func beforeStart(kind string) defect {
	return func(h *chphost.Host) {
		original := h.Evidence
		h.Evidence = func(inv *chphost.Invocation, event object) []object {
			all := original(inv, event)
			if event["event_type"] != chphost.EventStarted {
				return all
			}
			further := quotes(inv, event)
			further[0]["event_type"], further[0]["event_id"] = kind, h.NewID(chphost.EventID)
			return append(further, all...)
		}
	}
}

// limitsFirst selects the first events of a correlation, and of these the ones that follow a sequence.
func limitsFirst(h *chphost.Host) {
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		since := query.Since
		if since < 0 || query.Limit == 0 {
			return original(query)
		}
		query.Since = -1
		records, _ := original(query)
		records = slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool { return r.Sequence <= since })
		return records, len(records)
	}
}

// movesPayloads shows payloads under another name if a query excludes them.
func movesPayloads(h *chphost.Host) {
	original := h.Show
	h.Show = func(query chphost.Query, record chphost.Record) any {
		if query.Payloads {
			return original(query, record)
		}
		event := record.Unpack()
		event["payload_before"], event["payload"] = event["payload"], object{}
		return event
	}
}
