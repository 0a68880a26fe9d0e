package proof

import (
	"encoding/json"
	"fmt"
	"time"
)

// everywhere makes the same change to every answer.
func everywhere(c change) []rule {
	return []rule{answer(hostRoute, c), answer(capabilitiesRoute, c), answer(invokeRoute, c), answer(replayRoute, c)}
}

// liberties are edits that no text forbids.
func liberties() []edit {
	return []edit{
		{"", "unknown members", everywhere(func(m *message) bool { return add(m.body, "x_vendor", `{"since": 2026}`) })},
		{"", "members in another order", everywhere(func(m *message) bool { m.reorder = true; return m.body != nil })},
		{"", "chunked answers", everywhere(func(m *message) bool { m.chunked = true; return true })},
		{"", "null for absent members", []rule{
			answer(hostRoute, nulls("", "host_version", "assurance", "metadata", "supported_versions")),
			answer(hostRoute, nulls("/capabilities/*", "annotations", "owner", "environment")),
			answer(invokeRoute, nulls("", "error", "denial", "data", "started_at", "replayed", "skip_reason")),
			answer(replayRoute, nulls("", "truncated", "next_sequence")),
			answer(replayRoute, nulls("/events/*", "outcome", "denial", "error", "subject", "parent_event_id")),
			answer(replayRoute, nulls("/events/*/correlation", "causation_id", "parent_id", "trace_id", "baggage")),
		}},
		{"", "gaps in the sequence", append(query(tenth), replay(list("/events", func(_ *message, old []any) []any { return spread(old) }))...)},
		{"", "interspersed governance events", append(query(tenth), replay(withGovernance)...)},
		{"", "0.2 beside 0.1", host(all(set("/protocol_version", `"0.2"`), set("/supported_versions", `["0.1", "0.2"]`)))},
		{"", "0.1 as a number", host(set("/protocol_version", `0.1`))},
		{"", "times with an offset", []rule{
			answer(invokeRoute, changed("/completed_at", inOtherZone)), answer(replayRoute, changed("/events/*/timestamp", inOtherZone)), answer(replayRoute, changed("/replayed_at", inOtherZone)),
		}},
		{"", "results without evidence ids", result(drop("/evidence_ids"))},
		{"", "another kind of host", host(set("/kind", `"toaster"`))},
		{"", "a store that is not append-only", host(set("/evidence/append_only", `false`))},
		{"", "capabilities in reverse order", []rule{answer(capabilitiesRoute, backwards("/capabilities"))}},
		{"", "private codes", []rule{answer(invokeRoute, changed("/denial/code", vendor)), answer(replayRoute, changed("/events/*/denial/code", vendor))}},
		{"", "private codes only in results", result(changed("/denial/code", vendor))},
		{"", "no invariant named", result(drop("/denial/invariant_id"))},
		{"", "a number for a timestamp", replay(set("/events/*/timestamp", `1767225600`))},
		{"", "a date for a timestamp", replay(set("/replayed_at", `"2026-05-04"`))},
		{"", "a string for append-only", host(set("/evidence/append_only", `"yes"`))},
		{"", "overload at times", []rule{answer(invokeRoute, overloaded(503)), answer(replayRoute, overloaded(429))}},
		{"", "whole numbers with a fraction", replay(changed("/events/*/sequence", func(_ *message, old any) any { return json.Number(fmt.Sprint(old, ".0")) }))},
	}
}

func add(body any, name, value string) bool {
	done := false
	switch v := body.(type) {
	case map[string]any:
		for within, one := range v {
			switch within {
			case "data", "input_schema", "output_schema", "payload", "baggage":
				continue // these belong to the caller and the capability
			}
			add(one, name, value)
		}
		v[name], done = decodeWire([]byte(value)), true
	case []any:
		for _, one := range v {
			done = add(one, name, value) || done
		}
	}
	return done
}

// nulls writes null for absent members.
func nulls(pointer string, members ...string) change {
	return func(m *message) bool {
		done := false
		for _, c := range cells(m.body, pointer) {
			object, ok := c.value.(map[string]any)
			if !ok {
				continue
			}
			for _, name := range members {
				if _, there := object[name]; !there {
					object[name], done = nil, true
				}
			}
		}
		return done
	}
}

// tenth converts a position in a spread sequence to that of the host.
func tenth(m *message) bool {
	return changed("/since_sequence", func(_ *message, old any) any {
		n, _ := old.(json.Number)
		i, _ := n.Int64()
		return json.Number(fmt.Sprint(i / 10))
	})(m)
}

// withGovernance inserts a governance event before every other event, unless the request has a limit.
func withGovernance(m *message) bool {
	room := true
	for _, c := range cells(m.asked, "/limit") {
		n, _ := c.value.(json.Number)
		limit, err := n.Int64()
		room = err != nil || limit >= int64(2*len(cells(m.body, "/events/*")))
	}
	return counted(list("/events", func(_ *message, old []any) []any {
		var now []any
		for _, one := range spread(old) {
			if event, ok := one.(map[string]any); ok && room {
				added, _ := decodeWire(encodeWire(event, false)).(map[string]any)
				added["event_type"], added["event_id"] = "safety_assessment_started", fmt.Sprint(
					"gov-",
					event["event_id"],
				)
				added["sequence"] = moved(event["sequence"], 1, -5)
				delete(added, "outcome")
				delete(added, "denial")
				now = append(now, added)
			}
			now = append(now, one)
		}
		if now == nil {
			return old
		}
		return now
	}))(m)
}

// overloaded answers every eleventh request with the status of an overloaded host, without Retry-After.
func overloaded(by int) change {
	n := 0
	return func(m *message) bool {
		if n++; n%11 != 0 {
			return false
		}
		m.raw, m.text, m.status = true, []byte(`{"error": {"code": "busy", "message": "Too much to do."}}`), by
		return true
	}
}

func vendor(_ *message, old any) any { return fmt.Sprint("com.acme.", old) }

// inOtherZone writes a time in another time zone.
func inOtherZone(_ *message, old any) any {
	at, err := time.Parse(time.RFC3339Nano, fmt.Sprint(old))
	if err != nil {
		return old
	}
	return at.In(time.FixedZone("", 5*3600+1800)).Format(time.RFC3339Nano)
}
