package capsuite

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var errorSentences = []sentence{
	say(`the answer is ([A-Z_]+)`, func(w *world) any { return w.answerIsCode }),
	say(`the answer is no success`, func(w *world) any { return w.answerIsNoSuccess }),
	say(`the source still serves`, func(w *world) any { return w.stillServes }),
	say(`everything that was invoked so far is looked at`, func(w *world) any { return w.lookBack }),
	say(`every error bears one of the codes of the text`, func(w *world) any { return w.codesAreClosed }),
}

// answerIsCode binds a code to its cause: the sound input of a capability whose
// part it is to end that way.
func (w *world) answerIsCode(ctx context.Context, code string) error {
	for i, a := range w.attempts {
		switch {
		case a.openQuestion() && !a.result.pending():
			return suites.Undecided("the answer is no InvokeResult: see CAP-DIS-03")
		case a.refused() && a.result.code() == code:
			continue
		case a.doubted():
			return suites.Undecided("the input was made from the schema, and the source may check more than that says: %s", a.doubt)
		case w.excused(ctx, a):
			return undecidedBy(a.asked)
		}
		if _, err := w.working(ctx, w.sc); err != nil {
			return err
		}
		if unclear := w.limited(ctx, a, func(again attempt) bool { return again.refused() && again.result.code() == code }); unclear != nil {
			return unclear
		}
		if i > 0 { // the first is cited already
			w.sc.Cite(a.answer, a.err)
		}
		return suites.Violated("a capability that "+w.purpose()+" is not answered with "+code,
			"ok false and error.code "+code+" from "+a.asked.String(), a.received())
	}
	return nil
}

func (w *world) purpose() string {
	i := slices.IndexFunc(roles(), func(r suites.Role) bool { return r.Name == w.role })
	if i < 0 {
		return "plays " + w.role
	}
	return roles()[i].Purpose
}

func (w *world) answerIsNoSuccess(ctx context.Context) error {
	a := w.attempts[0]
	if a.succeeded() && w.excused(ctx, a) {
		return undecidedBy(a.asked)
	}
	if a.succeeded() {
		return suites.Violated("a capability that "+w.purpose()+" comes back ok", "no success from "+a.asked.String()+", since its output breaks its output schema", a.received())
	}
	return nil
}

// stillServes invokes an ordinary capability anew. A connection that is closed
// then may be chance; closed again after the same invocation it is not.
func (w *world) stillServes(ctx context.Context) error {
	control, err := w.working(ctx, w.sc)
	if err != nil {
		return err
	}
	next := invocation{asked: control.asked, of: control.of, input: control.input, once: true}
	again := w.invoke(ctx, w.sc, next)
	limited := again.mayBeLimit()
	if limited && !w.recovers(ctx, next) {
		limited = false // no limit lasts so long
	}
	if limited || errors.Is(again.err, driver.ErrClosed) {
		failed := w.attempts[0]
		w.invoke(ctx, w.sc, invocation{asked: failed.asked, of: failed.of, input: failed.input, slow: w.role == roleSlow})
		again = w.invoke(ctx, w.sc, next)
	}
	if limited && again.succeeded() {
		return limitHint(control.asked, "was refused by then, and not the next time")
	}
	w.sc.Cite(again.answer, again.err)
	switch {
	case again.err != nil && !errors.Is(again.err, driver.ErrClosed):
		return again.err
	case !again.succeeded() && w.excused(ctx, again):
		return undecidedBy(again.asked)
	case !again.succeeded():
		return suites.Violated("the source no longer serves after a capability that "+w.purpose(), "the success that "+control.asked.String()+" gave before", again.received())
	}
	return nil
}

// lookBack makes sure that there is something to look at: sound inputs, unsound
// ones, references that nobody lists, and what must fail in a role. In a whole run
// all that was done before; a run of this alone has to see the same.
func (w *world) lookBack(ctx context.Context) error {
	if err := w.needPool(); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{w.invokeAllSound, w.invokeAllUnsound, w.invokeUnlisted} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	for _, role := range []string{roleRestricted, roleMalformed, roleFails, roleSlow} {
		if w.lacksRole(role) != nil || slices.ContainsFunc(w.soFar(), func(a attempt) bool { return w.plays(a.of, role) }) {
			continue
		}
		// A role for which no input can be made shows no code; that is its own
		// requirement's to say.
		_, _ = w.examination.invokeRole(ctx, w.sc, role)
	}
	w.attempts, w.lookedBack = w.soFar(), true
	for _, a := range w.attempts {
		w.sc.Consult(a.answer)
	}
	return w.cancelled(ctx)
}

// soFar lists every invocation of the run.
func (e *examination) soFar() []attempt {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.seen)
}

func (w *world) codesAreClosed() error {
	failed := 0
	var unknown breaches
	for _, a := range w.attempts {
		if !a.refused() || a.answer.Outcome != driver.Returned {
			continue
		}
		failed++
		if code := a.result.bareCode(); code != nil && !slices.Contains(codes(), a.result.code()) {
			unknown.add(suites.Print(code), a)
		}
	}
	for _, a := range unknown.worstFirst(nil, nil) {
		failure := w.violation("an error bears a code that the text does not define", "one of "+strings.Join(codes(), ", "), a.answer, nil)
		return unknown.counted(failure, nil, nil)
	}
	if failed == 0 {
		return suites.Undecided("no invocation failed, so no code was seen")
	}
	return nil
}
