package chpsuite

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var endingSentences = []sentence{
	say(`a success gives the data of its handler`, func(w *world) any { return w.valueComesBack }),
	say(`an execution that went wrong is a failure`, func(w *world) any { return w.failureIsFailure }),
	say(`a rejection at the boundary is a denial`, func(w *world) any { return w.rejectionIsDenial }),
	say(`the missing entitlement is a denial`, func(w *world) any { return w.outcomeDenied }),
	say(`the capability that nobody has is denied`, func(w *world) any { return w.outcomeDenied }),
	say(`the mode that is not listed is denied`, func(w *world) any { return w.modeDenied }),
	say(`the outcome is skipped or denied`, func(w *world) any { return w.skippedOrDenied }),
}

// inPart are the attempts of a role.
func (w *world) inPart(role string) []*attempt {
	return slices.DeleteFunc(slices.Clone(w.attempts), func(a *attempt) bool { return a.role != role })
}

// ruledOut tells whether a host may have ended an attempt by a rule of its own: a policy, a missing
// entitlement, a budget, a state. What the capability would have done is not seen then.
func (a *attempt) ruledOut() bool {
	return a.outcome() == outcomeDenied || a.outcome() == outcomeSkipped
}

// notShown says why nothing was seen that a role would have shown.
func (w *world) notShown(role, what string) error {
	for _, a := range w.inPart(role) {
		if a.ruledOut() {
			denial, _ := a.result["denial"].(object)
			return &suites.Inconclusive{
				Reason: fmt.Sprintf("%s: the host itself ended the invocation of %s, the role %s (outcome %s, code %s)", what, a.capability, role, a.outcome(), suites.Print(denial["code"])),
				Supply: "grant this caller what the rule asks for: an entitlement, a budget, a rate, or the capability enabled",
			}
		}
	}
	if err := w.lacks("role", role); err != nil {
		return err
	}
	return suites.Undecided("%s", what)
}

// valueComesBack is CHP-8-04, on the capability that is known to give back what it got, and on any
// other as far as it gave back anything.
func (w *world) valueComesBack() error {
	judged := 0
	for _, a := range w.attempts {
		if a.outcome() != outcomeSuccess || a.result["data"] == nil && a.role != roleEcho {
			continue
		}
		if a.tied() {
			judged++
		}
		sent, _ := schemas.ReadObject(suites.Encode(a.payload))["value"].(string)
		encoded := string(suites.Encode(sent))
		if a.role == roleEcho && sent != "" && !strings.Contains(string(suites.Encode(a.result["data"])), encoded[1:len(encoded)-1]) {
			return w.blame(a, "a success does not give back the data of its handler", suites.Clip(sent)+" somewhere in data", suites.Print(a.result["data"]))
		}
	}
	if judged == 0 {
		return w.notShown(roleEcho, "no success came with data")
	}
	return lost(w.inPart(roleEcho))
}

// failureIsFailure is CHP-8-05, on the capability that is known to fail, and otherwise on whatever
// failed by itself.
func (w *world) failureIsFailure() error {
	failures := 0
	for _, a := range w.attempts {
		if a.outcome() == outcomeFailure && a.tied() {
			failures++
		}
		if a.role != roleFails || a.uncommon || a.err != nil || a.ruledOut() || a.outcome() == outcomeFailure || a.outcome() == outcomeIndeterminate {
			continue
		}
		return w.blame(a, a.kind+" does not have the outcome failure", "an InvocationResult with the outcome failure", w.hidden(a))
	}
	if failures > 0 {
		return nil
	}
	if err := lost(w.inPart(roleFails)); err != nil {
		return err
	}
	if _, cast := w.players[roleFails]; !cast {
		return w.lacks("with", roleFails)
	}
	return w.notShown(roleFails, "no execution failed")
}

// rejectionIsDenial is CHP-8-06, on the capability that is known to refuse a payload, and otherwise
// on whatever the host rejected.
func (w *world) rejectionIsDenial(ctx context.Context) error {
	denials := 0
	for _, a := range w.attempts {
		if a.outcome() == outcomeDenied && a.tied() {
			denials++
		}
		if a.role != roleGuarded || a.err != nil || a.outcome() == outcomeDenied || a.outcome() == outcomeIndeterminate {
			continue
		}
		if a.outcome() == outcomeSkipped && !w.guardedWorks(ctx, a) {
			return w.notShown(roleGuarded, "the capability that refuses a payload is skipped")
		}
		return w.blame(a, a.kind+" does not have the outcome denied", "an InvocationResult with the outcome denied", w.hidden(a))
	}
	if err := lost(w.inPart(roleGuarded)); err != nil {
		return err
	}
	if denials == 0 {
		return w.notShown(roleGuarded, "no invocation was denied")
	}
	return nil
}

// guardedWorks tells whether the capability serves a payload that it does not refuse, so that it is
// not disabled.
func (w *world) guardedWorks(ctx context.Context, a *attempt) bool {
	v := a.envelope
	v.id, v.payload = "", object{"value": sender}
	return w.serves(ctx, w.sc, v)
}

// outcomeDenied is for what no host can begin to execute. An answer that is no result hides it.
func (w *world) outcomeDenied() error {
	for _, a := range w.attempts {
		if a.err == nil && a.outcome() != outcomeDenied {
			return w.blame(a, a.kind+" does not have the outcome denied", "an InvocationResult with the outcome denied", w.hidden(a))
		}
	}
	return lost(w.attempts)
}

// modeDenied is advice: the text asks for evidence of a denial or of an action that is not supported.
func (w *world) modeDenied() error {
	for _, a := range w.attempts {
		if a.err == nil && a.outcome() != outcomeDenied && a.outcome() != outcomeIndeterminate {
			return w.blame(a, a.kind+" does not have the outcome denied", "an InvocationResult with the outcome denied", w.hidden(a))
		}
	}
	return nil
}

// hidden adds the status where the transport answers in place of the protocol.
func (w *world) hidden(a *attempt) string {
	got := suites.Received(a.answer, a.err)
	if status := a.answer.Exchange.Status; a.result == nil && status >= 300 {
		got = fmt.Sprintf("status %d and no InvocationResult (a processed invocation is status 200 whatever its outcome): %s", status, got)
	}
	return got
}

func (w *world) skippedOrDenied() error {
	for _, a := range w.attempts {
		if a.outcome() != outcomeSkipped && a.outcome() != outcomeDenied && a.outcome() != outcomeIndeterminate {
			return w.blame(a, a.kind+" is neither skipped nor denied", "the outcome skipped or denied", w.hidden(a))
		}
	}
	return nil
}
