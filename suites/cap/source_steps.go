package capsuite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var sourceSentences = []sentence{
	say(`a capability is listed, described and invoked`, func(w *world) any { return w.useAllOperations }),
	say(`each of the three operations gives what the text says`, func(w *world) any { return w.operationsProvided }),
	say(`a capability is invoked by a reference of its id and version alone`, func(w *world) any { return w.invokeAllSound }),
	say(`it takes the reference`, func(w *world) any { return w.takesReference }),
	say(`some input that breaks a keyword is refused`, func(w *world) any { return w.someUnsoundRefused }),
	say(`no handler ran for them`, func(w *world) any { return w.noHandlerRan }),
	say(`nothing of the transport shows in a manifest or a result`, func(w *world) any { return w.nothingLeaks }),
}

// useAllOperations needs no step of its own: list, describe and invoke are asked
// by operationsProvided, each with what the one before it gave.
func (w *world) useAllOperations(ctx context.Context) error {
	if w.list.err != nil {
		return w.list.err
	}
	w.sc.Cite(w.list.answer, nil)
	known := ref{"capconform-nothing", "1.0.0"}
	if len(w.list.capabilities) > 0 {
		known = w.list.capabilities[0].ref()
	}
	w.lookups = []lookup{w.describe(ctx, w.sc, known)}
	w.sc.Cite(w.lookups[0].answer, w.lookups[0].err)
	w.attempts = slices.Clone(w.invokeStrangers(ctx, w.sc)[:1])
	w.sc.Cite(w.attempts[0].answer, w.attempts[0].err)
	for _, c := range w.pool[:min(len(w.pool), 1)] {
		w.attempts = append(w.attempts, w.invokeSound(ctx, w.sc, c)...)
	}
	return lost(w.attempts)
}

func (w *world) operationsProvided(ctx context.Context) error {
	absent := func(op string, a driver.Answer) error {
		return suites.Violated(op+" is not provided", "the operation "+op, suites.Received(a, nil))
	}
	describe, invoke := w.lookups[0], w.attempts[0]
	switch {
	case w.list.answer.Outcome == driver.NotProvided:
		return absent(opList, w.list.answer)
	case describe.err == nil && describe.answer.Outcome == driver.NotProvided:
		return absent(opDescribe, describe.answer)
	case invoke.err == nil && invoke.answer.Outcome == driver.NotProvided:
		return absent(opInvoke, invoke.answer)
	}
	if err := w.needList(); err != nil {
		return err
	}
	if err := w.describesSomething(ctx); err != nil {
		return err
	}
	if !slices.ContainsFunc(w.attempts, attempt.judged) {
		return suites.Undecided("no invocation was answered with an InvokeResult: see CAP-INV-01")
	}
	return nil
}

// takesReference is CAP-REF-01: the references of the list, two members and
// nothing else, designate what they are listed with.
func (w *world) takesReference(ctx context.Context) error {
	for _, a := range w.attempts {
		unknown := a.refused() && a.result.code() == codeNotFound
		if a.of.kind == kindSkill || (!unknown && a.answer.Outcome != driver.Refused) {
			continue // a skill that can't be invoked is CAP-GRAN-04's
		}
		// It may have gone since it was listed, and what is refused in another way
		// is CAP-INV-01's as long as references work elsewhere.
		_, works := firstSuccess(w.attempts)
		if _, known := w.describe(ctx, w.sc, a.asked).own(); known && (unknown || !works) {
			return w.violation("a listed capability is not found by its reference", "an invocation of "+a.asked.String()+" by capability_id and version", a.answer, nil)
		}
	}
	_, err := w.working(ctx, w.sc)
	return err
}

// someUnsoundRefused is the control of requirements on sound inputs: the source
// does validate.
func (w *world) someUnsoundRefused(ctx context.Context) error {
	for _, c := range w.pool {
		for _, a := range w.invokeUnsound(ctx, w.sc, c) {
			if a.turnedDown() {
				w.sc.Cite(a.answer, a.err)
				return nil
			}
		}
	}
	return suites.Undecided("no unsound input was refused, so the source shows no validation: see CAP-INV-02")
}

// executions reads the counter.
func (w *world) executions(ctx context.Context) (int64, error) {
	a, err := w.examination.invokeRole(ctx, w.sc, roleCounter)
	if err != nil {
		return 0, err
	}
	output, _ := a.result.output().(map[string]any)
	n, isNumber := output["executions"].(json.Number)
	count, err := n.Float64() // 3.0 and 3e0 are 3 as well
	if !a.succeeded() || !isNumber || err != nil || count != math.Trunc(count) {
		return 0, suites.Undecided("the role counter gives no number of executions: %s", a.received())
	}
	return int64(count), nil
}

// sample takes a few refusals of each capability that is still there: one that
// was exchanged since executes nothing, whatever it is asked.
func (w *world) sample() []attempt {
	const each, inAll = 2, 12
	taken := map[ref]int{}
	var some []attempt
	for _, a := range w.attempts {
		if a.refused() && a.result.code() == codeInvalidInput && taken[a.asked] < each && !w.wasExchanged(a.asked) && (taken[a.asked] == 0 || len(some) < inAll) {
			taken[a.asked]++
			some = append(some, a)
		}
	}
	return some
}

// noHandlerRan counts the executions for unsound inputs. Others may use the source
// meanwhile, so that a count is believed only where it is found again, in rounds that
// nobody else was in.
func (w *world) noHandlerRan(ctx context.Context) error {
	w.attempts = w.sample()
	if len(w.attempts) == 0 {
		return w.nothingRefused()
	}
	const rounds, enough = 4, 2
	var open error
	found, ran := 0, int64(0)
	for range rounds {
		n, err := w.runsForUnsound(ctx, found > 0)
		if _, unclear := errors.AsType[*suites.Inconclusive](err); err != nil && !unclear {
			return err
		}
		switch {
		case err != nil:
			open = err
		case n == 0:
			return nil
		default:
			found, ran = found+1, n
		}
		if found > enough {
			return suites.Violated("a handler runs for an input that fails validation", "no execution for unsound inputs", fmt.Sprintf("%d executions for %d unsound inputs", ran, len(w.attempts)))
		}
	}
	return open
}

// runsForUnsound repeats the unsound inputs between two readings of the counter.
// What a reading itself adds is measured first, a sound input is the control. With
// quiet, it also waits as many calls without running anything.
func (w *world) runsForUnsound(ctx context.Context, quiet bool) (int64, error) {
	accepted := int64(0) // what is not refused as INVALID_INPUT is judged by itself
	between := []func(){
		func() {},
		func() {
			for range w.attempts {
				if quiet {
					w.describe(ctx, w.sc, w.attempts[0].asked)
				}
			}
		},
		func() {
			for _, a := range w.attempts {
				again := w.invoke(ctx, w.sc, invocation{asked: a.asked, of: a.of, input: a.input, fault: a.fault})
				if again.result.code() != codeInvalidInput {
					accepted++
				}
			}
		},
		func() {
			if control, ok := firstSuccess(w.attempts[0].of.done().tried.Kept()); ok {
				w.invoke(ctx, w.sc, invocation{asked: control.asked, of: control.of, input: control.input})
			}
		},
	}
	added := make([]int64, len(between))
	last, err := w.executions(ctx)
	for i := 0; i < len(between) && err == nil; i++ {
		between[i]()
		before := last
		last, err = w.executions(ctx)
		added[i] = last - before
	}
	if err != nil {
		return 0, err
	}
	reading := added[0]
	if added[1] != reading || added[3] != reading+1 {
		return 0, suites.Undecided("the counter does not count a sound invocation as one, or others use the source meanwhile")
	}
	return max(0, added[2]-reading-accepted), nil
}
