package chpsuite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// The outcomes of an InvocationResult (CHP 8). The last is of a newer text and
// accepted.
const (
	outcomeSuccess       = "success"
	outcomeFailure       = "failure"
	outcomeDenied        = "denied"
	outcomeSkipped       = "skipped"
	outcomeIndeterminate = "indeterminate"
)

// envelope is an InvocationEnvelope as we send it (CHP 5).
type envelope struct {
	kind        string      // how the attempt is named in messages
	of          *capability // nil: no capability is declared under this id
	capability  string
	version     string // left out where empty
	mode        string
	payload     any
	correlation any    // as sent; nil: the member is left out
	id          string // invocation_id, made where empty
	insists     insistence
	uncommon    bool   // its correlation id is unusual, or is used by other invocations too
	form        string // of the correlation: see correlationForm
	role        string // that the capability plays
}

// insistence says when an envelope that is denied is sent again: a host may deny
// by rules of its own, because it has too much to do for instance.
type insistence int

const (
	takesRefusals   insistence = iota // a denial is what is asked for
	triesAgain                        // after a denial that says that this makes sense
	expectsToBeDone                   // after any denial: what plays the role is known to be executed
	breaksSchema                      // never: the payload gets a mark that breaks the input schema
)

// triesAtMost bounds how often an envelope is sent.
const triesAtMost = 3

// attempt is one invocation with what it left behind.
type attempt struct {
	envelope
	answer    driver.Answer
	err       error
	result    object // nil where no object came
	supplied  string // the caller's correlation id, "" where none was supplied
	replayed  replay
	shown     bool       // an earlier replay held events of it
	sharer    bool       // its replay is that of another attempt, which is judged as a whole there
	resent    bool       // the same envelope was sent more than once
	crowded   bool       // its replay is of many invocations
	before    []*attempt // what it repeats under the same correlation: see insistence
	requested time.Time
}

// sender begins the ids that we make.
const sender = "capconform-"

// caller gives a correlation of the caller's own.
func caller() object { return object{"correlation_id": sender + uuid.NewString()} }

// sent is an InvocationEnvelope on the wire (CHP 5).
type sent struct {
	InvocationID string    `json:"invocation_id"`
	CapabilityID string    `json:"capability_id"`
	Version      string    `json:"version,omitempty"`
	Mode         string    `json:"mode"`
	Subject      subject   `json:"subject"`
	Correlation  any       `json:"correlation,omitempty"`
	Payload      any       `json:"payload"`
	RequestedAt  time.Time `json:"requested_at"`
}

type subject struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

func (v envelope) params(at time.Time) json.RawMessage {
	return suites.Encode(sent{
		InvocationID: v.id, CapabilityID: v.capability, Version: v.version, Mode: v.mode,
		Subject: subject{ID: "capconform", Type: "service"}, Correlation: v.correlation, Payload: v.payload, RequestedAt: at.UTC(),
	})
}

// invoke sends an envelope, and sends it again as far as it insists.
func (e *examination) invoke(ctx context.Context, sc *suites.Scenario, v envelope) *attempt {
	a := e.invokeOnce(ctx, sc, v)
	for tries := 1; tries < triesAtMost && a.outcome() == outcomeDenied && a.insistsNow(); tries++ {
		next := e.invokeOnce(ctx, sc, v)
		next.before = append(a.before, a)
		a = next
	}
	return a
}

// withRepeated gives attempts and what they repeat: an attempt that was denied is one, too.
func withRepeated(all []*attempt) []*attempt {
	var each []*attempt
	for _, a := range all {
		each = append(append(each, a.before...), a)
	}
	return each
}

func (a *attempt) insistsNow() bool {
	denial, _ := a.result["denial"].(object)
	return a.insists == expectsToBeDone || a.insists == triesAgain && denial["retryable"] == true
}

// invokeOnce sends an envelope with a fresh invocation id: a host may answer a
// re-used one with the result that it has on record.
func (e *examination) invokeOnce(ctx context.Context, sc *suites.Scenario, v envelope) *attempt {
	if v.id == "" {
		v.id = sender + uuid.NewString()
	}
	a := &attempt{envelope: v, requested: time.Now()}
	if c, ok := v.correlation.(object); ok {
		a.supplied, _ = c["correlation_id"].(string)
	}
	a.answer, a.resent, a.err = e.askAgain(ctx, sc, driver.Operation{Name: opInvoke, Params: v.params(a.requested)})
	if a.err == nil && a.answer.Outcome == driver.Returned {
		a.result = schemas.ReadObject(a.answer.Result)
	}
	return a
}

// try invokes and then replays the evidence by the correlation of the caller, or
// by the one that the host made.
func (e *examination) try(ctx context.Context, sc *suites.Scenario, v envelope) *attempt {
	return e.withEvidence(ctx, sc, e.invoke(ctx, sc, v))
}

func (e *examination) withEvidence(ctx context.Context, sc *suites.Scenario, a *attempt) *attempt {
	id := a.supplied
	if id == "" {
		id = a.resultCorrelation()
	}
	if id == "" || a.err != nil {
		return a
	}
	e.replayUntilSettled(ctx, sc, a, id)
	for _, b := range a.before {
		if b.supplied == id {
			b.replayed, b.sharer = a.replayed, true
			b.replayed.keepTo(b.id)
		}
	}
	a.replayed.keepTo(a.id)
	return a
}

func (a *attempt) resultCorrelation() string {
	c, _ := a.result["correlation"].(object)
	id, _ := c["correlation_id"].(string)
	return id
}

func (a *attempt) outcome() string {
	o, _ := a.result["outcome"].(string)
	return o
}

// processed is true for an answer that is an InvocationResult as far as its
// outcome can be told.
func (a *attempt) processed() bool { return a.result != nil && a.outcome() != "" }

// under is the correlation id of an attempt: the caller's, or the one that the host made.
func (a *attempt) under() string {
	if a.supplied != "" {
		return a.supplied
	}
	return a.resultCorrelation()
}

// ownName is the id that the host gives to the invocation in its result, if it is not the
// envelope's and not that of another envelope of ours. "" if there is none.
func (a *attempt) ownName() string {
	if id, _ := a.result["invocation_id"].(string); !strings.HasPrefix(id, sender) {
		return id
	}
	return ""
}

// owns tells whether an event is of this invocation, under its id or under the host's own.
func (a *attempt) owns(ev event) bool {
	return ev.invocation == a.id || ev.invocation != "" && ev.invocation == a.ownName()
}

// events are those of this invocation, in the order of the replay.
func (a *attempt) events() []event {
	return slices.DeleteFunc(slices.Clone(a.replayed.events), func(ev event) bool { return !a.owns(ev) })
}

// near are the events that are not plainly of somebody else: those that bear this
// invocation or this correlation, or neither. Their members are known.
func (a *attempt) near() []event {
	return slices.DeleteFunc(slices.Clone(a.replayed.events), func(ev event) bool {
		foreign := ev.invocation != "" && ev.correlation != "" && ev.correlation != a.under()
		return ev.raw == nil || !a.owns(ev) && (foreign || a.sharer)
	})
}

// has tells whether an event of this type was replayed for the invocation.
func (a *attempt) has(kind string) bool {
	return slices.ContainsFunc(a.events(), func(ev event) bool { return ev.kind == kind })
}

// replayUntilSettled gives an attempt its replay.
func (e *examination) replayUntilSettled(ctx context.Context, sc *suites.Scenario, a *attempt, correlation string) {
	a.replayed = e.replayUntil(ctx, sc, object{"correlation_id": correlation}, func(r replay) bool {
		return !slices.ContainsFunc(append(a.before, a), func(one *attempt) bool { return !one.settledIn(r) })
	})
}

// settledIn is true for a replay that holds all events which the outcome demands
// and the result names: they may be shown in any order.
func (a *attempt) settledIn(r replay) bool {
	here := *a
	here.replayed = r
	return here.complete() && here.unshown() == ""
}

// complete is true where the events are replayed that the outcome demands.
func (a *attempt) complete() bool {
	end, known := terminalEvents[a.outcome()]
	executed := end == eventCompleted || end == eventFailed
	return !known || a.has(end) && (!executed || a.has(eventStarted))
}

// unshown gives an id among those that the result names which the replay lacks,
// "" if there is none.
func (a *attempt) unshown() string {
	for _, id := range texts(a.result["evidence_ids"]) {
		if !a.replayed.holds(id) {
			return id
		}
	}
	return ""
}

// terminalEvents end an invocation, by its outcome (CHP 8).
var terminalEvents = map[string]string{
	outcomeSuccess: eventCompleted, outcomeFailure: eventFailed, outcomeDenied: eventDenied, outcomeSkipped: eventSkipped,
}

// The core event types (CHP 6).
const (
	eventStarted       = "execution_started"
	eventCompleted     = "execution_completed"
	eventFailed        = "execution_failed"
	eventDenied        = "execution_denied"
	eventSkipped       = "execution_skipped"
	eventIndeterminate = "execution_indeterminate"
)
