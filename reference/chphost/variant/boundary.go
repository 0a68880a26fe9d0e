package chpvariant

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/rpc"
	"github.com/capconform/capconform/reference/variant"
)

// boundaries returns hosts that decide at the boundary in other permitted ways.
func boundaries() []variant.Variant {
	return []variant.Variant{
		newVariant("disabled-denied", "Denies a disabled capability.", func(h *chphost.Host) {
			changeGate(h, chphost.CapabilityDisabled, func(*chphost.Invocation, *chphost.Outcome) *chphost.Outcome {
				return chphost.Deny(chphost.CapabilityDisabled, "the capability is disabled", "", object{})
			})
		}, "CHP-9-04", "CHP-8-11"),
		newVariant("denied-after-start", "Denies a failed invariant after execution_started.", func(h *chphost.Host) {
			changeGate(h, chphost.InvariantFailed, func(inv *chphost.Invocation, stopped *chphost.Outcome) *chphost.Outcome {
				if h.Emit(inv, object{"event_type": chphost.EventStarted}) != nil {
					return stopped // the closing event cannot be stored either, and that is reported
				}
				return stopped
			})
		}, "CHP-8-12", "CHP-8-10"),
		newVariant("own-rules", "Denies every payload with more than 64 members by a private rule.", func(h *chphost.Host) {
			h.Gates = append(h.Gates, chphost.Gate{Name: "own", Check: func(inv *chphost.Invocation) *chphost.Outcome {
				if len(inv.Payload) > 64 {
					return chphost.Deny("com.example.too_many_members", "the payload has too many members", "", object{})
				}
				return nil
			}})
		}, "CHP-9-06"),
		newVariant("denial-other-code",
			"Denies an unknown capability with a private code and retryable true.", func(h *chphost.Host) {
				changeGate(h, chphost.NotFound, func(_ *chphost.Invocation, stopped *chphost.Outcome) *chphost.Outcome {
					record := stopped.Denial
					record["code"], record["retryable"], record["invariant_id"] = "com.example.nowhere", true, nil
					return stopped
				})
			}, "CHP-9-08", "CHP-9-10", "CHP-9-11"),
		newVariant("lenient-envelope", "Supplies missing members of an envelope, except for the ids.", lenient,
			"CHP-5-10", "CHP-5-02"),
		newVariant("missing-id-denied", "Denies an envelope without capability_id.", namelessDenied, "CHP-5-10"),
		newVariant("short-form", "Accepts a correlation_id at the top level of an envelope.", func(h *chphost.Host) {
			original := h.Admit
			h.Admit = func(envelope object) (*chphost.Invocation, error) {
				if id := envelope["correlation_id"]; id != nil && envelope["correlation"] == nil {
					return original(withMembers(envelope, object{"correlation": object{"correlation_id": id}}))
				}
				return original(envelope)
			}
		}, "CHP-7-02"),
		newVariant("long-messages-refused", "Refuses every envelope with a payload of more than 3,000 bytes.",
			refusesLong, "CHP-9-02"),
		newVariant("denies-used-payloads", "Denies a payload that a capability received before.", deniesUsed, "CHP-9-06",
			"CHP-7-02", "CHP-5-10"),
	}
}

// ofBinding returns hosts that use the HTTP binding in other ways than the reference.
func ofBinding() []variant.Variant {
	return []variant.Variant{
		newVariant("http-own-style", "Answers in chunks, with additional headers.", func(h *chphost.Host) {
			h.Binding.ChangeResponse = func(_ chphost.Request, response *chphost.Response) {
				response.Chunked = true
				response.Header.Set("Content-Type", "application/json; charset=utf-8")
				response.Header.Set("X-Host", "elsewhere")
			}
		}, "CHP-5-11"),
		newVariant("http-too-much-to-do",
			"Refuses every ninth invocation and replay with status 429 or 503, and accepts it when it is repeated.",
			func(h *chphost.Host) {
				h.Binding.Busy = everyNinth()
			}, "CHP-5-11", "CHP-10-01"),
		newVariant("http-status-by-outcome", "Sends denials with status 403 and failures with status 500.",
			func(h *chphost.Host) {
				h.Binding.ChangeResponse = statusByOutcome
			}, "CHP-5-01", "CHP-9-02"),
		newVariant("http-more-routes", "Has another route in addition to those of the binding.", func(h *chphost.Host) {
			h.Binding.ChangeResponse = moreRoutes
		}, "CHP-5-11"),
	}
}

// namelessDenied treats an envelope without capability_id as one for an unknown capability.
func namelessDenied(h *chphost.Host) {
	original := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		if _, isText := envelope["capability_id"].(string); isText {
			return original(envelope)
		}
		return original(withMembers(envelope, object{"capability_id": ""}))
	}
}

// statusByOutcome sends the result of an invocation that did not succeed with an error status.
func statusByOutcome(_ chphost.Request, response *chphost.Response) {
	var result struct {
		Outcome string `json:"outcome"`
	}
	if response.Status != http.StatusOK || json.Unmarshal(response.Body, &result) != nil {
		return
	}
	switch result.Outcome {
	case chphost.Denied:
		response.Status = http.StatusForbidden
	case chphost.Failure:
		response.Status = http.StatusInternalServerError
	}
}

// deniesUsed denies an invocation that has the payload of an earlier one.
func deniesUsed(h *chphost.Host) {
	var mutex sync.Mutex
	used := map[string]bool{}
	h.Gates = append(h.Gates, chphost.Gate{Name: "used", Check: func(inv *chphost.Invocation) *chphost.Outcome {
		mutex.Lock()
		defer mutex.Unlock()
		key := inv.CapabilityID + " " + string(rpc.Append(nil, inv.Payload))
		if used[key] {
			return chphost.Deny("com.example.used_before", "the same payload was sent before", "", object{})
		}
		used[key] = true
		return nil
	}})
}

// everyNinth refuses every ninth request, with the two statuses in turn.
func everyNinth() func(operation string) int {
	var asked atomic.Int64
	return func(operation string) int {
		if operation != chphost.OpInvoke && operation != chphost.OpReplay {
			return 0
		}
		switch n := asked.Add(1); n % 18 {
		case 0:
			return http.StatusServiceUnavailable
		case 9:
			return http.StatusTooManyRequests
		}
		return 0
	}
}

// changeGate changes the outcome of one gate.
func changeGate(h *chphost.Host, name string, change func(inv *chphost.Invocation,
	stopped *chphost.Outcome) *chphost.Outcome) {
	at := slices.IndexFunc(h.Gates, func(g chphost.Gate) bool { return g.Name == name })
	original := h.Gates[at].Check
	h.Gates[at].Check = func(inv *chphost.Invocation) *chphost.Outcome {
		if stopped := original(inv); stopped != nil {
			return change(inv, stopped)
		}
		return nil
	}
}

// withMembers returns an envelope with some members replaced.
func withMembers(envelope, members object) object {
	whole := object{}
	for _, part := range []object{envelope, members} {
		maps.Copy(whole, part)
	}
	return whole
}

func lenient(h *chphost.Host) {
	original := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		missing := object{}
		for name, value := range map[string]any{
			"mode": "sync", "subject": object{}, "payload": object{}, "requested_at": chphost.FormatTime(h.Now()),
		} {
			if envelope[name] == nil {
				missing[name] = value
			}
		}
		return original(withMembers(envelope, missing))
	}
}

// moreRoutes serves one more route.
func moreRoutes(request chphost.Request, response *chphost.Response) {
	if request.Path == "/metrics" && request.Method == http.MethodGet && response.Status == http.StatusNotFound {
		response.Status, response.Body = http.StatusOK, []byte("invocations_total 1\n")
		response.Header.Set("Content-Type", "text/plain; version=0.0.4")
	}
}

// refusesLong refuses envelopes with a long payload.
func refusesLong(h *chphost.Host) {
	original := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		if len(rpc.Append(nil, envelope["payload"])) > 3000 {
			return nil, chphost.Refuse("the payload is too long")
		}
		return original(envelope)
	}
}
