package chpsuite

import (
	"context"
	"encoding/json"
	"slices"
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
	kind        string // how the attempt is named in messages
	capability  string
	version     string // left out where empty
	mode        string
	payload     any
	correlation any    // as sent; nil: the member is left out
	id          string // invocation_id, made where empty
	insists     insistence
}

// insistence says when an envelope that is denied is sent again: a host may deny
// by rules of its own, because it has too much to do for instance.
type insistence int

const (
	takesRefusals   insistence = iota // a denial is what is asked for
	triesAgain                        // after a denial that says that this makes sense
	expectsToBeDone                   // after any denial: what plays the role is known to be executed
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
	shown     bool // an earlier replay held events of it
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
		a = e.invokeOnce(ctx, sc, v)
	}
	return a
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
	a.answer, a.err = sc.Ask(ctx, driver.Operation{Name: opInvoke, Params: v.params(a.requested)}, e.subject.Deadlines.Call)
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
	if id != "" && a.err == nil {
		e.replayUntilSettled(ctx, sc, a, id)
		a.replayed.keepTo(a.id)
	}
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

// events are those of this invocation, in the order of the replay.
func (a *attempt) events() []event {
	return slices.DeleteFunc(slices.Clone(a.replayed.events), func(ev event) bool { return ev.invocation != a.id })
}

// near are the events that are not plainly of somebody else: those that bear this
// invocation or this correlation, or neither. Their members are known.
func (a *attempt) near() []event {
	return slices.DeleteFunc(slices.Clone(a.replayed.events), func(ev event) bool {
		return ev.raw == nil || ev.invocation != "" && ev.invocation != a.id && ev.correlation != "" && ev.correlation != a.supplied
	})
}

// has tells whether an event of this type was replayed for the invocation.
func (a *attempt) has(kind string) bool {
	return slices.ContainsFunc(a.events(), func(ev event) bool { return ev.kind == kind })
}

// replay is one answer to chp.replay.
type replay struct {
	query  object
	answer driver.Answer
	err    error
	result object // without its events
	events []event
	large  bool   // see read
	page   int    // how many events came at once; those of others may not all be kept
	odd    string // an element of events that is no object, "" if there is none
	broken error  // why events could not be read
}

// arrived is true for a replay that was asked for and came back as a result. One
// that brought no answer shows nothing of what a host keeps.
func (r replay) arrived() bool {
	return r.query != nil && r.err == nil && r.answer.Outcome == driver.Returned
}

// event is one ExecutionEvidence. Its members are decoded when they are asked
// for, where there are many of it: a replay may hold 100,000.
type event struct {
	raw         json.RawMessage // nil where it was let go: see replay.read
	kept        object          // the members, where there are few
	id          string
	kind        string // event_type
	invocation  string
	correlation string
	sequence    json.Number
}

func (ev event) members() object {
	if ev.kept != nil {
		return ev.kept
	}
	return schemas.ReadObject(ev.raw)
}

// readEvent takes an event and its members.
func readEvent(raw json.RawMessage, m object) event {
	ev := event{raw: raw}
	ev.id, _ = m["event_id"].(string)
	ev.kind, _ = m["event_type"].(string)
	ev.invocation, _ = m["invocation_id"].(string)
	c, _ := m["correlation"].(object)
	ev.correlation, _ = c["correlation_id"].(string)
	ev.sequence, _ = m["sequence"].(json.Number)
	return ev
}

// replay asks for evidence; the second route of the HTTP binding stands in where
// the first is not there. No other binding has one.
func (e *examination) replay(ctx context.Context, sc *suites.Scenario, query object) replay {
	r := e.wholeReplay(ctx, sc, query)
	if r.err == nil && r.answer.Outcome == driver.NotProvided && len(query) == 1 && e.session.Info().Bodies {
		if other := e.replayBy(ctx, sc, opReplayByPath, query); other.err == nil && other.answer.Outcome != driver.NotProvided {
			return other
		}
	}
	return r
}

// pagesAtMost guards against a host whose replays are cut for ever.
const pagesAtMost = 1000

// wholeReplay reads on where a host says that it cut a replay.
func (e *examination) wholeReplay(ctx context.Context, sc *suites.Scenario, query object) replay {
	r := e.replayBy(ctx, sc, opReplay, query)
	known := map[string]bool{}
	if r.result["truncated"] == true {
		known = idsOf(r.events)
	}
	page := r
	for range pagesAtMost {
		last := page.events
		if page.result["truncated"] != true || len(query) != 1 || len(last) == 0 {
			break
		}
		page = e.replayBy(ctx, sc, opReplay, object{"correlation_id": query["correlation_id"], "since_sequence": plainly(last[len(last)-1].sequence)})
		came := false
		for _, ev := range page.events {
			if !known[ev.id] {
				known[ev.id], came = true, true
				r.events = append(r.events, ev)
			}
		}
		if !came {
			break
		}
	}
	return r
}

func (e *examination) replayBy(ctx context.Context, sc *suites.Scenario, op string, query object) replay {
	r := replay{query: query}
	r.answer, r.err = sc.Ask(ctx, driver.Operation{Name: op, Params: suites.Encode(query), List: true}, e.subject.Deadlines.Call)
	if !r.arrived() {
		return r
	}
	r.read(schemas.Limits{Size: int(e.subject.Limits.Message)})
	return r
}

// The wait for evidence that a host writes behind its answer: short, and once a
// run for all attempts together.
const (
	settleAtMost = 500 * time.Millisecond
	settlePoll   = 25 * time.Millisecond
)

// replayUntil repeats a replay until it shows enough: the text does not say that
// evidence is written before the answer, nor that every replay is as new as the last.
func (e *examination) replayUntil(ctx context.Context, sc *suites.Scenario, query object, enough func(replay) bool) replay {
	var waited time.Duration
	for {
		r := e.replay(ctx, sc, query)
		if enough(r) {
			e.patience(-waited) // only evidence that never comes uses it up
			return r
		}
		if r.err != nil || !e.patience(settlePoll) {
			return r
		}
		waited += settlePoll
		select {
		case <-ctx.Done():
			return r
		case <-time.After(settlePoll):
		}
	}
}

// replayUntilSettled gives an attempt its replay.
func (e *examination) replayUntilSettled(ctx context.Context, sc *suites.Scenario, a *attempt, correlation string) {
	a.replayed = e.replayUntil(ctx, sc, object{"correlation_id": correlation}, a.settledIn)
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

// holds tells whether an event is among those replayed.
func (r replay) holds(id string) bool {
	return slices.ContainsFunc(r.events, func(ev event) bool { return ev.id == id })
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
