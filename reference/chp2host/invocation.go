package chp2host

import (
	"cmp"
	"maps"
	"strings"
	"time"

	"github.com/google/uuid"
)

// invocation is one invocation on its way through the gates.
type invocation struct {
	id, capability, mode string
	version, wants       string // a version, or a range of versions
	correlation          object
	subject              object
	actor                object
	payload              object
	strict, mandated     bool
	evidence             []any
	of                   *Capability
}

// read reads an envelope. It returns false if a member has another type.
func read(envelope object, caller string) (*invocation, bool) {
	fits := true
	text := func(name string) string {
		value, is := envelope[name].(string)
		fits = fits && (is || envelope[name] == nil)
		return value
	}
	part := func(name string) object {
		value, is := envelope[name].(object)
		fits = fits && (is || envelope[name] == nil)
		return value
	}
	i := &invocation{id: cmp.Or(text("invocation_id"), uuid.NewString()), capability: text("capability_id"),
		mode: cmp.Or(text("mode"), "sync"), version: text("version"), wants: text("requested_capability_version"),
		correlation: part("correlation"), subject: part("subject"), actor: part("actor"), payload: part("payload")}
	i.strict, _ = envelope["require_output_schema"].(bool)
	i.mandated = envelope["mandate"] != nil
	text("requested_at")
	if i.correlation == nil {
		i.correlation = object{}
	}
	if id, _ := i.correlation["correlation_id"].(string); id == "" {
		i.correlation["correlation_id"] = cmp.Or(text("correlation_id"), uuid.NewString())
	}
	if i.payload == nil {
		i.payload = object{}
	}
	if caller != "" {
		i.subject = object{"id": caller, "type": "api_key", "verified": true}
	}
	return i, fits
}

// denial is why a gate denies.
type denial struct {
	code, message string
	details       object
	invariant     string
	event         string // the event of governance before the denial
}

func (d *denial) retryable() bool {
	return d.code == "budget_exceeded" || d.code == "approval_required"
}

// record returns the denial as a result shows it.
func (d *denial) record() object {
	all := object{"code": d.code, "message": d.message, "retryable": d.retryable(), "details": d.details}
	if d.details == nil {
		all["details"] = object{}
	}
	if d.invariant != "" {
		all["invariant_id"] = d.invariant
	}
	return all
}

// Invoke takes an envelope through the gates. The result is nil if a member has another type. The chunks are nil unless
// the invocation is a stream that opened.
func (h *Host) Invoke(envelope object, caller string) (result object, chunks []any) {
	i, fits := read(envelope, caller)
	if !fits {
		return nil, nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if recorded, chunks := h.results[i.id], h.streams[i.id]; recorded != nil && !(h.ForgetsStreams && chunks != nil) {
		again := object{"replayed": true}
		for name, value := range recorded {
			again[name] = value
		}
		return again, chunks
	}
	result = h.process(i)
	if i.mode == "stream" && (result["outcome"] == "success" || result["outcome"] == "failure") {
		h.streams[i.id] = i.of.Chunks
	}
	h.results[i.id] = result
	return result, h.streams[i.id]
}

func (h *Host) process(i *invocation) object {
	if d := h.resolve(i); d != nil {
		return h.deny(i, d)
	}
	if i.of.Disabled {
		h.emit(i, "execution_skipped", "skipped", object{"code": "capability_disabled"}, nil)
		return h.result(i, "skipped", object{})
	}
	for _, gate := range []func(*invocation) *denial{h.governed, h.budgeted, h.shaped, h.assessed} {
		if d := gate(i); d != nil {
			return h.deny(i, d)
		}
	}
	return h.execute(i)
}

// resolve is the gates 1 and 2.
func (h *Host) resolve(i *invocation) *denial {
	var versions []any
	var found []*Capability
	for _, c := range h.Capabilities {
		if c.id() != i.capability {
			continue
		}
		version := c.Descriptor["version"].(string)
		versions = append(versions, version)
		if (i.version == "" || i.version == version) && (i.wants == "" || fits(version, i.wants)) {
			found = append(found, c)
		}
	}
	switch {
	case strings.TrimSpace(i.capability) == "":
		i.capability = "(none)" // an event names a capability
		return &denial{code: "capability_not_found", message: "the invocation names no capability"}
	case len(versions) > 0 && len(found) == 0 && i.wants != "":
		return &denial{code: "capability_version_unsupported", message: "no version is in the range",
			details: object{"requested": i.wants, "available": versions}}
	case len(found) == 0, len(found) > 1 && i.wants == "":
		return &denial{code: "capability_not_found", message: "no such capability, or several versions of it"}
	}
	i.of = found[len(found)-1]
	return nil
}

// governed is the gates 4 to 7: mode, mandate, policy and invariants.
func (h *Host) governed(i *invocation) *denial {
	offered := false
	for _, mode := range i.of.Descriptor["modes"].([]any) {
		offered = offered || mode == i.mode
	}
	actor, _ := i.actor["id"].(string)
	subject, _ := i.subject["id"].(string)
	if actor = cmp.Or(actor, subject); i.subject["verified"] == true {
		actor = subject
	}
	blocked := object{"decision": "deny", "policy_version": "1", "explanation": "the policy of the host",
		"required_next_action": "ask the operator"}
	switch {
	case !offered:
		return &denial{code: "unsupported_mode", message: "the capability does not have the mode"}
	case i.mandated:
		return &denial{code: "mandate_invalid", message: "this host trusts no principal"}
	case i.of.isTooRisky():
		blocked["matched_rule"] = "max_risk_tier"
		return &denial{code: "policy_blocked", message: "the risk is above the limit", details: blocked}
	case !i.of.allows(actor):
		blocked["matched_rule"] = "allowed_actors"
		return &denial{code: "policy_blocked", message: "the capability is not for this caller", details: blocked}
	case i.of.Invariant != nil && !i.of.Invariant(i.payload):
		return &denial{code: "invariant_failed", message: "the payload breaks an invariant", invariant: "pass-present"}
	}
	return nil
}

// budgeted is gate 8.
func (h *Host) budgeted(i *invocation) *denial {
	started := 0
	for _, event := range h.chains[i.correlation["correlation_id"].(string)] {
		if event["event_type"] == "execution_started" {
			started++
		}
	}
	switch limit, limited := i.of.limit("action_limit").(int); {
	case limited && started >= limit:
		return &denial{code: "budget_exceeded", message: "the limit of actions is reached", event: "budget_exceeded"}
	case i.of.limit("tier") == "approval_required":
		return &denial{code: "approval_required", message: "a person must approve", event: "approval_requested"}
	}
	return nil
}

// shaped is gate 9.
func (h *Host) shaped(i *invocation) *denial {
	if flaw := i.of.flawIn("input_schema", i.payload); flaw != "" {
		return &denial{code: "input_schema_validation_failed", message: flaw,
			details: object{"schema_id": i.capability + "/input_schema", "path": "/"}}
	}
	return nil
}

// assessed is gate 10.
func (h *Host) assessed(i *invocation) *denial {
	if h.Unassessed {
		return nil
	}
	h.emit(i, "safety_assessment_started", nil, object{}, nil)
	h.emit(i, "safety_assessment_completed", nil,
		object{"level": "low", "score": "0.000", "approved": !i.of.Unsafe}, nil)
	if i.of.Unsafe {
		h.emit(i, "safety_guardrail_triggered", nil, object{}, nil)
		h.emit(i, "safety_action_blocked", nil, object{}, nil)
		return &denial{code: "safety_blocked", message: "a guardrail blocks the capability"}
	}
	h.emit(i, "safety_action_approved", nil, object{}, nil)
	return nil
}

// execute is the gates 11 and 12.
func (h *Host) execute(i *invocation) object {
	h.emit(i, "execution_started", nil, object{}, nil)
	data, err := i.of.Run(i.payload)
	if err != nil {
		failed := object{"error": object{"type": "error", "message": err.Error()}}
		h.emit(i, "execution_failed", "failure", object{}, failed)
		return h.result(i, "failure", failed)
	}
	flaw, payload := i.of.flawIn("output_schema", data), object{}
	if flaw != "" && (h.Strict || i.strict) {
		return h.deny(i, &denial{code: "output_schema_validation_failed", message: flaw,
			details: object{"schema_id": i.capability + "/output_schema", "path": "/"}})
	}
	if flaw != "" {
		payload = object{"output_schema_valid": false, "output_schema_error": flaw}
	}
	if i.mode == "stream" {
		maps.Copy(payload, completion(i.of.Chunks))
	}
	h.emit(i, "execution_completed", "success", payload, nil)
	return h.result(i, "success", object{"data": data})
}

func (h *Host) deny(i *invocation, d *denial) object {
	if d.event != "" {
		h.emit(i, d.event, nil, object{}, nil)
	}
	denied := object{"denial": d.record()}
	h.emit(i, "execution_denied", "denied", object{"code": d.code}, denied)
	return h.result(i, "denied", denied)
}

func (h *Host) result(i *invocation, outcome string, members object) object {
	all := object{"invocation_id": i.id, "capability_id": i.capability, "correlation": i.correlation, "outcome": outcome,
		"success": outcome == "success", "evidence_ids": i.evidence, "completed_at": stamp(time.Now())}
	if h.Nulls {
		all["data"], all["error"], all["denial"], all["capability_version"] = nil, nil, nil, nil
	}
	for name, value := range members {
		all[name] = value
	}
	return all
}
