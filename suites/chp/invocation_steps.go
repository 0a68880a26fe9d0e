package chpsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var invocationSentences = []sentence{
	say(`the capabilities are invoked`, func(w *world) any { return w.invokeCapabilities }),
	say(`"([a-z]+)" is invoked`, func(w *world) any { return w.invokeRole }),
	say(`an unknown capability is invoked`, func(w *world) any { return w.invokeUnknown }),
	say(`a capability is invoked in a mode that it does not list`, func(w *world) any { return w.invokeUnsupported }),
	say(`everything that can be is invoked`, func(w *world) any { return w.invokeEverything }),
	say(`everything that has to be refused is invoked`, func(w *world) any { return w.invokeRefused }),
	say(`what is no envelope is sent`, func(w *world) any { return w.sendNoEnvelope }),
	say(`some capability came back with success`, func(w *world) any { return w.needSuccess }),
	say(`each envelope is answered by its own result`, func(w *world) any { return w.answeredByResult }),
	say(`no result bears the ids of another envelope`, func(w *world) any { return w.ownIDs }),
	say(`each result bears the ids of its envelope as they were sent`, func(w *world) any { return w.idsAsSent }),
	say(`none of it is executed`, func(w *world) any { return w.noneExecuted }),
	say(`the host goes on serving`, func(w *world) any { return w.stillServes }),
	say(`each of it is refused in the form of the binding`, func(w *world) any { return w.refusedInForm }),
}

func (w *world) invokeCapabilities(ctx context.Context) error {
	if err := w.needSuccess(ctx); err != nil && len(w.pool) == 0 {
		return err
	}
	w.attempts = append(w.attempts, w.succeeding(ctx, w.sc)...)
	return lost(w.attempts)
}

func (w *world) invokeRole(ctx context.Context, role string) error {
	w.attempts = append(w.attempts, w.inRole(ctx, w.sc, role)...)
	if len(w.attempts) == 0 {
		return suites.Undecided("no payload can be made for the role %s; give one in the target file: roles: {chp: {%s: {capability: ID, input: {...}}}}", role, role)
	}
	return lost(w.attempts)
}

func (w *world) invokeUnknown(ctx context.Context) error {
	w.attempts = append(w.attempts, w.unknownOnes(ctx, w.sc)...)
	return lost(w.attempts)
}

func (w *world) invokeUnsupported(ctx context.Context) error {
	w.attempts = append(w.attempts, w.unsupportedModes(ctx, w.sc)...)
	if len(w.attempts) == 0 && len(w.pool) > 0 && len(w.foreignModes(ctx, w.sc)) == 0 {
		return suites.Inapplicable("every capability that may be invoked lists every mode")
	}
	if len(w.attempts) == 0 {
		return suites.Undecided("no capability that may be invoked leaves a mode out and succeeds in sync")
	}
	if !w.worksInSync(ctx, w.attempts[0].capability) {
		return suites.Undecided("%s does not succeed in sync, so that a refusal in another mode shows nothing", w.attempts[0].capability)
	}
	return lost(w.attempts)
}

func (w *world) worksInSync(ctx context.Context, id string) bool {
	return slices.ContainsFunc(w.succeeding(ctx, w.sc), func(a *attempt) bool { return a.capability == id && a.outcome() == outcomeSuccess })
}

func (w *world) invokeEverything(ctx context.Context) error {
	w.attempts = append(w.attempts, w.everything(ctx, w.sc)...)
	return w.cancelled(ctx)
}

func (w *world) invokeRefused(ctx context.Context) error {
	w.attempts = append(w.refusing(ctx, w.sc), w.inRole(ctx, w.sc, roleGuarded)...)
	return w.cancelled(ctx)
}

// cancelled ends a step whose experiments were cut short by the end of the run.
func (w *world) cancelled(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil {
		return &driver.CallError{Kind: driver.ErrCancelled, Detail: cause.Error()}
	}
	return nil
}

// answeredByResult is CHP-5-01: the invocation id ties envelope and result.
func (w *world) answeredByResult() error {
	for _, a := range w.attempts {
		switch {
		case errors.Is(a.err, driver.ErrThrottled), isOpen(a.err):
			continue
		case a.result == nil, !a.isResult():
			return w.blame(a, "an envelope is not answered by an InvocationResult", "an InvocationResult for "+a.capability, suites.Received(a.answer, a.err))
		}
	}
	return nil
}

// ownIDs is CHP-5-01 for whatever is a result: of any outcome, and beside others. It does not bear
// the id of another envelope of ours, nor that of another capability. That it bears ids at all is
// CHP-5-14.
func (w *world) ownIDs() error {
	for _, a := range w.results() {
		for name, own := range map[string]string{"invocation_id": a.id, "capability_id": a.capability} {
			if got := a.result[name]; w.ofAnother(a, got) {
				return w.blame(a, "a result bears the "+name+" of another envelope", suites.Print(own), suites.Print(got))
			}
		}
	}
	return w.needResults()
}

// ofAnother tells whether an id in a result is that of another envelope of ours, or of another
// declared capability.
func (w *world) ofAnother(a *attempt, got any) bool {
	id, _ := got.(string)
	declared := slices.ContainsFunc(w.capabilities, func(c *capability) bool { return c.id == id })
	return declared && !sameName(id, a.capability) || id != a.id && strings.HasPrefix(id, sender)
}

// idsAsSent is advice: the text prints no list of the members of a result, and not how an id is
// spelled.
func (w *world) idsAsSent() error {
	for _, a := range w.results() {
		for name, own := range map[string]string{"invocation_id": a.id, "capability_id": a.capability} {
			if got := a.result[name]; got != own && (got != nil || name == "invocation_id") && !w.ofAnother(a, got) {
				return w.blame(a, "a result does not bear the "+name+" of its envelope", suites.Print(own), suites.Print(got))
			}
		}
		for _, ev := range a.events() {
			if id, ok := ev.members()["capability_id"].(string); isCore(ev) && ok && id != a.capability && sameName(id, a.capability) {
				return w.blame(a, "an event spells the id of the capability in another way", suites.Print(a.capability), suites.Print(id))
			}
		}
	}
	return w.needResults()
}

// sendNoEnvelope sends what lacks the id of a capability, and, where the wire has
// bodies of their own, what is no JSON object at all.
func (w *world) sendNoEnvelope(ctx context.Context) error {
	v, err := w.simplest(ctx, w.sc)
	if err != nil {
		return err
	}
	v.id, v.correlation = sender+uuid.NewString(), caller()
	whole := schemas.ReadObject(v.params(time.Now()))
	forms := map[string]json.RawMessage{"nothing but braces": json.RawMessage("{}")}
	for name, value := range map[string]any{"no capability_id": absent{}, "a number as capability_id": 7, "null as capability_id": nil, emptyID: ""} {
		edited := object{}
		for k, m := range whole {
			edited[k] = m
		}
		edited["capability_id"] = value
		if value == (absent{}) {
			delete(edited, "capability_id")
		}
		edited["invocation_id"] = sender + uuid.NewString()
		forms[name] = suites.Encode(edited)
	}
	for _, name := range sortedNames(forms) {
		w.refuse(ctx, name, driver.Operation{Name: opInvoke, Params: forms[name]})
	}
	if !w.session.Info().Bodies {
		return nil
	}
	bodies := map[string]string{"broken JSON": `{"invocation_id": `, "an empty body": " ", "a list": "[]", "a text": `"capconform"`, "a number": "7"}
	for name, token := range map[string]string{"a bare NaN in an envelope": "NaN", "a bare Infinity in an envelope": "-Infinity"} {
		odd := object{}
		maps.Copy(odd, whole)
		odd["invocation_id"], odd["subject"] = sender+uuid.NewString(), object{"id": "capconform", "type": "service", "rank": notANumber}
		bodies[name] = strings.Replace(string(suites.Encode(odd)), `"`+notANumber+`"`, token, 1)
	}
	for _, name := range sortedNames(bodies) {
		w.refuse(ctx, name, driver.Operation{Name: opInvoke, Body: []byte(bodies[name])})
	}
	return nil
}

const emptyID = "an empty capability_id"

// notANumber stands for a token that JSON does not have.
const notANumber = "not a number"

// absent stands for a member that is left out.
type absent struct{}

func (w *world) refuse(ctx context.Context, name string, op driver.Operation) {
	a := &attempt{envelope: envelope{kind: name}}
	a.answer, a.resent, a.err = w.askAgain(ctx, w.sc, op)
	if a.err == nil && a.answer.Outcome == driver.Returned {
		a.result = schemas.ReadObject(a.answer.Result)
	}
	w.attempts = append(w.attempts, a)
}

func (w *world) noneExecuted(ctx context.Context) error {
	for _, a := range w.attempts {
		anyID := a.kind == emptyID && slices.ContainsFunc(w.unknownOnes(ctx, w.sc), func(u *attempt) bool { return u.outcome() == outcomeSuccess })
		if a.outcome() == outcomeSuccess && !anyID { // a host that executes whatever it is asked for is CHP-9-02's
			return w.blame(a, "what is no envelope is executed: "+a.kind, "a refusal", suites.Received(a.answer, a.err))
		}
	}
	return nil
}

func (w *world) stillServes(ctx context.Context) error {
	candidates, err := w.succeeded(ctx, w.sc)
	if err != nil {
		return err
	}
	var last *attempt
	for _, v := range candidates {
		v.correlation = caller()
		last = w.invoke(ctx, w.sc, v)
		outcome := last.outcome()
		if outcome == outcomeSuccess {
			return nil
		}
		if last.err != nil && !suites.ClosedInFace(last.err) {
			return last.err
		}
		if outcome != outcomeDenied && outcome != outcomeSkipped {
			break // what is refused in a result may have been taken away or switched off
		}
	}
	return w.blame(last, "the host no longer serves", "the success that "+last.capability+" gave before", suites.Received(last.answer, last.err))
}

// refusedInForm is advice of the HTTP binding, a later document.
func (w *world) refusedInForm() error {
	if !w.session.Info().Bodies {
		return suites.Inapplicable("the binding that is spoken is none of CHP's")
	}
	for _, a := range w.attempts {
		status := a.answer.Exchange.Status
		processed := status == 200 && (a.outcome() == outcomeDenied || a.outcome() == outcomeSuccess) // the latter is CHP-5-10's
		if status == 0 || status == 400 || processed || a.kind == emptyID {                           // an id of no letters may be an unknown one
			continue
		}
		return w.blame(a, "what is no envelope is refused in another form than the binding's: "+a.kind, "status 400 and {error: {code, message}}", fmt.Sprintf("status %d", status))
	}
	return nil
}
