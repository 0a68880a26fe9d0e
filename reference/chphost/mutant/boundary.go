package chpmutant

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
	"github.com/capconform/capconform/reference/rpc"
)

// boundaries returns hosts that break the answer to an envelope (CHP-5-01), or the treatment of messages
// that are not envelopes (CHP-5-10 and 11).
func boundaries() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(result object) any
	}{
		{"result-bare", "Returns the data instead of a result.", func(result object) any { return result["data"] }},
		{"result-wrapped", "Returns the result inside another object.",
			func(result object) any { return object{"result": result} }},
		{"result-list", "Returns the result in a list.", func(result object) any { return []any{result} }},
		{"result-text", "Returns the result as JSON in a string.",
			func(result object) any { return string(rpc.Append(nil, result)) }},
		{"result-null", "Returns null instead of a result.", func(object) any { return nil }},
	} {
		broken = append(broken, newMutant(m.name, "CHP-5-01", m.summary, inResult(ofVictim, m.turn)))
	}
	broken = append(broken, newMutant("success-as-error", "CHP-5-01",
		"Answers an invocation that succeeded with an error of the transport.",
		resultAs(ofVictim, chphost.Success, http.StatusInternalServerError)))
	for _, m := range []struct {
		name, summary string
		mends         func(envelope object, id any)
	}{
		{"missing-id-executed", "Executes a capability if capability_id is missing.", func(envelope object, id any) {
			if id == nil {
				envelope["capability_id"] = victim
			}
		}},
		{"number-id-executed", "Takes a number as capability_id for the position of a capability in the list.",
			func(envelope object, id any) {
				if _, isNumber := id.(json.Number); isNumber {
					envelope["capability_id"] = victim
				}
			}},
	} {
		broken = append(broken, newMutant(m.name, "CHP-5-10", m.summary, mendsEnvelope(m.mends)))
	}
	return append(append(broken, newMutant("dies-of-no-envelope", "CHP-5-10",
		"Refuses one valid invocation after a message that is not an envelope.", diesOfNoEnvelope)),
		forms()...)
}

// mendsEnvelope repairs an envelope without a valid capability_id, and executes it whatever its payload.
func mendsEnvelope(mends func(envelope object, id any)) defect {
	return func(h *chphost.Host) {
		original := h.Admit
		h.Admit = func(envelope object) (*chphost.Invocation, error) {
			id := envelope["capability_id"]
			if text, isText := id.(string); isText && text != "" || envelope["invocation_id"] == nil {
				return original(envelope)
			}
			mended, _ := rpc.Clone(envelope).(object)
			mends(mended, id)
			inv, err := original(mended)
			if err == nil && inv.CapabilityID == victim {
				inv.Payload = object{"first": json.Number("1"), "second": json.Number("3")}
			}
			return inv, err
		}
	}
}

func diesOfNoEnvelope(h *chphost.Host) {
	original, dead := h.Admit, new(atomic.Bool)
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		inv, err := original(envelope)
		if err != nil {
			dead.Store(true)
			return nil, err
		}
		if dead.Swap(false) {
			return nil, mutant.ProtocolError("host is down")
		}
		return inv, nil
	}
}

// resultAs answers affected invocations with an outcome by an error of the
// transport, with a status over HTTP. Their evidence remains.
func resultAs(which affects, outcome string, status int) defect {
	return func(h *chphost.Host) {
		result, invoke, refused := h.Result, h.Invoke, h.Binding.Refused
		h.Result = func(inv *chphost.Invocation, came chphost.Outcome) any {
			if which(inv) && came.Kind == outcome {
				return &rpc.Error{Number: rpc.ProtocolError, Code: "refused", Message: "refused"}
			}
			return result(inv, came)
		}
		h.Invoke = func(ctx context.Context, params map[string]any) (any, error) {
			answer, err := invoke(ctx, params)
			if refusal, isError := answer.(error); isError {
				return nil, refusal
			}
			return answer, err
		}
		h.Binding.Refused = func(operation string, refusal *rpc.Error) int {
			if refusal.Code == "refused" {
				return status
			}
			return refused(operation, refusal)
		}
	}
}

// forms returns hosts that refuse messages that are not envelopes in another form than that of the HTTP
// binding.
func forms() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, summary string
		turn          func(response *chphost.Response)
	}{
		{"form-500", "Answers a message that is not an envelope with status 500.",
			func(r *chphost.Response) { r.Status = http.StatusInternalServerError }},
		{"form-200", "Answers a message that is not an envelope with status 200 and an error.",
			func(r *chphost.Response) { r.Status = http.StatusOK }},
		{"form-prose",
			"Answers a message that is not an envelope with status 422 and a sentence.", func(r *chphost.Response) {
				r.Status, r.Body = http.StatusUnprocessableEntity, []byte("No, thank you.")
				r.Header.Set("Content-Type", "text/plain")
			}},
	} {
		broken = append(broken, newMutant(m.name, "CHP-5-11", m.summary, func(h *chphost.Host) {
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route == chphost.OpInvoke && response.Status == http.StatusBadRequest {
					m.turn(response)
				}
			}
		}).OverHTTP())
	}
	return append(broken, newMutant("dies-of-broken-json", "CHP-5-10",
		"Answers one envelope with status 500 after a body that is not JSON.", func(h *chphost.Host) {
			dead := new(atomic.Bool)
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route != chphost.OpInvoke {
					return
				}
				if !json.Valid(request.Body) {
					dead.Store(true)
				} else if response.Status == http.StatusOK && dead.Swap(false) {
					response.Status, response.Body = http.StatusInternalServerError, []byte("500")
				}
			}
		}).OverHTTP())
}

// payloads returns hosts that copy raw payloads into evidence (CHP-5-09).
func payloads() []mutant.Mutant {
	copies := func(which affects, kind string, into func(inv *chphost.Invocation, event object)) defect {
		return func(h *chphost.Host) {
			original := h.Evidence
			h.Evidence = func(inv *chphost.Invocation, event object) []object {
				if event["event_type"] == kind && which(inv) {
					into(inv, event)
				}
				return original(inv, event)
			}
		}
	}
	whole := func(inv *chphost.Invocation, event object) { event["payload"] = inv.Payload }
	return []mutant.Mutant{
		newMutant("payload-in-started", "CHP-5-09", "Copies the payload into the event that starts an execution.",
			copies(anyInvocation, chphost.EventStarted, whole)),
		newMutant("payload-in-completed", "CHP-5-09", "Copies the payload into the event that completes an execution.",
			copies(anyInvocation, chphost.EventCompleted, whole)),
		newMutant("payload-in-denied", "CHP-5-09", "Copies the payload into the event of a denial.",
			copies(anyInvocation, chphost.EventDenied, whole)),
		newMutant("payload-in-failed", "CHP-5-09", "Copies the payload into the event of a failure.",
			copies(anyInvocation, chphost.EventFailed, whole)).WithRole("fails"),
		newMutant("payload-as-text", "CHP-5-09",
			"Copies the payload, as JSON in a string, into the event that starts an execution.",
			copies(anyInvocation, chphost.EventStarted, func(inv *chphost.Invocation, event object) {
				event["payload"] = object{"request": string(rpc.Append(nil, inv.Payload))}
			})),
		newMutant("payload-values-alone", "CHP-5-09", "Copies the values of a payload into an event, without their names.",
			copies(anyInvocation, chphost.EventCompleted, func(inv *chphost.Invocation, event object) {
				event["payload"] = object{"preview": firstText(inv.Payload)}
			})),
		newMutant("payload-names-alone", "CHP-5-09",
			"Copies the member names of a payload for an unknown capability into an event.",
			copies(ofUnknown, chphost.EventDenied, func(inv *chphost.Invocation, event object) {
				names := []any{}
				for _, name := range slices.Sorted(keysOf(inv.Payload)) {
					names = append(names, name)
				}
				event["payload"] = object{"fields": names}
			})),
		newMutant("payload-in-error", "CHP-5-09", "Quotes the payload in the error of a failure, in its event.",
			copies(anyInvocation, chphost.EventFailed, func(inv *chphost.Invocation, event object) {
				event["error"] = object{"type": "handler_error", "message": "can't handle " + string(rpc.Append(nil, inv.Payload))}
			})).WithRole("fails"),
		newMutant("payload-in-denial", "CHP-5-09", "Quotes the payload in the details of a denial, in its event.",
			copies(ofUnknown, chphost.EventDenied, func(inv *chphost.Invocation, event object) {
				denied := chphost.Deny(chphost.NotFound, "no such capability is registered", "", object{"payload": inv.Payload})
				event["denial"] = denied.Denial
			})),
		newMutant("payload-elsewhere", "CHP-5-09", "Copies the payload into an extra member of an event.",
			copies(anyInvocation, chphost.EventStarted, func(inv *chphost.Invocation, event object) {
				event["input"] = inv.Payload
			})),
	}
}

// firstText returns the first string of a payload, in the order of names.
func firstText(payload object) string {
	for _, name := range slices.Sorted(keysOf(payload)) {
		if text, isText := payload[name].(string); isText {
			return text
		}
	}
	return ""
}
