package chpsuite

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/instance"
)

// refusing invokes what every host can be asked for and most hosts refuse: a capability that nobody
// has, a mode that a capability does not declare, and a payload that breaks an input schema.
func (e *examination) refusing(ctx context.Context, sc *suites.Scenario) []*attempt {
	return slices.Concat(e.unknownOnes(ctx, sc), e.unsupportedModes(ctx, sc), e.unsoundOnes(ctx, sc))
}

// unsoundEach bounds how many payloads that break its input schema a capability gets.
const unsoundEach = 6

// unsoundOnes have payloads that each break one keyword of an input schema, after one that the
// capability took. The evidence is fetched for each outcome of a capability that was not seen before.
func (e *examination) unsoundOnes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.done.unsound.Get(ctx, func() ([]*attempt, bool) {
		succeeding := e.succeeding(ctx, sc)
		var all []*attempt
		for _, c := range e.pool {
			seen := map[string]bool{outcomeSuccess: true}
			for _, fault := range e.unsound(c, succeeding) {
				v := e.of("an invocation whose payload has "+fault.Note, c, fault.Text)
				v.insists = takesRefusals
				a := e.invoke(ctx, sc, v)
				if !seen[a.outcome()] {
					e.withEvidence(ctx, sc, a)
				}
				seen[a.outcome()] = true
				all = append(all, a)
			}
		}
		return all, ctx.Err() == nil
	})
}

// unsound makes payloads that each break one keyword from one that the capability took.
func (e *examination) unsound(c *capability, succeeding []*attempt) []instance.Sample {
	i := slices.IndexFunc(succeeding, func(a *attempt) bool { return a.of == c && a.outcome() == outcomeSuccess })
	if c.input == nil || i < 0 {
		return nil
	}
	return c.input.Unsound(e.running, suites.Encode(succeeding[i].payload), instance.Options{Seed: e.subject.Seed, Limit: unsoundEach})
}

// unknownOnes ask twice for a capability that nobody has, so that the code can be compared, and
// once for one whose id begins like that of a known one.
func (e *examination) unknownOnes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.group(ctx, sc, &e.done.unknown, func() []envelope {
		id := "capconform.unknown." + uuid.NewString()[:8]
		v := envelope{kind: "an invocation of an unknown capability", capability: id, mode: modeSync, payload: object{}}
		all := twice(v)
		if len(e.pool) > 0 {
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

// modesOf is how many capabilities are asked in each mode that they do not list.
const modesOf = 2

// unsupportedModes asks two capabilities that succeed in sync in each mode that they do not list,
// and for one mode twice, so that the code can be compared. One that was switched off meanwhile
// need not look at the mode any more, so that it shows nothing.
func (e *examination) unsupportedModes(ctx context.Context, sc *suites.Scenario) []*attempt {
	return e.done.unsupported.Get(ctx, func() ([]*attempt, bool) {
		var all []*attempt
		asked := 0
		for _, v := range e.foreignModes(ctx, sc) {
			if asked == modesOf {
				break
			}
			var these []*attempt
			for _, other := range append(twice(v)[asked:], e.inOtherModes(v)...) {
				these = append(these, e.try(ctx, sc, other))
			}
			denied := !slices.ContainsFunc(these, func(a *attempt) bool { return a.outcome() != outcomeDenied })
			inSync := v
			inSync.mode, inSync.insists = modeSync, triesAgain
			if denied || lost(these) != nil || e.serves(ctx, sc, inSync) {
				all = append(all, these...)
				asked++
			}
		}
		return all, ctx.Err() == nil
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
		v := e.of("an invocation in an unsupported mode", c, payload)
		v.mode, v.insists = modesListed[i], takesRefusals
		all = append(all, v)
	}
	for _, a := range e.succeeding(ctx, sc) {
		if a.outcome() == outcomeSuccess && !slices.ContainsFunc(all, func(v envelope) bool { return v.of == a.of }) {
			add(a.of, a.payload)
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
	for _, mode := range modesListed {
		if mode != v.mode && !slices.Contains(v.of.modes, mode) {
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
