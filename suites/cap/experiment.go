package capsuite

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/instance"
)

// Experiments are done once a run, by the first scenario that needs one, and
// judged by every scenario under its own requirement.

// describe asks for one pair.
func (e *examination) describe(ctx context.Context, sc *suites.Scenario, r ref) lookup {
	answer, err := sc.Ask(ctx, driver.Operation{Name: opDescribe, Params: suites.Encode(r)}, e.subject.Deadlines.Call)
	l := lookup{asked: r, answer: answer, err: err}
	if err == nil && answer.Outcome == driver.Returned && len(e.list.answer.Result) <= keptDecoded && len(answer.Result) <= keptDecoded {
		l.kept = readManifest(answer.Result)
	}
	return l
}

// describeListed gives what describe answered for a listed pair.
func (e *examination) describeListed(ctx context.Context, sc *suites.Scenario, c *capability) lookup {
	return c.done().described.Get(ctx, func() (lookup, bool) {
		l := e.describe(ctx, sc, c.ref())
		return l, ctx.Err() == nil
	})
}

// invocation is one call of capability.invoke.
type invocation struct {
	asked ref
	of    *capability
	input json.RawMessage
	fault *instance.Sample
	edge  string
	doubt string
	slow  bool
	once  bool // not repeated where the connection is closed
}

// invokeParams writes what invoke takes. The input is JSON already.
func invokeParams(asked ref, input json.RawMessage) json.RawMessage {
	params := append([]byte(`{"`+memberInvokedInput+`":`), input...)
	params = append(params, `,"`+memberRef+`":`...)
	return append(append(params, suites.Encode(asked)...), '}')
}

func (e *examination) invoke(ctx context.Context, sc *suites.Scenario, i invocation) attempt {
	limit := e.limitOf(i)
	params := invokeParams(i.asked, i.input)
	ask := sc.Ask
	if i.once {
		ask = sc.AskOnce
	}
	begun := time.Now()
	answer, err := ask(ctx, driver.Operation{Name: opInvoke, Params: params}, limit)
	e.notePace(ctx, i, time.Since(begun), err)
	a := attempt{asked: i.asked, of: i.of, input: i.input, fault: i.fault, once: i.once, edge: i.edge, doubt: i.doubt, answer: answer, err: err}
	if err == nil && answer.Outcome == driver.Returned {
		a.result = readResult(answer)
		if refused, ok := errors.AsType[*schemas.DecodeError](a.result.decode); ok && refused.OurLimit() {
			a.err = &driver.CallError{Kind: driver.ErrTooLarge, Detail: refused.Message, Exchange: answer.Exchange}
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, a)
	return a
}

// invokeSound gives what a capability answered to inputs that keep its schema.
func (e *examination) invokeSound(ctx context.Context, sc *suites.Scenario, c *capability) []attempt {
	return c.done().tried.Get(ctx, func() ([]attempt, bool) {
		e.ahead.Begin(e.inputsAhead)
		all := e.invokeFirst(ctx, sc, c)
		if c.done().pace.slow.Load() {
			return all, ctx.Err() == nil
		}
		all = append(all, e.invokeAlternatives(ctx, sc, all)...)
		if n := len(all); n > 0 && all[n-1].succeeded() { // what is remembered may be another thing
			all = append(all, e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: all[n-1].input, doubt: all[n-1].doubt}))
		}
		return all, ctx.Err() == nil
	})
}

// invokeAlternatives goes on with other alternatives of what the schema leaves open, where
// every input was refused or failed, up to the first that is accepted. Over MCP, a refusal
// has the form of a failure.
func (e *examination) invokeAlternatives(ctx context.Context, sc *suites.Scenario, refused []attempt) []attempt {
	mayBeInput := func(a attempt) bool {
		return a.refused() && slices.Contains([]string{codeInvalidInput, codeExecutionFailed}, a.result.code())
	}
	if len(refused) == 0 || slices.ContainsFunc(refused, func(a attempt) bool { return !mayBeInput(a) }) {
		return nil
	}
	c := refused[0].of
	var all []attempt
	for _, input := range e.alternatives(c) {
		a := e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: input.Text, doubt: input.Doubt})
		all = append(all, a)
		if a.succeeded() || a.err != nil {
			break
		}
	}
	return all
}

// invokeEdges gives what a capability answered to inputs that keep its schema
// and are at one of its limits. They are made from the fullest one that it
// accepted.
func (e *examination) invokeEdges(ctx context.Context, sc *suites.Scenario, c *capability) []attempt {
	sound := e.invokeSound(ctx, sc, c)
	return c.done().edged.Get(ctx, func() ([]attempt, bool) {
		var all []attempt
		for _, a := range slices.Backward(sound) {
			if !a.succeeded() || c.compiled().input == nil || c.done().pace.slow.Load() {
				continue
			}
			for _, edge := range e.thinnedEdges(c.input.Edges(e.running, a.input, edgesAtMost)) {
				next := e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: edge.Text, edge: edge.Note, doubt: a.doubt})
				all = append(all, next)
				if next.err != nil {
					break
				}
			}
			break
		}
		return all, ctx.Err() == nil
	})
}

// invokeUnsound gives what a capability answered to inputs that each break one
// keyword. It is asked only after it accepted a sound one: without that control
// a refusal shows nothing. The first that gets no answer at all ends it, and a few
// end it for the source: each costs a deadline or a connection, and a source that
// serves everything else must not be lost over them.
func (e *examination) invokeUnsound(ctx context.Context, sc *suites.Scenario, c *capability) []attempt {
	sound := e.invokeSound(ctx, sc, c)
	if _, ok := firstSuccess(sound); !ok || c.done().pace.slow.Load() {
		return nil
	}
	return c.done().broken.Get(ctx, func() ([]attempt, bool) {
		var all []attempt
		if e.silences() >= silencesAtMost {
			return nil, ctx.Err() == nil
		}
		for _, fault := range e.faultsOf(c, sound) {
			a := e.invoke(ctx, sc, invocation{asked: c.ref(), of: c, input: fault.Text, fault: &fault})
			all = append(all, a)
			if a.err != nil {
				break // a source that gives no answer once gives none the next time
			}
		}
		return all, ctx.Err() == nil
	})
}

// invokeRole invokes the capability of a role with one sound input.
func (e *examination) invokeRole(ctx context.Context, sc *suites.Scenario, role string) (attempt, error) {
	p := e.players[role]
	inputs := e.soundInputs(p.capability)
	if len(inputs) == 0 {
		return attempt{}, &suites.Inconclusive{
			Reason: "no sound input can be made for " + p.id,
			Supply: "give one in the target file: roles: {cap: {" + role + ": {capability: " + p.id + ", input: {...}}}}",
		}
	}
	input := p.working(inputs[0])
	return e.invoke(ctx, sc, invocation{asked: p.ref(), of: p.capability, input: input.Text, doubt: input.Doubt, slow: role == roleSlow}), nil
}

// working gives an input that the capability accepted before, or else the given one.
func (c *capability) working(made instance.Sample) instance.Sample {
	tried := c.done().tried.Kept()
	if a, ok := firstSuccess(tried); ok && tried[0].refused() {
		return instance.Sample{Text: a.input, Doubt: a.doubt}
	}
	return made
}

// silences counts the unsound inputs that got no answer so far.
func (e *examination) silences() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, a := range e.seen {
		if a.fault != nil && a.err != nil {
			n++
		}
	}
	return n
}

func firstSuccess(all []attempt) (attempt, bool) {
	for _, a := range all {
		if a.succeeded() {
			return a, true
		}
	}
	return attempt{}, false
}

// working gives one success of an ordinary capability: the positive control of
// the source as a whole.
func (e *examination) working(ctx context.Context, sc *suites.Scenario) (attempt, error) {
	if e.list.empty() {
		return attempt{}, suites.Undecided("no capability is listed")
	}
	for _, c := range e.pool {
		if a, ok := firstSuccess(e.invokeSound(ctx, sc, c)); ok {
			sc.Cite(a.answer, a.err)
			return a, nil
		}
	}
	return attempt{}, &suites.Inconclusive{
		Reason: "no capability came back ok on a sound input",
		Supply: "name one with an input that works in the target file: roles: {cap: {echo: {capability: ID, input: {...}}}}",
	}
}

func decoded(raw json.RawMessage) any {
	value, err := schemas.Decode(raw, schemas.Limits{})
	if err != nil {
		return nil // only what we encoded ourselves comes here
	}
	return value
}

func invalidity(err error) (*schemas.Invalidity, bool) {
	var found *schemas.Invalidity
	ok := errors.As(err, &found)
	return found, ok
}
