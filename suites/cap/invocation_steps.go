package capsuite

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

var invocationSentences = []sentence{
	say(`each capability is invoked with sound inputs`, func(w *world) any { return w.invokeAllSound }),
	say(`each capability is invoked with inputs that each break one keyword`, func(w *world) any { return w.invokeAllUnsound }),
	say(`references that nobody lists are invoked`, func(w *world) any { return w.invokeUnlisted }),
	say(`some capability came back ok`, func(w *world) any { return w.someSucceeded }),
	say(`every answer is an InvokeResult`, func(w *world) any { return w.answersAreResults }),
	say(`every answer is final`, func(w *world) any { return w.answersAreFinal }),
	say(`none of them is accepted`, func(w *world) any { return w.noneAccepted }),
	say(`every refusal is INVALID_INPUT`, func(w *world) any { return w.refusalsAreInvalidInput }),
	say(`none of them is refused as INVALID_INPUT`, func(w *world) any { return w.noneInvalidInput }),
	say(`none is refused for want of what only a custom member announces`, func(w *world) any { return w.noneNeedsCustomMember }),
	say(`every output keeps the output schema that is declared`, func(w *world) any { return w.outputsKeepSchema }),
	say(`each of them does not exist: NOT_FOUND`, func(w *world) any { return w.invocationsNotFound }),
}

func (w *world) needPool() error {
	if err := w.needList(); err != nil {
		return err
	}
	if len(w.pool) == 0 {
		return &suites.Inconclusive{
			Reason: "no listed capability may be invoked",
			Supply: "--invoke all invokes every one; or name one under roles in the target file",
		}
	}
	return nil
}

func (w *world) invokeAllSound(ctx context.Context) error {
	if err := w.needPool(); err != nil {
		return err
	}
	for _, c := range w.pool {
		w.attempts = append(w.attempts, w.invokeSound(ctx, w.sc, c)...)
		w.attempts = append(w.attempts, w.invokeEdges(ctx, w.sc, c)...)
	}
	return w.cancelled(ctx)
}

func (w *world) invokeAllUnsound(ctx context.Context) error {
	if err := w.needPool(); err != nil {
		return err
	}
	for _, c := range w.pool {
		w.attempts = append(w.attempts, w.invokeUnsound(ctx, w.sc, c)...)
	}
	return w.cancelled(ctx)
}

func (w *world) invokeUnlisted(ctx context.Context) error {
	if err := w.needList(); err != nil {
		return err
	}
	w.attempts = append(w.attempts, w.invokeStrangers(ctx, w.sc)...)
	return w.cancelled(ctx)
}

// cancelled ends a step whose experiments were cut short by the end of the run.
func (w *world) cancelled(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil {
		return &driver.CallError{Kind: driver.ErrCancelled, Detail: cause.Error()}
	}
	return nil
}

// someSucceeded is the positive control of the source as a whole.
func (w *world) someSucceeded(ctx context.Context) error {
	_, err := w.working(ctx, w.sc)
	return err
}

// answersAreResults is CAP-INV-01. A promise in place of a result is
// CAP-INV-05's, an operation that is not provided CAP-DIS-03's.
func (w *world) answersAreResults(ctx context.Context) error {
	var misshapen breaches
	var open error
	for _, a := range append(w.attempts, w.refusalsInRole(ctx)...) {
		if w.lookedBack && w.judgedInRole(a) {
			continue
		}
		if a.openQuestion() || outsideContract(a.input) && !a.succeeded() {
			continue
		}
		if a.err != nil || a.answer.Outcome != driver.Returned {
			if unclear := w.limited(ctx, a, attempt.judged); unclear != nil {
				open = unclear
				continue
			}
			v := suites.Violated("an invocation is answered without an InvokeResult", "an InvokeResult, whatever the outcome", suites.Received(a.answer, a.err))
			v.Hint = "the error of an invocation travels inside the result: ok false and error.code"
			w.sc.Cite(a.answer, a.err)
			return v
		}
		if a.result.decode != nil {
			return w.violation("the InvokeResult can't be read: "+a.result.decode.Error(), "one JSON object", a.answer, nil)
		}
		if wrong := a.result.shapeDefects(); len(wrong) > 0 {
			misshapen.add(strings.Join(wrong, "; "), a)
		}
	}
	for defects, a := range misshapen.worstFirst(worstShapes, nil) {
		failure := w.violation("the InvokeResult has another shape: "+defects, "ok, output, error and duration_ms as the text prints them", a.answer, nil)
		return misshapen.counted(failure, worstShapes, nil)
	}
	if w.lookedBack {
		return open // who lost an answer tells it itself
	}
	return cmp.Or(lost(w.attempts), open)
}

// judgedInRole tells an answer that the requirement of a role judges: of a capability
// that has to be refused, and was not, or after one that failed.
func (w *world) judgedInRole(a attempt) bool {
	return a.once || (w.plays(a.of, roleRestricted) || w.plays(a.of, roleMalformed)) && (!a.refused() || a.result.code() == "")
}

// refusalsInRole are what capabilities in the role to be refused answered, where
// it bears a code: another answer than a refusal is for the role's own
// requirement to judge.
func (w *world) refusalsInRole(ctx context.Context) []attempt {
	var all []attempt
	for _, role := range []string{roleRestricted, roleMalformed} {
		if w.lacksRole(role) != nil {
			continue
		}
		for _, a := range w.invokeSound(ctx, w.sc, w.players[role].capability) {
			if a.refused() && a.result.code() != "" {
				all = append(all, a)
			}
		}
	}
	return all
}

func (w *world) answersAreFinal() error {
	for _, a := range w.attempts {
		if a.result.pending() {
			return w.violation("a promise is given in place of a result", "the final InvokeResult in the one reply", a.answer, nil)
		}
	}
	return nil
}

func (w *world) noneAccepted(ctx context.Context) error {
	refused := 0
	var accepted breaches
	for _, a := range w.attempts {
		if a.succeeded() {
			accepted.add(a.fault.Keyword, a)
		}
		if a.turnedDown() {
			refused++
		}
	}
	for keyword, a := range accepted.worstFirst(worstKeywords, minorKeywords) {
		if w.excused(ctx, a) {
			continue
		}
		w.citeControl(a)
		failure := w.violation("an input that breaks "+keyword+" is accepted",
			"a refusal of "+suites.Clip(string(a.input))+", since "+a.fault.Note+", for "+a.asked.String(), a.answer, nil)
		return w.hinted(accepted.counted(failure, worstKeywords, minorKeywords))
	}
	if refused == 0 {
		return w.nothingRefused()
	}
	return nil
}

// nothingRefused says why there was no refusal to look at.
func (w *world) nothingRefused() error {
	if len(w.attempts) == 0 {
		return &suites.Inconclusive{
			Reason: "no capability accepted a sound input and has an input schema that an input could break",
			Supply: "name one with an input that works in the target file: roles: {cap: {echo: {capability: ID, input: {...}}}}",
		}
	}
	if slices.ContainsFunc(w.attempts, attempt.succeeded) {
		return suites.Undecided("every unsound input was accepted, so no refusal shows its code: see CAP-INV-02")
	}
	return suites.Undecided("no unsound input was answered with an InvokeResult: see CAP-INV-01")
}

// citeControl puts the sound input that the same capability accepted before it.
func (w *world) citeControl(a attempt) {
	if a.of == nil {
		return
	}
	for _, control := range a.of.done().tried.Kept() {
		if control.succeeded() {
			w.sc.Cite(control.answer, nil)
			return
		}
	}
}

func (w *world) refusalsAreInvalidInput(ctx context.Context) error {
	refused := 0
	var others breaches // refusals that are not INVALID_INPUT
	for _, a := range w.attempts {
		if a.succeeded() || a.openQuestion() || outsideContract(a.input) || w.isGone(ctx, a) {
			continue
		}
		refused++
		if !a.invalidInput() {
			others.add(cmp.Or(a.result.code(), "no error.code"), a)
		}
	}
	var open error
	for _, a := range others.worstFirst([]string{"no error.code"}, nil) {
		if w.excused(ctx, a) {
			continue
		}
		if unclear := w.limited(ctx, a, attempt.invalidInput); unclear != nil {
			open = unclear
			continue
		}
		w.citeControl(a)
		failure := w.violation("an input that fails validation is not refused as INVALID_INPUT",
			"ok false and error.code INVALID_INPUT for "+suites.Clip(string(a.input))+", since "+a.fault.Note, a.answer, a.err)
		return w.hinted(others.counted(failure, []string{"no error.code"}, nil))
	}
	if open == nil && refused == 0 {
		return w.nothingRefused()
	}
	return open
}

// isGone tells a capability that was taken out of the source while it was looked
// at: neither invoke nor describe knows it any more.
func (w *world) isGone(ctx context.Context, a attempt) bool {
	if !a.refused() || a.result.code() != codeNotFound {
		return false
	}
	l := w.describe(ctx, w.sc, a.asked)
	return l.err == nil && (l.answer.Outcome == driver.Refused || l.unknown())
}

// noneInvalidInput is CAP-ERR-02. A capability that is refused for what a custom
// member announces is CAP-MAN-06's.
func (w *world) noneInvalidInput(ctx context.Context) error {
	for _, a := range w.attempts {
		if a.fault != nil || a.of == nil || w.playsFailure(a.of) || w.wasExchanged(a.asked) {
			continue // of these, other requirements judge a refusal
		}
		if a.refused() && a.result.code() == codeInvalidInput && !a.doubted() && !w.missesCustomMember(ctx, a) && !w.excused(ctx, a) {
			want := "no INVALID_INPUT for " + suites.Clip(string(a.input)) + ", which keeps the input schema of " + a.asked.String()
			if a.edge != "" {
				want += ": " + a.edge
				w.citeControl(a)
			}
			return w.violation("a sound input is refused as INVALID_INPUT", want, a.answer, nil)
		}
	}
	return nil
}

func (w *world) noneNeedsCustomMember(ctx context.Context) error {
	for _, a := range w.attempts {
		if w.missesCustomMember(ctx, a) && !w.excused(ctx, a) {
			w.sc.Cite(w.list.answer, nil)
			return w.violation("an invocation made from the members of the text alone is refused",
				"an invocation of "+a.asked.String()+" without what "+strings.Join(a.of.manifest().custom(), ", ")+" announces", a.answer, a.err)
		}
	}
	return nil
}

// missesCustomMember finds out whether a refusal is due to a custom member of the
// manifest: it goes away once the members are sent along, beside the reference
// and the input or in one of them, and comes back without them. What the error
// says proves nothing, since a member may be named by any word; nor does what
// comes and goes with every call.
func (w *world) missesCustomMember(ctx context.Context, a attempt) bool {
	if !a.turnedDown() {
		return false
	}
	m := a.of.manifest()
	custom := m.custom()
	if len(custom) == 0 {
		return false
	}
	plain := func() (asked, input, params map[string]any) {
		asked, input = map[string]any{memberID: a.asked.ID, memberVersion: a.asked.Version}, map[string]any{}
		if given, ok := decoded(a.input).(map[string]any); ok {
			input = given
		}
		return asked, input, map[string]any{memberRef: asked, memberInvokedInput: input}
	}
	accepted := func(params map[string]any) bool {
		answer, err := w.sc.Ask(ctx, driver.Operation{Name: opInvoke, Params: suites.Encode(params)}, w.subject.Deadlines.Call)
		return err == nil && answer.Outcome == driver.Returned && readResult(answer).ok()
	}
	for place := range 3 {
		asked, input, params := plain()
		for _, name := range custom {
			[]map[string]any{params, asked, input}[place][name] = m[name]
		}
		if accepted(params) {
			_, _, without := plain()
			for range 2 { // a source that only warmed up accepts one of them
				if accepted(without) {
					return false
				}
			}
			return accepted(params)
		}
	}
	return false
}

func (w *world) outputsKeepSchema(ctx context.Context) error {
	checked := 0
	var open error
	for _, a := range w.attempts {
		if !a.succeeded() || a.of == nil || w.playsFailure(a.of) || a.of.manifest()[memberOutput] == nil || a.of.compiled().output == nil {
			continue
		}
		err := a.of.output.Validate(a.result.output())
		if _, invalid := invalidity(err); invalid && w.excused(ctx, a) {
			continue
		} else if invalid {
			return w.violation("a successful output breaks the output schema that its capability declares",
				"an output of "+a.asked.String()+" that keeps "+suites.Print(a.of.manifest()[memberOutput])+"; "+err.Error(), a.answer, nil)
		}
		if err != nil {
			open = err
			continue
		}
		checked++
	}
	if open != nil {
		return undecided(open)
	}
	declares := func(c *capability) bool { return c.manifest()[memberOutput] != nil }
	if checked == 0 && !slices.ContainsFunc(w.list.capabilities, declares) {
		return suites.Inapplicable("no capability declares an output schema")
	}
	if checked == 0 {
		return suites.Undecided("no capability that declares an output schema came back ok")
	}
	return nil
}

// invocationsNotFound is CAP-ERR-01. The control stands before it: a source whose
// invoke works.
func (w *world) invocationsNotFound(ctx context.Context) error {
	var open error
	for _, a := range w.attempts {
		if a.openQuestion() {
			continue
		}
		if a.notFound() || w.declaresCompatible(a.asked) || w.arrivedSince(ctx, a) {
			continue
		}
		if unclear := w.limited(ctx, a, attempt.notFound); unclear != nil {
			open = unclear
			continue
		}
		return w.violation("an invocation is not answered with NOT_FOUND for "+a.kind, "ok false and error.code NOT_FOUND, for "+a.asked.String(), a.answer, a.err)
	}
	return cmp.Or(lost(w.attempts), open)
}

// arrivedSince tells a pair that somebody registered since it was listed by nobody: it
// is listed by now, or gone again.
func (w *world) arrivedSince(ctx context.Context, a attempt) bool {
	if !a.judged() || a.random {
		return false
	}
	return w.present(ctx).find(a.asked) != nil || w.invoke(ctx, w.sc, invocation{asked: a.asked, input: a.input}).notFound()
}
