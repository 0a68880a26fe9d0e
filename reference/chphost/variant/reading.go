package chpvariant

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/variant"
)

// other is the id of another host.
const other = "edge-7"

// readings returns hosts that follow the prose of the text, but not its schemas or rules that
// the text does not print.
func readings() []variant.Variant {
	elsewhere := recorded(func(event object) {
		if event["capability_id"] == "colour.compute_mix" {
			event["host_id"] = other
		}
	})
	return slices.Concat([]variant.Variant{
		newVariant("gateway", "Represents several hosts and lets another host execute one capability.",
			combined(elsewhere, published(func(descriptor object) {
				descriptor["kind"] = "multi-host"
			})), "CHP-6-07"),
		newVariant("host-names-another", "Lists the other hosts that execute its capabilities.",
			combined(elsewhere, published(func(descriptor object) {
				descriptor["metadata"] = object{"hosts": []any{object{"id": other}}}
			})), "CHP-6-07"),
		newVariant("events-name-another", "States in an event which host executed the capability.",
			combined(elsewhere, recorded(func(event object) {
				if event["capability_id"] == "colour.compute_mix" {
					event["executed_by"] = object{"host": other, "for": chphost.HostID}
				}
			})), "CHP-6-07"),
		newVariant("seven-members",
			"Refuses an eighth member of an envelope, unless a capability has several versions.", takesSeven,
			"CHP-5-01"),
		newVariant("mode-ignored", "Executes invocations in every mode.", func(h *chphost.Host) {
			h.Gates = slices.DeleteFunc(h.Gates, func(g chphost.Gate) bool { return g.Name == chphost.UnsupportedMode })
		}, "CHP-9-03", "CHP-11-07").Ignoring("CHP-9-03"),
		newVariant("evidence-own-names", "States in other words whether its store is append-only.",
			published(func(descriptor object) {
				descriptor["evidence"] = object{"backend": "memory", "appendOnly": "yes"}
			}), "CHP-4-07"),
		newVariant("payloads-on-request", "Omits payloads from a replay unless the query requests them.",
			func(h *chphost.Host) {
				original := h.ReadQuery
				h.ReadQuery = func(members map[string]any) (chphost.Query, error) {
					query, err := original(members)
					query.Payloads = members["include_payloads"] == true
					return query, err
				}
				h.Show = func(query chphost.Query, record chphost.Record) any {
					event := record.Unpack()
					if !query.Payloads {
						delete(event, "payload")
					}
					return event
				}
			}, "CHP-6-10", "CHP-10-05"),
		newVariant("sequence-shared", "Uses the same sequence for events of two invocations under one correlation.",
			sharesSequence, "CHP-10-10"),
	}, ownResults(), ownPolicies())
}

// takesSeven refuses version if a capability has only one.
func takesSeven(h *chphost.Host) {
	original := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		known := 0
		for _, c := range h.Capabilities() {
			if c.ID == envelope["capability_id"] {
				known++
			}
		}
		if _, given := envelope["version"]; given && known < 2 {
			return nil, chphost.Refuse("unknown member version")
		}
		return original(envelope)
	}
}

// ownResults returns hosts that write in another form what only a schema requires.
func ownResults() []variant.Variant {
	result := func(change func(object)) style { return answered(change) }
	respelled := func(members object) {
		if id, isText := members["capability_id"].(string); isText {
			members["capability_id"] = strings.ToUpper(id) + ":1.0.0"
		}
	}
	return []variant.Variant{
		newVariant("result-without-invocation", "Omits invocation_id from a result.",
			result(func(r object) { delete(r, "invocation_id") }), "CHP-5-01").Ignoring("CHP-5-14"),
		newVariant("result-own-invocation", "Uses an invocation id in a result that the host made.",
			result(func(r object) { r["invocation_id"] = "call-1" }), "CHP-5-01").Ignoring("CHP-5-14"),
		newVariant("capability-respelled", "Writes the id of a capability in capitals, with its version.",
			combined(result(respelled), recorded(respelled)), "CHP-5-01", "CHP-6-06").Ignoring("CHP-5-14"),
		newVariant("result-without-success", "Omits success from a result.",
			result(func(r object) { delete(r, "success") }), "CHP-8-02").Ignoring("CHP-8-03"),
		newVariant("success-in-words", "Writes success as a word.", result(func(r object) {
			r["success"] = map[bool]string{true: "yes", false: "no"}[r["success"] == true]
		}), "CHP-8-02").Ignoring("CHP-8-03"),
		newVariant("evidence-ids-elsewhere", "Lists positions in its store as evidence_ids.", result(func(r object) {
			r["evidence_ids"] = []any{"store://events/1", "store://events/2"}
		}), "CHP-6-02").Ignoring("CHP-6-02"),
		newVariant("times-as-numbers", "Writes times as seconds since 1970.", combined(
			recorded(func(event object) { event["timestamp"] = 1767225600 }),
			replayed(func(_ chphost.Query, r object, _ int) { r["replayed_at"] = 1767225600.5 })), "CHP-6-08", "CHP-10-09"),
		newVariant("descriptors-own-types", "Uses other types for owner, tags, metadata, invariants and assurance.",
			described(func(d object) {
				d["owner"], d["tags"], d["metadata"] = object{"team": "atelier"}, "colour", []any{}
				d["invariants"], d["assurance"] = object{"small": "payload.size < 10"}, "S1"
			}), "CHP-3-10", "CHP-3-12", "CHP-3-13").Ignoring("CHP-3-10", "CHP-3-12", "CHP-3-13"),
	}
}

// ownPolicies returns hosts that deny a capability with a role by a private rule.
func ownPolicies() []variant.Variant {
	var all []variant.Variant
	for _, p := range []struct {
		name, id string
		hides    []string
	}{
		{"echo", "conformance.echo", nil},
		{"fails", "conformance.fail", []string{"CHP-8-05", "CHP-8-09"}},
	} {
		for _, code := range []string{"policy_blocked", "com.example.not_entitled"} {
			v := newVariant("denies-"+p.name+"-"+strings.ReplaceAll(code, ".", "-"),
				"Denies the capability of the role "+p.name+" by the code "+code+".", func(h *chphost.Host) {
					h.Gates = append(h.Gates, chphost.Gate{Name: "policy", Check: func(inv *chphost.Invocation) *chphost.Outcome {
						if inv.CapabilityID != p.id {
							return nil
						}
						return chphost.Deny(code, "a rule of the host forbids it", "", object{})
					}})
				}, "CHP-9-06")
			all = append(all, v)
		}
	}
	return all
}

// sharesSequence numbers each invocation from the start of its correlation, so that two
// invocations may use the same numbers. Replays are in the order of these numbers.
func sharesSequence(h *chphost.Host) {
	var mutex sync.Mutex
	shared := map[string]int64{} // by event id
	last := map[string]int64{}   // by correlation and by invocation
	number := h.Store.Number
	h.Store.Number = func(event object, sequence int64) {
		number(event, sequence)
		mutex.Lock()
		defer mutex.Unlock()
		correlation, _ := event["correlation"].(object)
		under, of := fmt.Sprint("correlation ", correlation["correlation_id"]), fmt.Sprint("invocation ",
			event["invocation_id"])
		n := max(last[under], last[of]+1)
		last[under], last[of], shared[fmt.Sprint(event["event_id"])] = n, n, n
		event["sequence"] = n
	}
	original := h.Select
	h.Select = func(query chphost.Query) ([]chphost.Record, int) {
		since, limit := query.Since, query.Limit
		query.Since, query.Limit = -1, 0
		records, _ := original(query)
		mutex.Lock()
		defer mutex.Unlock()
		records = slices.DeleteFunc(slices.Clone(records), func(r chphost.Record) bool {
			return shared[fmt.Sprint(r.Unpack()["event_id"])] <= since
		})
		total := len(records)
		if limit > 0 {
			records = records[:min(limit, total)]
		}
		return records, total
	}
}
