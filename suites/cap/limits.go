package capsuite

import (
	"context"
	"net/http"
	"slices"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/driver"
)

// A source may limit how often it is called, and CAP has no word for that: it refuses the
// call, or fails, with any code and text. So an answer that a limit explains as well as a
// defect is asked for again, and accuses nobody if it goes away.

const (
	askedAgain = 2 // how often what may be a limit is asked again
	// limitsAtMost bounds how many answers of one scenario are asked for again.
	limitsAtMost = 6
)

// mayBeLimit tells an answer by which a source may say that it was called too often.
func mayBeLimit(a driver.Answer) bool {
	status := a.Exchange.Status
	return a.Outcome == driver.Refused || status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable
}

// mayBeLimit tells also a failure, a denial or a timeout inside of an InvokeResult.
func (a attempt) mayBeLimit() bool {
	code := a.result.code()
	return a.err == nil && mayBeLimit(a.answer) ||
		a.refused() && slices.Contains([]string{codeExecutionFailed, codePermissionDenied, codeTimeout}, code)
}

// limited returns an open question if a limit or a state of the source explains an answer as
// well as a defect: the same invocation is answered as it should be by now, or an input that
// was accepted before is refused.
func (w *world) limited(ctx context.Context, a attempt, sound func(attempt) bool) error {
	if !a.mayBeLimit() {
		return nil
	}
	if w.limits++; w.limits > limitsAtMost {
		return limitHint(a.asked, "is refused in too many ways to ask for each again")
	}
	again := invocation{asked: a.asked, of: a.of, input: a.input, fault: a.fault, doubt: a.doubt, slow: w.role == roleSlow}
	for range askedAgain {
		if sound(w.invoke(ctx, w.sc, again)) {
			return limitHint(a.asked, "is answered in another way when it is asked again")
		}
	}
	return w.controlLimited(ctx, a)
}

// controlLimited asks whether an input that was accepted is refused by now.
func (w *world) controlLimited(ctx context.Context, a attempt) error {
	var accepted []attempt
	if a.of != nil {
		accepted = a.of.done().tried.Kept()
	}
	control, found := firstSuccess(accepted)
	if !found {
		var err error
		if control, err = w.working(ctx, w.sc); err != nil {
			return err
		}
	}
	if !w.invoke(ctx, w.sc, invocation{asked: control.asked, of: control.of, input: control.input}).succeeded() {
		return limitHint(control.asked, "is refused by now with an input that was accepted before")
	}
	return nil
}

// recovers tells whether an invocation that is refused now is accepted again within as
// many calls as a short limit leaves out.
func (w *world) recovers(ctx context.Context, refused invocation) bool {
	const calls = 40
	for range calls {
		if a := w.invoke(ctx, w.sc, refused); a.succeeded() || a.err != nil {
			return a.succeeded()
		}
	}
	return false
}

// limitedLookup does the same for an answer of describe.
func (w *world) limitedLookup(ctx context.Context, l lookup, sound func(lookup) bool) error {
	if l.err != nil || !mayBeLimit(l.answer) {
		return nil
	}
	if w.limits++; w.limits > limitsAtMost {
		return limitHint(l.asked, "is refused in too many ways to ask for each again")
	}
	for range askedAgain {
		if sound(w.describe(ctx, w.sc, l.asked)) {
			return limitHint(l.asked, "is described in another way when it is asked again")
		}
	}
	for _, c := range w.examination.list.capabilities[:min(len(w.examination.list.capabilities), 10)] {
		if _, own := c.done().described.Kept().own(); !own || c.ref() == l.asked {
			continue
		}
		if _, own := w.describe(ctx, w.sc, c.ref()).own(); !own {
			return limitHint(c.ref(), "was described and is not by now")
		}
		break
	}
	return nil
}

func limitHint(r ref, what string) error {
	return &suites.Inconclusive{
		Reason: r.String() + " " + what + ": a limit or a state of the source may explain it",
		Supply: "lift limits on calls for the examination, or run it more slowly with --concurrency 1",
	}
}
