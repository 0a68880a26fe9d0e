package chpmutant

import (
	"net/http"
	"strconv"
	"sync/atomic"

	"github.com/capconform/capconform/reference/chphost"
	"github.com/capconform/capconform/reference/mutant"
)

// refusals returns hosts that do not deny invocations that they must deny (CHP-9-01 to 9-04).
func refusals() []mutant.Mutant {
	inMode := func(inv *chphost.Invocation) bool {
		return inv.CapabilityID != disabled && inForeignMode(inv)
	}
	broken := []mutant.Mutant{
		newMutant("denied-with-error-alone", "CHP-9-01", "Returns a denial record as an error.",
			inResult(ofUnknown, func(result object) any {
				result["error"], result["denial"] = result["denial"], nil
				return result
			})).AlsoBreaks("CHP-9-07", "the denial record is what went into the error"),
		newMutant("failure-with-denial", "CHP-9-01", "Adds a denial record to a failure.",
			inResult(asked(fails), mutant.With("denial", deniedOutcome().Denial))).WithRole("fails"),
		newMutant("disabled-executed", "CHP-9-04", "Executes a disabled capability.",
			withoutGate(chphost.CapabilityDisabled, anyInvocation)).WithRole("disabled"),
		newMutant("restricted-executed", "CHP-9-05", "Executes a capability to which the caller is not entitled.",
			withoutGate(chphost.NotEntitled, anyInvocation)).WithRole("restricted"),
		newMutant("restricted-fails", "CHP-9-05", "Reports a missing entitlement as a failure.",
			runsInstead(asked(restricted), runsInvain)).WithRole("restricted"),
		newMutant("restricted-as-403", "CHP-9-05",
			"Answers a missing entitlement with an error of the transport, over HTTP with a bare 403.",
			resultAs(asked(restricted), chphost.Denied, http.StatusForbidden)).WithRole("restricted"),
		newMutant("disabled-fails", "CHP-9-04", "Reports a disabled capability as a failure.",
			runsInstead(asked(disabled), runsInvain)).WithRole("disabled"),
	}
	for _, m := range []struct {
		name, requirement, says string
		which                   affects
	}{
		{"unknown", "CHP-9-02", "an unknown capability", ofUnknown}, {"mode", "CHP-9-03", "an unsupported mode", inMode},
	} {
		broken = append(broken,
			newMutant(m.name+"-executed", m.requirement, "Executes a capability for "+m.says+".",
				runsInstead(m.which, runsEmpty)),
			newMutant(m.name+"-as-failure", m.requirement, "Reports "+m.says+" as a failure.", runsInstead(m.which, runsInvain)),
			newMutant(m.name+"-as-skipped", m.requirement, "Reports "+m.says+" as a skip.",
				endsAtBoundary(m.which, skippedOutcome)),
			newMutant(m.name+"-as-404", m.requirement,
				"Answers "+m.says+" with an error of the transport, over HTTP with status 404.",
				resultAs(m.which, chphost.Denied, http.StatusNotFound)),
			newMutant(m.name+"-as-403", m.requirement,
				"Answers "+m.says+" with an error of the transport, over HTTP with a bare 403.",
				resultAs(m.which, chphost.Denied, http.StatusForbidden)),
		)
	}
	return append(broken, statuses()...)
}

// statuses returns hosts that hide a result behind a contradictory status of the transport.
func statuses() []mutant.Mutant {
	var broken []mutant.Mutant
	for _, m := range []struct {
		name, requirement, summary, role string
		which                            affects
		status                           int
	}{
		{"status-403", "CHP-9-02", "Answers a denial with status 403 and an empty body.", "", ofUnknown,
			http.StatusForbidden},
		{"status-204", "CHP-8-05", "Answers a failure with an empty body and status 204.", "fails", asked(fails),
			http.StatusNoContent},
		{"status-500", "CHP-8-05", "Answers a failure with an error page and status 500.", "fails", asked(fails),
			http.StatusInternalServerError},
	} {
		made := newMutant(m.name, m.requirement, m.summary, func(h *chphost.Host) {
			hidden := new(atomic.Bool) // an answer is written directly after its result
			original := h.Result
			h.Result = func(inv *chphost.Invocation, outcome chphost.Outcome) any {
				hidden.Store(m.which(inv))
				return original(inv, outcome)
			}
			h.Binding.ChangeResponse = func(request chphost.Request, response *chphost.Response) {
				if request.Route == chphost.OpInvoke && hidden.Swap(false) {
					response.Status, response.Body = m.status, nil
				}
			}
		}).OverHTTP()
		if m.role != "" {
			made = made.WithRole(m.role)
		}
		broken = append(broken, made)
	}
	return broken
}

// inDenials changes the denial records of results and events alike.
func inDenials(which affects, change func(denial object) any) defect {
	return func(h *chphost.Host) {
		for i, original := range h.Gates {
			h.Gates[i].Check = func(inv *chphost.Invocation) *chphost.Outcome {
				stopped := original.Check(inv)
				if stopped == nil || stopped.Denial == nil || !which(inv) {
					return stopped
				}
				denial, _ := change(stopped.Denial).(object)
				return &chphost.Outcome{Kind: stopped.Kind, Denial: denial}
			}
		}
	}
}

// denials returns hosts that break the record of a denial (CHP-9-07 to 9-12).
func denials() []mutant.Mutant {
	counted := func(which affects) defect {
		return func(h *chphost.Host) {
			n := new(atomic.Int64)
			inDenials(which, func(denial object) any {
				denial["code"] = "denied_" + strconv.FormatInt(n.Add(1), 10)
				return denial
			})(h)
		}
	}
	return []mutant.Mutant{
		newMutant("denial-code-counted", "CHP-9-08",
			"Uses another code each time for the same denial.", counted(ofUnknown)),
		newMutant("mode-denial-code-counted", "CHP-9-08",
			"Uses another code each time for the denial of an unsupported mode.", counted(inForeignMode)),
	}
}
