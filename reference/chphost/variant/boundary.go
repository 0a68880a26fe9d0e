package chpvariant

import (
	"maps"
	"net/http"
	"slices"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/variant"
)

// boundaries draw the boundary elsewhere, where that is left free.
func boundaries() []variant.Variant {
	return []variant.Variant{
		newVariant("disabled-denied", "Denies what is disabled.", func(h *chphost.Host) {
			gate(h, chphost.CapabilityOff, func(*chphost.Invocation, *chphost.Outcome) *chphost.Outcome {
				return chphost.Deny(chphost.CapabilityOff, "the capability is disabled", "", object{})
			})
		}, "CHP-9-04", "CHP-8-11"),
		newVariant("denied-after-start", "Denies a failed invariant after execution_started.", func(h *chphost.Host) {
			gate(h, chphost.InvariantFailed, func(inv *chphost.Invocation, stopped *chphost.Outcome) *chphost.Outcome {
				if h.Emit(inv, object{"event_type": chphost.Started}) != nil {
					return stopped // the end will not be kept either, and that is told
				}
				return stopped
			})
		}, "CHP-8-12", "CHP-8-10"),
		newVariant("own-rules", "Denies every payload of more than 64 members by a private rule.", func(h *chphost.Host) {
			h.Gates = append(h.Gates, chphost.Gate{Name: "own", Check: func(inv *chphost.Invocation) *chphost.Outcome {
				if len(inv.Payload) > 64 {
					return chphost.Deny("com.example.too_many_members", "the payload has too many members", "", object{})
				}
				return nil
			}})
		}, "CHP-9-06"),
		newVariant("denial-other-code",
			"Denies an unknown capability by a private code, and says that trying again makes sense.", func(h *chphost.Host) {
				gate(h, chphost.NotFound, func(_ *chphost.Invocation, stopped *chphost.Outcome) *chphost.Outcome {
					stopped.Denial["code"], stopped.Denial["retryable"], stopped.Denial["invariant_id"] = "com.example.nowhere", true, nil
					return stopped
				})
			}, "CHP-9-08", "CHP-9-10", "CHP-9-11"),
		newVariant("lenient-envelope", "Makes up for members of an envelope that are missing, but for the ids.", lenient,
			"CHP-5-10", "CHP-5-02"),
		newVariant("missing-id-denied", "Denies an envelope without capability_id.", namelessDenied, "CHP-5-10"),
		newVariant("short-form", "Takes a correlation_id that stands beside the correlation.", func(h *chphost.Host) {
			sound := h.Admit
			h.Admit = func(envelope object) (*chphost.Invocation, error) {
				if id := envelope["correlation_id"]; id != nil && envelope["correlation"] == nil {
					return sound(filled(envelope, object{"correlation": object{"correlation_id": id}}))
				}
				return sound(envelope)
			}
		}, "CHP-7-02"),
		newVariant("http-own-style", "Answers in chunks, with additional headers.", func(h *chphost.Host) {
			h.Binding.Turn = func(_ chphost.Request, response *chphost.Response) {
				response.Chunked = true
				response.Header.Set("Content-Type", "application/json; charset=utf-8")
				response.Header.Set("X-Host", "elsewhere")
			}
		}, "CHP-5-11"),
		newVariant("http-too-much-to-do",
			"Turns away every ninth invocation and replay, by status 429 or 503, and takes it when it comes again.",
			func(h *chphost.Host) {
				h.Binding.Busy = everyNinth()
			}, "CHP-5-11", "CHP-10-01"),
		newVariant("http-more-routes", "Has a further route beside those of the binding.", func(h *chphost.Host) {
			h.Binding.Turn = moreRoutes
		}, "CHP-5-11"),
	}
}

// namelessDenied takes an envelope without capability_id for one of an unknown capability.
func namelessDenied(h *chphost.Host) {
	sound := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		if _, isText := envelope["capability_id"].(string); isText {
			return sound(envelope)
		}
		return sound(filled(envelope, object{"capability_id": ""}))
	}
}

// everyNinth turns requests away, by one status and the other in turn.
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

// gate changes what one gate stops by.
func gate(h *chphost.Host, name string, turn func(inv *chphost.Invocation, stopped *chphost.Outcome) *chphost.Outcome) {
	at := slices.IndexFunc(h.Gates, func(g chphost.Gate) bool { return g.Name == name })
	sound := h.Gates[at].Check
	h.Gates[at].Check = func(inv *chphost.Invocation) *chphost.Outcome {
		if stopped := sound(inv); stopped != nil {
			return turn(inv, stopped)
		}
		return nil
	}
}

// filled gives an envelope with other members in the place of some.
func filled(envelope, members object) object {
	whole := object{}
	for _, part := range []object{envelope, members} {
		maps.Copy(whole, part)
	}
	return whole
}

func lenient(h *chphost.Host) {
	sound := h.Admit
	h.Admit = func(envelope object) (*chphost.Invocation, error) {
		missing := object{}
		for name, value := range map[string]any{
			"mode": "sync", "subject": object{}, "payload": object{}, "requested_at": chphost.Stamp(h.Now()),
		} {
			if envelope[name] == nil {
				missing[name] = value
			}
		}
		return sound(filled(envelope, missing))
	}
}

// moreRoutes adds a route in the place of one that is unknown.
func moreRoutes(request chphost.Request, response *chphost.Response) {
	if request.Path == "/metrics" && request.Method == http.MethodGet && response.Status == http.StatusNotFound {
		response.Status, response.Body = http.StatusOK, []byte("invocations_total 1\n")
		response.Header.Set("Content-Type", "text/plain; version=0.0.4")
	}
}
