package chpsuite

import (
	"context"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/instance"
)

// experiments are done once a run, by the first scenario that needs one, and
// judged by every scenario under its own requirement.
type experiments struct {
	successes, failures, unknown, unsupported, guarded, disabled, observed suites.Memo[[]*attempt]
	generated, contexts, echoed, together, used, sharing, unsound          suites.Memo[[]*attempt]
	stranger                                                               suites.Memo[replay]

	mu     sync.Mutex
	waited time.Duration
}

// patience spends the time that a run may wait for late evidence: no longer than
// for an answer.
func (e *examination) patience(step time.Duration) bool {
	e.done.mu.Lock()
	defer e.done.mu.Unlock()
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

// of makes an envelope for a listed capability.
func of(kind string, c *capability, payload any) envelope {
	return envelope{kind: kind, capability: c.id, version: c.version, mode: modeSync, payload: payload, correlation: caller(), insists: triesAgain}
}

// succeeding invokes the ordinary capabilities with payloads that they take.
func (e *examination) succeeding(ctx context.Context, sc *suites.Scenario) []*attempt {
	all := e.group(ctx, sc, &e.done.successes, func() []envelope {
		var all []envelope
		for _, c := range e.pool {
			for _, payload := range e.payloads(c) {
				all = append(all, of("an invocation", c, payload))
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
			payloads = append(payloads, object{"value": "capconform ü 漢字" + strings.Repeat(" and on", 40)})
		}
		var all []envelope
		for _, payload := range payloads {
			v := of("an invocation of the role "+role, p.Capability, payload)
			if role != roleGuarded && role != roleDisabled {
				v.insists = expectsToBeDone
			}
			all = append(all, v)
		}
		return all
	})
}

// refusing invokes what every host can be asked for and must refuse: a capability
// that nobody has, and a mode that a capability does not declare. Each is asked
// twice, so that the code can be compared.
func (e *examination) refusing(ctx context.Context, sc *suites.Scenario) []*attempt {
	return slices.Concat(e.unknownOnes(ctx, sc), e.unsupportedModes(ctx, sc), e.unsoundOnes(ctx, sc))
}

// unsoundOnes has one payload that breaks its input schema. Most hosts deny it, by
// other means than they deny the rest.
func (e *examination) unsoundOnes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.group(ctx, sc, &e.done.unsound, func() []envelope {
		for _, a := range e.succeeding(ctx, sc) {
			i := e.pooled(a)
			if a.outcome() != outcomeSuccess || i < 0 || e.pool[i].input == nil {
				continue
			}
			for _, fault := range e.pool[i].input.Unsound(suites.Encode(a.payload), instance.Options{Seed: e.subject.Seed, Limit: 1}) {
				v := of("an invocation whose payload breaks the input schema", e.pool[i], fault.Text)
				v.insists = takesRefusals
				return []envelope{v}
			}
		}
		return nil
	})
}

// pooled finds the capability of an attempt.
func (e *examination) pooled(a *attempt) int {
	return slices.IndexFunc(e.pool, func(c *capability) bool { return c.id == a.capability && c.version == a.version })
}

func (e *examination) unknownOnes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.group(ctx, sc, &e.done.unknown, func() []envelope {
		id := "capconform.unknown." + uuid.NewString()[:8]
		v := envelope{kind: "an invocation of an unknown capability", capability: id, mode: modeSync, payload: object{}}
		all := twice(v)
		if len(e.pool) > 0 { // one that begins like a known one
			v.correlation, v.capability = caller(), e.pool[0].id+"."+sender+uuid.NewString()[:8]
			if payloads := e.payloads(e.pool[0]); len(payloads) > 0 {
				v.payload = payloads[0]
			}
			all = append(all, v)
		}
		return all
	})
}

// modesListed are the modes of the protocol; a nonsense word would test less.
var modesListed = []string{"async", "fire_and_forget", "stream"}

// unsupportedModes asks a capability that succeeds in sync. One that was switched
// off meanwhile need not look at the mode any more, so that another is asked then.
func (e *examination) unsupportedModes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.done.unsupported.Get(ctx, func() ([]*attempt, bool) {
		for _, v := range e.foreignModes(ctx, sc) {
			var all []*attempt
			for _, asked := range twice(v) {
				all = append(all, e.try(ctx, sc, asked))
			}
			for _, asked := range e.inOtherModes(v) {
				all = append(all, e.invoke(ctx, sc, asked))
			}
			denied := !slices.ContainsFunc(all, func(a *attempt) bool { return a.outcome() != outcomeDenied })
			inSync := v
			inSync.mode, inSync.insists = modeSync, triesAgain
			if denied || lost(all) != nil || e.serves(ctx, sc, inSync) {
				return all, ctx.Err() == nil
			}
		}
		return nil, ctx.Err() == nil
	})
}

// foreignModes makes envelopes in a mode that their capability does not list, of
// those that succeed in sync before others.
func (e *examination) foreignModes(ctx context.Context, sc *suites.Scenario) []envelope {
	var all []envelope
	add := func(c *capability, payload any) {
		i := slices.IndexFunc(modesListed, func(mode string) bool { return !slices.Contains(c.modes, mode) })
		if i < 0 || len(all) == candidatesAtMost {
			return
		}
		v := of("an invocation in an unsupported mode", c, payload)
		v.mode, v.insists = modesListed[i], takesRefusals
		all = append(all, v)
	}
	for _, a := range e.succeeding(ctx, sc) {
		i := e.pooled(a)
		if a.outcome() == outcomeSuccess && i >= 0 && !slices.ContainsFunc(all, func(v envelope) bool { return v.capability == a.capability }) {
			add(e.pool[i], a.payload)
		}
	}
	for _, c := range e.pool {
		if payloads := e.payloads(c); len(all) == 0 && len(payloads) > 0 {
			add(c, payloads[0])
		}
	}
	return all
}

// inOtherModes asks the same capability in each further mode that it does not list.
func (e *examination) inOtherModes(v envelope) []envelope {
	var all []envelope
	i := e.pooled(&attempt{envelope: v})
	for _, mode := range modesListed {
		if i >= 0 && mode != v.mode && !slices.Contains(e.pool[i].modes, mode) {
			other := v
			other.mode, other.correlation = mode, caller()
			all = append(all, other)
		}
	}
	return all
}

func twice(v envelope) []envelope {
	first, second := v, v
	first.correlation, second.correlation = caller(), caller()
	return []envelope{first, second}
}

// everything is every attempt that the subject can be asked for.
func (e *examination) everything(ctx context.Context, sc *suites.Scenario) []*attempt {
	all := slices.Clone(e.succeeding(ctx, sc))
	for _, role := range []string{roleFails, roleGuarded, roleDisabled, roleObserve} {
		all = append(all, e.inRole(ctx, sc, role)...)
	}
	return append(all, e.refusing(ctx, sc)...)
}

// candidatesAtMost bounds how many capabilities an experiment is tried with.
const candidatesAtMost = 3

// succeeded gives envelopes that came back with success, one a capability, for
// experiments about what surrounds an invocation.
func (e *examination) succeeded(ctx context.Context, sc *suites.Scenario) ([]envelope, error) {
	var all []envelope
	for _, a := range e.succeeding(ctx, sc) {
		known := slices.ContainsFunc(all, func(v envelope) bool { return v.capability == a.capability && v.version == a.version })
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

// surrounding keeps what such an experiment brought for the run.
func (e *examination) surrounding(ctx context.Context, sc *suites.Scenario, memo *suites.Memo[[]*attempt], make func(v envelope) []envelope) ([]*attempt, error) {
	return e.keptOnce(ctx, memo, func() ([]*attempt, error) { return e.aroundOne(ctx, sc, make) })
}

// withoutCorrelation leaves the correlation to the host: the member absent, and
// empty. Each form is sent twice.
func (e *examination) withoutCorrelation(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.surrounding(ctx, sc, &e.done.generated, func(v envelope) []envelope {
		absent, empty := v, v
		absent.correlation, empty.correlation = nil, object{}
		absent.kind, empty.kind = "an invocation without correlation", "an invocation with an empty correlation"
		return []envelope{absent, absent, empty, empty}
	})
}

// unusual are correlation ids that are valid and easily mangled.
func unusual() []string {
	id := uuid.NewString()
	long := ""
	for len(long) < 240 {
		long += "long-"
	}
	return []string{
		"capconform/" + id + "/with/slashes", "capconform ü " + id, "CapConform-" + id + "-UPPER", long + id, "capconform%2F" + id, "capconform?" + id + "&x=1#y",
		" capconform " + id + " ", `capconform+"` + id + `"\'`, new(big.Int).SetBytes([]byte(id[:18])).String(),
	}
}

// withContexts sends correlations whose ids are unusual, and one whose every
// member is filled.
func (e *examination) withContexts(ctx context.Context, sc *suites.Scenario) ([]*attempt, error) {
	return e.surrounding(ctx, sc, &e.done.contexts, func(v envelope) []envelope {
		full := v
		full.kind = "an invocation with a full correlation"
		full.correlation = object{
			"correlation_id": "capconform-" + uuid.NewString(), "causation_id": "capconform-cause-" + uuid.NewString()[:8],
			"parent_correlation_id": "capconform-parent-" + uuid.NewString()[:8], "trace_id": uuid.NewString(), "baggage": object{"capconform": "kept"},
		}
		all := []envelope{full}
		for _, id := range unusual() {
			odd := v
			odd.kind, odd.correlation = "an invocation with an unusual correlation id", object{"correlation_id": id}
			all = append(all, odd)
		}
		return all
	})
}
