package proof

import (
	"encoding/json"
	"fmt"
	"strings"
)

// The routes of the binding.
const (
	hostRoute         = "host"
	capabilitiesRoute = "capabilities"
	invokeRoute       = "invoke"
	replayRoute       = "replay"
)

func answer(route string, c change) rule { return rule{route: route, change: c} }
func request(route string, c change) rule {
	return rule{route: route, change: c, request: true}
}

// described changes the descriptors in both places that show them.
func described(c change) []rule { return []rule{answer(hostRoute, c), answer(capabilitiesRoute, c)} }
func host(c change) []rule      { return []rule{answer(hostRoute, c)} }
func result(c change) []rule    { return []rule{answer(invokeRoute, c)} }
func replay(c change) []rule    { return []rule{answer(replayRoute, c)} }
func envelope(c change) []rule  { return []rule{request(invokeRoute, c)} }
func query(c change) []rule     { return []rule{request(replayRoute, c)} }

// breaches are edits that each break one requirement.
func breaches() []edit {
	var edits []edit
	for _, part := range [][]edit{
		inDescriptors(), inHosts(), inBoundary(), inEvents(), inCorrelation(), inOutcomes(), inHistories(), inDenials(), inReplays(), inQueries(),
	} {
		edits = append(edits, part...)
	}
	return edits
}

func inDescriptors() []edit {
	echo := "/capabilities/[id=conformance.echo]"
	return []edit{
		{"CHP-3-01", "null for an id", described(set(echo+"/id", `null`))},
		{"CHP-3-02", "a number for a version", described(set(echo+"/version", `1`))},
		{"CHP-3-03", "no description", described(drop("/capabilities/*/description"))},
		{"CHP-3-04", "a string for the modes", described(set(echo+"/modes", `"sync"`))},
		{"CHP-3-05", "a capability for streams only", described(set("/capabilities/[id=conformance.typed]/modes", `["stream"]`))},
		{"CHP-3-06", "no list of events", described(drop(echo + "/emits"))},
		{"CHP-3-08", "an input schema with an undefined type", described(set(echo+"/input_schema/type", `"thing"`))},
		{"CHP-3-09", "a number for an output schema", described(set(echo+"/output_schema", `3`))},
		{"CHP-3-10", "invariants as strings", described(set(echo+"/invariants", `["be good"]`))},
		{"CHP-3-11", "an undefined risk", described(set(echo+"/risk", `"severe"`))},
		{"CHP-3-12", "a string for the assurance", described(set(echo+"/assurance", `"S1"`))},
		{"CHP-3-13", "tags with a number among them", described(set(echo+"/tags", `["fixture", 4]`))},
		{"CHP-3-14", "a URI of another version", described(set(echo+"/capability_uri", `"conformance.echo:2.0.0"`))},
		{"CHP-3-15", "one name for two capabilities", described(list("/capabilities", func(_ *message, old []any) []any {
			another := decodeWire(encodeWire(old[0], false))
			set("/description", `"Another one."`)(&message{body: another})
			return append(old, another)
		}))},
		{"CHP-3-15", "a version that increases", described(changed(echo+"/version", func(m *message, _ any) any { return fmt.Sprint("1.0.", m.turn) }))},
		{"CHP-3-18", "an output schema that its data violate", described(set(echo+"/output_schema", `{"type": "array"}`))},
	}
}

func inHosts() []edit {
	return []edit{
		{"CHP-4-01", "an empty id", host(set("/id", `""`))},
		{"CHP-4-02", "null for a version", host(set("/version", `null`))},
		{"CHP-4-03", "an unsupported protocol version", host(all(set("/protocol_version", `"3.0"`), drop("/supported_versions")))},
		{"CHP-4-04", "no kind", host(drop("/kind"))},
		{"CHP-4-05", "an object for the capabilities", host(set("/capabilities", `{}`))},
		{"CHP-4-06", "a list for the evidence", host(set("/evidence", `["memory"]`))},
		{"CHP-4-07", "null for append-only", host(set("/evidence/append_only", `null`))},
		{"CHP-4-08", "a capability that discovery hides", []rule{answer(capabilitiesRoute, without("/capabilities", "[id=conformance.typed]"))}},
		{"CHP-4-08", "a capability that the host hides", host(without("/capabilities", "[id=conformance.typed]"))},
		{"CHP-4-09", "an id that increases", host(changed("/id", func(m *message, _ any) any { return fmt.Sprint("host-", m.turn) }))},
		{"CHP-4-05", "capabilities as links", host(set("/capabilities", `["/capabilities/1"]`))},
	}
}

func inBoundary() []edit {
	accepting := func(m *message) bool {
		if m.status < 400 && text(m.body, "/outcome") == "success" {
			return false
		}
		if text(m.asked, "/capability_id") != "" {
			return false
		}
		m.body = decodeWire([]byte(`{"invocation_id":"made-up","outcome":"success","success":true,"data":{},"correlation":{"correlation_id":"made-up"},"evidence_ids":[]}`))
		m.status = 200
		return true
	}
	return []edit{
		{"CHP-5-14", "the result of another invocation", result(set("/invocation_id", `"inv-of-somebody"`))},
		{"CHP-5-01", "a request with another invocation id", envelope(with("/invocation_id", func(_ *message, old any) any { return fmt.Sprint(old, "-x") }))},
		{"CHP-5-01", "a result of another capability", result(where("success", set("/capability_id", `"calendar.find_season"`)))},
		{"CHP-5-14", "a result of an unknown capability", result(where("success", set("/capability_id", `"conformance.other"`)))},
		{"CHP-5-01", "a success that is not JSON", result(where("success", bytesInstead("done")))},
		{"CHP-5-09", "the payload in the events", leakingPayloads()},
		{"CHP-5-10", "a body that is not an envelope succeeds", result(accepting)},
	}
}

// leakingPayloads copies payloads into the completed and failed events of the invocation.
func leakingPayloads() []rule {
	payloads := map[string]any{}
	return []rule{
		request(invokeRoute, func(m *message) bool {
			for _, c := range cells(m.body, "/payload") {
				payloads[text(m.body, "/invocation_id")] = c.value
			}
			return false
		}),
		answer(replayRoute, func(m *message) bool {
			done := false
			for _, event := range cells(m.body, "/events/*") {
				if payload, known := payloads[text(event.value, "/invocation_id")]; known && strings.HasPrefix(text(event.value, "/event_type"), "execution_") {
					done = set("/payload/input", string(encodeWire(payload, false)))(&message{body: event.value}) || done
				}
			}
			return done
		}),
	}
}

func inEvents() []edit {
	started := "/events/[event_type=execution_started]"
	return []edit{
		{"CHP-6-01", "no evidence at all", replay(counted(set("/events", `[]`)))},
		{"CHP-6-02", "the id of an event that does not exist", result(with("/evidence_ids/0", func(*message, any) any { return "evt-nowhere" }))},
		{"CHP-6-03", "an event without id", replay(drop(started + "/event_id"))},
		{"CHP-6-04", "null for a type", replay(set("/events/[event_type=execution_denied]/event_type", `null`))},
		{"CHP-6-05", "an event without invocation", replay(drop(started + "/invocation_id"))},
		{"CHP-6-05", "an event of an unknown invocation", replay(set(started+"/invocation_id", `"inv-of-somebody"`))},
		{"CHP-6-06", "an event about another capability", replay(set(started+"/capability_id", `"conformance.other"`))},
		{"CHP-6-07", "an event of another host", replay(set(started+"/host_id", `"host-of-others"`))},
		{"CHP-6-08", "a list for a time", replay(set(started+"/timestamp", `[2026, 5, 4]`))},
		{"CHP-6-08", "an empty time", replay(set(started+"/timestamp", `""`))},
		{"CHP-6-09", "a sequence as a string", replay(changed(started+"/sequence", func(_ *message, old any) any { return fmt.Sprint(old) }))},
		{"CHP-6-10", "a list for a payload", replay(set(started+"/payload", `[]`))},
		{"CHP-6-11", "no redacted member", replay(drop("/events/*/redacted"))},
		{"CHP-6-12", "null for the assurance", replay(set(started+"/assurance", `null`))},
		{"CHP-6-13", "a duplicated event", replay(counted(twice("/events", "[event_type=execution_started]")))},
		{"CHP-6-13", "one id for all events", replay(set("/events/*/event_id", `"evt-1"`))},
		{"CHP-6-14", "an event of a capability without a host", replay(drop("/events/[event_type=value_observed]/host_id"))},
		{"CHP-6-14", "an event of a capability without correlation", replay(drop("/events/[event_type=value_observed]/correlation"))},
		{"CHP-6-16", "events that change", replay(changed(started+"/timestamp", func(m *message, _ any) any {
			return fmt.Sprintf("2026-05-04T10:%02d:%02dZ", m.turn/60%60, m.turn%60)
		}))},
	}
}

func inCorrelation() []edit {
	other := `"corr-of-others"`
	return []edit{
		{"CHP-7-01", "another correlation in results", result(set("/correlation/correlation_id", other))},
		{"CHP-7-01", "another correlation in events", replay(set("/events/*/correlation/correlation_id", other))},
		{"CHP-7-01", "another correlation in the request", envelope(changed("/correlation/correlation_id", func(_ *message, old any) any { return fmt.Sprint("x-", old) }))},
		{"CHP-7-02", "no correlation is generated", result(func(m *message) bool {
			return text(m.asked, "/correlation/correlation_id") == "" && set("/correlation", `{}`)(m)
		})},
		{"CHP-7-02", "one generated correlation for all", envelope(func(m *message) bool {
			return text(m.body, "/correlation/correlation_id") == "" && set("/correlation", `{"correlation_id": "corr-shared"}`)(m)
		})},
		{"CHP-7-03", "a denial without correlation", replay(drop("/events/[event_type=execution_denied]/correlation"))},
		{"CHP-7-03", "a number for a correlation", replay(set("/events/*/correlation/correlation_id", `7`))},
		{"CHP-7-04", "failures without correlation", result(where("failure", drop("/correlation")))},
		{"CHP-7-05", "long correlations are truncated", envelope(changed("/correlation/correlation_id", func(_ *message, old any) any {
			s := fmt.Sprint(old)
			return s[:min(len(s), 64)]
		}))},
		{"CHP-7-05", "correlations in lower case", envelope(changed("/correlation/correlation_id", func(_ *message, old any) any { return strings.ToLower(fmt.Sprint(old)) }))},
		{"CHP-7-06", "the rest of the context is lost", result(with("/correlation", func(m *message, _ any) any {
			return map[string]any{"correlation_id": text(m.body, "/correlation/correlation_id")}
		}))},
	}
}

func inOutcomes() []edit {
	success := all(
		set("/outcome", `"success"`),
		set("/success", `true`),
		set("/data", `{}`),
		set("/error", `null`),
		set("/denial", `null`),
	)
	return []edit{
		{"CHP-8-01", "an undefined outcome", result(where("success", set("/outcome", `"ok"`)))},
		{"CHP-8-01", "no outcome", result(drop("/outcome"))},
		{"CHP-8-02", "a denial with success true", result(where("denied", set("/success", `true`)))},
		{"CHP-8-03", "no success member", result(drop("/success"))},
		{"CHP-8-03", "a success with success false", result(where("success", set("/success", `false`)))},
		{"CHP-8-04", "a success without its data", asked("echo", set("/data", `{"echo": null}`))},
		{"CHP-8-05", "a failure reported as success", asked("fail", success)},
		{"CHP-8-05", "a failure as a bare 500", asked("fail", all(status(500), bytesInstead("out of order")))},
		{"CHP-8-06", "a denial reported as a failure", asked("guarded", where("denied", set("/outcome", `"failure"`)))},
		{"CHP-8-06", "a denial as a bare 403", asked("guarded", where("denied", all(status(403), bytesInstead(`{"error": {"code": "forbidden", "message": "no"}}`))))},
		{"CHP-9-04", "a disabled capability succeeds", asked("disabled", success)},
		{"CHP-9-01", "a failure with a denial", asked("fail", all(set("/denial", `{"code": "failed", "message": "It failed.", "retryable": false, "details": {}}`), set("/error", `null`)))},
	}
}

func inHistories() []edit {
	return []edit{
		{"CHP-8-07", "a skipped invocation that ran", replay(counted(list("/events", func(_ *message, old []any) []any {
			return besideEach(old, "execution_skipped", "execution_started", -1)
		})))},
		{"CHP-8-08", "a success without its start", replay(counted(without("/events", "[event_type=execution_started]")))},
		{"CHP-8-08", "completed before it started", replay(func(m *message) bool {
			for _, c := range cells(m.body, "/events/*") {
				switch text(c.value, "/event_type") {
				case "execution_started":
					set("/event_type", `"execution_completed"`)(&message{body: c.value})
				case "execution_completed":
					set("/event_type", `"execution_started"`)(&message{body: c.value})
				}
			}
			return len(cells(m.body, "/events/*")) > 0
		})},
		{"CHP-8-09", "a failure without its end", replay(counted(without("/events", "[event_type=execution_failed]")))},
		{"CHP-8-10", "a denial under another name", replay(set("/events/[event_type=execution_denied]/event_type", `"execution_refused"`))},
		{"CHP-8-11", "a skip under another name", replay(set("/events/[event_type=execution_skipped]/event_type", `"execution_passed_over"`))},
		{"CHP-6-01", "a skip without evidence", replay(counted(without("/events", "[event_type=execution_skipped]")))},
		{"CHP-8-13", "an end with another outcome", replay(set("/events/[event_type=execution_completed]/outcome", `"failure"`))},
		{"CHP-8-13", "two ends", replay(counted(list("/events", func(_ *message, old []any) []any {
			return besideEach(old, "execution_completed", "execution_completed", +1)
		})))},
	}
}

// besideEach inserts another event of the same invocation before or after each event of one type. The spread sequence
// leaves room for it.
func besideEach(old []any, of, kind string, by int64) []any {
	var now []any
	for _, one := range spread(old) {
		event, _ := one.(map[string]any)
		if event["event_type"] != of {
			now = append(now, one)
			continue
		}
		added, _ := decodeWire(encodeWire(event, false)).(map[string]any)
		added["event_type"], added["event_id"], added["outcome"] = kind, fmt.Sprint(
			event["event_id"],
			"-",
			kind,
			by,
		), nil
		added["sequence"] = moved(event["sequence"], 1, by)
		if by < 0 {
			now = append(now, added, one)
		} else {
			now = append(now, one, added)
		}
	}
	return now
}

// spread multiplies the sequences by ten.
func spread(events []any) []any {
	for _, one := range events {
		if event, ok := one.(map[string]any); ok {
			event["sequence"] = moved(event["sequence"], 10, 0)
		}
	}
	return events
}

// moved multiplies a whole number and adds an offset.
func moved(v any, times, plus int64) any {
	n, ok := v.(json.Number)
	if !ok {
		return v
	}
	i, err := n.Int64()
	if err != nil {
		return v
	}
	return json.Number(fmt.Sprint(i*times + plus))
}

func inDenials() []edit {
	denied := func(c change) []rule { return result(where("denied", c)) }
	return []edit{
		{"CHP-9-02", "an unknown capability as a bare 404", denied(all(status(404), bytesInstead(`{"error": {"code": "not_found", "message": "no such capability"}}`)))},
		{"CHP-9-02", "an unknown capability skipped", denied(set("/outcome", `"skipped"`))},
		{"CHP-9-02", "an unknown capability is replaced by another", envelope(func(m *message) bool {
			return !strings.HasPrefix(text(m.body, "/capability_id"), "conformance.") &&
				set("/capability_id", `"conformance.echo"`)(m)
		})},
		{"CHP-9-03", "every mode becomes sync", envelope(set("/mode", `"sync"`))},
		{"CHP-9-07", "a denial without a record", denied(set("/denial", `null`))},
		{"CHP-9-08", "a code that increases", denied(with("/denial/code", func(m *message, _ any) any { return fmt.Sprint("denied-", m.turn) }))},
		{"CHP-9-09", "an empty message", denied(set("/denial/message", `""`))},
		{"CHP-9-10", "a number for an invariant", denied(set("/denial/invariant_id", `7`))},
		{"CHP-9-11", "a string for retryable", denied(set("/denial/retryable", `"no"`))},
		{"CHP-9-12", "details as a string", denied(set("/denial/details", `"none"`))},
	}
}

func inReplays() []edit {
	return []edit{
		{"CHP-10-01", "only the latest invocation", replay(counted(list("/events", func(_ *message, old []any) []any {
			now := []any{}
			for _, one := range old {
				if text(one, "/invocation_id") == text(old[len(old)-1], "/invocation_id") {
					now = append(now, one)
				}
			}
			return now
		})))},
		{"CHP-10-02", "the events of the replay before", replay(mixed())},
		{"CHP-10-06", "no correlation id", replay(drop("/correlation_id"))},
		{"CHP-10-06", "another correlation", replay(set("/correlation_id", `"corr-of-others"`))},
		{"CHP-10-07", "events as an object", replay(set("/events", `{}`))},
		{"CHP-10-08", "one event too many", replay(changed("/event_count", func(_ *message, old any) any { return moved(old, 1, 1) }))},
		{"CHP-10-08", "a count as a string", replay(set("/event_count", `"two"`))},
		{"CHP-10-09", "no time of the replay", replay(drop("/replayed_at"))},
		{"CHP-10-10", "events backwards", replay(backwards("/events"))},
		{"CHP-10-10", "one sequence for all events", replay(set("/events/*/sequence", `5`))},
	}
}

// mixed inserts the first event of one correlation into the next replay of another.
func mixed() change {
	var last any
	return counted(list("/events", func(m *message, old []any) []any {
		foreign := last
		if len(old) > 0 {
			last = old[0]
		}
		if foreign == nil || text(foreign, "/correlation/correlation_id") == text(m.body, "/correlation_id") {
			return old
		}
		return append([]any{foreign}, old...)
	}))
}

func inQueries() []edit {
	return []edit{
		{"CHP-10-03", "limit is ignored", query(drop("/limit"))},
		{"CHP-10-04", "since_sequence is ignored", query(drop("/since_sequence"))},
		{"CHP-10-04", "since_sequence is off by one", query(changed("/since_sequence", func(_ *message, old any) any { return moved(old, 1, 1) }))},
		{"CHP-10-05", "payloads that were not requested", query(drop("/include_payloads"))},
	}
}
