package chpsuite

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/capconform/capconform/suites"
)

// experiments are done once a run, by the first scenario that needs one, and
// judged by every scenario under its own requirement.
type experiments struct {
	successes, failures, unknown, unsupported, guarded, disabled, observed, restricted suites.Memo[[]*attempt]
	generated, contexts, echoed, together, used, sharing, alike, unsound, large        suites.Memo[[]*attempt]
	marked                                                                             suites.Memo[markedOnes]
	stranger                                                                           suites.Memo[replay]
	combined                                                                           suites.Memo[[]replay]
	often                                                                              suites.Memo[looks]

	mu     sync.Mutex
	full   map[string]replay // by correlation: see withPayloads
	wait   sync.Mutex
	waited time.Duration
}

// patience spends the time that a run may wait for late evidence: no longer than
// for an answer.
func (e *examination) patience(step time.Duration) bool {
	e.done.wait.Lock()
	defer e.done.wait.Unlock()
	e.done.waited += step
	return e.done.waited <= min(settleAtMost, e.subject.Deadlines.Call)
}

// group does one experiment: each envelope is sent with a correlation of its own.
func (e *examination) group(ctx context.Context, sc *suites.Scenario, memo *suites.Memo[[]*attempt], make func() []envelope) []*attempt {
	return memo.Get(ctx, func() ([]*attempt, bool) {
		var all []*attempt
		for _, v := range make() {
			all = append(all, e.try(ctx, sc, v))
		}
		return all, ctx.Err() == nil
	})
}

// of makes an envelope for a declared capability. It names a version where there are several to
// choose from: the text asks for seven members, and the version is none of them.
func (e *examination) of(kind string, c *capability, payload any) envelope {
	v := envelope{kind: kind, of: c, capability: c.id, mode: modeSync, payload: payload, correlation: caller(), insists: triesAgain}
	if slices.ContainsFunc(e.capabilities, func(other *capability) bool { return other.id == c.id && other.version != c.version }) {
		v.version = c.version
	}
	return v
}

// succeeding invokes the ordinary capabilities with payloads that they take.
func (e *examination) succeeding(ctx context.Context, sc *suites.Scenario) []*attempt {
	all := e.group(ctx, sc, &e.done.successes, func() []envelope {
		var all []envelope
		for _, c := range e.pool {
			for _, payload := range e.payloads(c) {
				all = append(all, e.of("an invocation", c, payload))
			}
		}
		return all
	})
	e.ahead.Begin(e.unsoundAhead(all))
	return all
}

// inRole invokes the capability of a role.
func (e *examination) inRole(ctx context.Context, sc *suites.Scenario, role string) []*attempt {
	memo := map[string]*suites.Memo[[]*attempt]{
		roleEcho: &e.done.echoed, roleFails: &e.done.failures, roleGuarded: &e.done.guarded, roleDisabled: &e.done.disabled, roleObserve: &e.done.observed,
		roleRestricted: &e.done.restricted,
	}[role]
	p, cast := e.players[role]
	if !cast || memo == nil || e.reasonAgainst(p.Capability) != "" {
		return nil
	}
	return e.group(ctx, sc, memo, func() []envelope {
		payloads := e.payloads(p.Capability)
		switch {
		case role == roleGuarded && p.Input == nil:
			payloads = []any{object{}, object{}} // twice, so that the code can be compared
		case role == roleEcho && p.Input == nil:
			payloads = append(payloads, object{"value": longText()})
		}
		var all []envelope
		for _, payload := range payloads {
			v := e.of("an invocation of the role "+role, p.Capability, payload)
			v.role = role
			if role != roleGuarded && role != roleDisabled && role != roleRestricted {
				v.insists = expectsToBeDone
			}
			all = append(all, v)
		}
		return all
	})
}

// everything is every attempt that the subject can be asked for.
func (e *examination) everything(ctx context.Context, sc *suites.Scenario) []*attempt {
	all := slices.Clone(e.succeeding(ctx, sc))
	for _, role := range []string{roleEcho, roleFails, roleGuarded, roleDisabled, roleObserve, roleRestricted} {
		all = append(all, e.inRole(ctx, sc, role)...)
	}
	all = append(all, e.refusing(ctx, sc)...)
	for _, experiment := range []func(context.Context, *suites.Scenario) ([]*attempt, error){
		e.withoutCorrelation, e.withContexts, e.usedAgain, e.withOthers, e.sharing, e.sideBySide,
	} {
		some, err := experiment(ctx, sc)
		if err != nil {
			continue // the scenarios that an experiment is made for say why it could not be made
		}
		all = append(all, some...)
	}
	all = append(all, e.withLongPayloads(ctx, sc)...)
	all = append(all, e.further(ctx, sc)...)
	return withRepeated(append(all, e.withMarks(ctx, sc).attempts...))
}

// candidatesAtMost bounds how many capabilities an experiment is tried with.
const candidatesAtMost = 3

// succeeded gives envelopes that came back with success, one a capability, for
// experiments about what surrounds an invocation.
func (e *examination) succeeded(ctx context.Context, sc *suites.Scenario) ([]envelope, error) {
	var all []envelope
	for _, a := range e.succeeding(ctx, sc) {
		known := slices.ContainsFunc(all, func(v envelope) bool { return v.of == a.of })
		if a.outcome() == outcomeSuccess && !known && len(all) < candidatesAtMost {
			v := a.envelope
			v.id = ""
			all = append(all, v)
		}
	}
	if len(all) > 0 {
		return all, nil
	}
	return nil, &suites.Inconclusive{
		Reason: "no capability came back with success",
		Supply: "name one with an input that works in the target file: roles: {chp: {echo: {capability: ID, input: {...}}}}",
	}
}

// simplest is the first of them.
func (e *examination) simplest(ctx context.Context, sc *suites.Scenario) (envelope, error) {
	all, err := e.succeeded(ctx, sc)
	if err != nil {
		return envelope{}, err
	}
	return all[0], nil
}

// serves tells whether an envelope is answered with success now.
func (e *examination) serves(ctx context.Context, sc *suites.Scenario, v envelope) bool {
	v.correlation = caller()
	return e.invoke(ctx, sc, v).outcome() == outcomeSuccess
}

// withOne does an experiment with an envelope that succeeds. A capability that was
// taken away or switched off meanwhile shows nothing, and another stands in for it.
func (e *examination) withOne(ctx context.Context, sc *suites.Scenario, do func(v envelope) []*attempt) ([]*attempt, error) {
	candidates, err := e.succeeded(ctx, sc)
	if err != nil {
		return nil, err
	}
	for _, v := range candidates {
		all := do(v)
		well := successes(all)
		switch {
		case well == len(all) || lost(all) != nil:
			return all, nil
		case !e.serves(ctx, sc, v):
			continue
		case well == 0: // it may have been away just then
			all = do(v)
		}
		return all, nil
	}
	return nil, suites.Undecided("no capability that succeeded goes on doing so")
}

func successes(all []*attempt) int {
	n := 0
	for _, a := range all {
		if a.outcome() == outcomeSuccess {
			n++
		}
	}
	return n
}

// aroundOne is withOne for envelopes that are each sent and replayed.
func (e *examination) aroundOne(ctx context.Context, sc *suites.Scenario, make func(v envelope) []envelope) ([]*attempt, error) {
	return e.withOne(ctx, sc, func(v envelope) []*attempt {
		var all []*attempt
		for _, made := range make(v) {
			all = append(all, e.try(ctx, sc, made))
		}
		return all
	})
}
