package chpsuite

import (
	"context"
	"slices"

	"github.com/capconform/capconform/suites"
)

var correlationSentences = []sentence{
	say(`a capability is invoked without a correlation id`, func(w *world) any { return w.invokeWithout }),
	say(`a capability is invoked under unusual correlation ids and with a full context`, func(w *world) any { return w.invokeContexts }),
	say(`a capability is invoked again under an id that was used before`, func(w *world) any { return w.invokeUsed }),
	say(`many callers invoke at the same time`, func(w *world) any { return w.invokeTogether }),
	say(`a capability is invoked with null and with an empty text as correlation id`, func(w *world) any { return w.invokeEmptyIDs }),
	say(`result and events bear the correlation id of the caller`, func(w *world) any { return w.correlationKept }),
	say(`each result has its correlation context`, func(w *world) any { return w.resultsHaveContext }),
	say(`each event has its correlation context`, func(w *world) any { return w.eventsHaveContext }),
	say(`the host makes an id and gives it back in result and evidence`, func(w *world) any { return w.correlationMade }),
	say(`no two of them get the same id`, func(w *world) any { return w.madeIDsDiffer }),
	say(`each comes back as it was sent or is refused openly`, func(w *world) any { return w.noneReplaced }),
	say(`each form of it is taken`, func(w *world) any { return w.formsTaken }),
	say(`the rest of the context comes back too`, func(w *world) any { return w.contextKept }),
	say(`an id is made or the request is refused`, func(w *world) any { return w.noEmptyID }),
}

func (w *world) invokeWithout(ctx context.Context) (err error) {
	w.attempts, err = w.withoutCorrelation(ctx, w.sc)
	w.usual = w.everything(ctx, w.sc)
	return err
}

func (w *world) invokeContexts(ctx context.Context) (err error) {
	all, err := w.withContexts(ctx, w.sc)
	return w.take(ctx, all, err)
}

// take keeps attempts to be judged, and others to compare them with.
func (w *world) take(ctx context.Context, all []*attempt, err error) error {
	w.attempts = append(w.attempts, withRepeated(all)...)
	w.usual = w.everything(ctx, w.sc)
	if err != nil {
		return err
	}
	return lost(w.attempts)
}

func (w *world) invokeUsed(ctx context.Context) error {
	all, err := w.usedAgain(ctx, w.sc)
	if err := w.take(ctx, all, err); err != nil {
		return err
	}
	w.replays = []replay{w.attempts[len(w.attempts)-1].replayed}
	return nil
}

func (w *world) invokeTogether(ctx context.Context) error {
	all, err := w.withOthers(ctx, w.sc)
	return w.take(ctx, all, err)
}

func (w *world) invokeEmptyIDs(ctx context.Context) error {
	v, err := w.simplest(ctx, w.sc)
	if err != nil {
		return err
	}
	for _, id := range []any{nil, ""} { // judged where it succeeds alone
		v.kind, v.correlation = "an invocation with "+suites.Print(id)+" as correlation id", object{"correlation_id": id}
		w.attempts = append(w.attempts, w.invoke(ctx, w.sc, v))
	}
	return lost(w.attempts)
}

// correlationKept is CHP-7-01; a result or an event without any context is
// CHP-7-04's and CHP-7-03's.
func (w *world) correlationKept() error {
	judged := 0
	for _, a := range w.attempts {
		if a.supplied == "" || a.result == nil || a.uncommon {
			continue
		}
		judged++
		if got := a.resultCorrelation(); got != "" && got != a.supplied {
			return w.blame(a, "a result bears another correlation id than its caller's", a.supplied, got)
		}
		for _, ev := range a.events() {
			if coreEvents(ev) && ev.correlation != "" && ev.correlation != a.supplied {
				return w.blame(a, "an event bears another correlation id than its caller's", a.supplied, ev.correlation)
			}
		}
	}
	if judged == 0 {
		return suites.Undecided("no invocation was answered by a result: see CHP-5-01")
	}
	return nil
}

func (w *world) resultsHaveContext() error {
	judged := 0
	for _, a := range w.attempts {
		if !a.isResult() || a.supplied == "" { // CHP-7-02 judges those that the host makes
			continue
		}
		judged++
		context, _ := a.result["correlation"].(object)
		if other := context["correlation_id"]; a.uncommon && other != nil && other != "" {
			continue // CHP-7-05
		}
		if what, got, wrong := aContext.flaw(a.result, "correlation"); wrong {
			return w.blame(a, "the result of "+a.kind+": "+what, aContext.want, got+" in "+suites.Print(a.result))
		}
	}
	if judged == 0 {
		return suites.Undecided("no invocation was answered by a result: see CHP-5-01")
	}
	return nil
}

func (w *world) eventsHaveContext(ctx context.Context) error {
	return w.eventMember(ctx, "correlation", coreEvents)
}

// correlationMade is CHP-7-02: at least one form of a missing id is taken, and
// each that is taken comes back with an id under which a replay finds it.
func (w *world) correlationMade(ctx context.Context) error {
	successes := 0
	for _, a := range w.attempts {
		if !a.processed() || !taken(w.attempts, a.form) {
			continue
		}
		successes++
		if a.resultCorrelation() == "" {
			return w.blame(a, "no correlation id is made for "+a.kind, "a correlation id in the result", suites.Print(a.result["correlation"]))
		}
		if a.replayed.arrived() && len(a.events()) == 0 && w.usuallyShown(a) {
			return w.blame(a, "the correlation id that was made is not that of the evidence", "the events of the invocation in a replay of "+a.resultCorrelation(), suites.Received(a.replayed.answer, a.replayed.err))
		}
		for _, ev := range a.events() {
			if ev.correlation != "" && ev.correlation != a.resultCorrelation() {
				return w.blame(a, "the correlation id that was made is not that of the evidence", a.resultCorrelation(), ev.correlation)
			}
		}
	}
	if err := lost(w.attempts); err != nil {
		return err
	}
	if a := w.attempts[0]; successes == 0 && w.repeated(ctx, a).outcome() != outcomeSuccess {
		return w.blame(a, "no invocation without a correlation id is taken", "a result with an id that the host made", suites.Received(a.answer, a.err))
	}
	return nil
}

// repeated sends the envelope of an attempt again: what served just before and just
// after it may have been away.
func (w *world) repeated(ctx context.Context, a *attempt) *attempt {
	v := a.envelope
	v.id = ""
	return w.invoke(ctx, w.sc, v)
}

// formsTaken is advice: the text does not say what missing is.
func (w *world) formsTaken(ctx context.Context) error {
	for _, a := range w.attempts {
		if a.of != nil && a.role == "" && !taken(w.attempts, a.form) && w.repeated(ctx, a).outcome() != outcomeSuccess {
			return w.blame(a, a.kind+" is not taken", "a result with an id that the host made", suites.Received(a.answer, a.err))
		}
	}
	return nil
}

func (w *world) madeIDsDiffer() error {
	seen := map[string]bool{}
	for _, a := range w.attempts {
		id := a.resultCorrelation()
		if id == "" {
			continue
		}
		if seen[id] {
			return w.blame(a, "one correlation id is made for two invocations", "an id of its own for each", id+" twice")
		}
		seen[id] = true
	}
	return nil
}

// keptUsually tells whether the host keeps the correlation id of an invocation of the same
// capability that has the same outcome, where the id is usual and used once.
func (w *world) keptUsually(a *attempt) bool {
	return !slices.ContainsFunc(w.usual, func(b *attempt) bool {
		return !b.uncommon && b.supplied != "" && b.capability == a.capability && b.outcome() == a.outcome() && b.replaced() != ""
	})
}

// replaced gives the correlation id that stands in the place of the caller's, "" if none does.
func (a *attempt) replaced() string {
	if got := a.resultCorrelation(); got != "" && got != a.supplied {
		return got
	}
	for _, ev := range a.events() {
		if coreEvents(ev) && ev.correlation != "" && ev.correlation != a.supplied {
			return ev.correlation
		}
	}
	return ""
}

// noneReplaced is CHP-7-05: only silence is a violation, so that a refusal of an
// unusual id passes.
func (w *world) noneReplaced() error {
	judged := 0
	for _, a := range w.attempts {
		refusable := a.outcome() != outcomeSuccess && !taken(w.attempts, a.form) // a denial may be of the id
		if !a.processed() || a.supplied == "" || refusable {
			continue
		}
		judged++
		if !w.keptUsually(a) {
			continue // CHP-7-01
		}
		context, _ := a.result["correlation"].(object)
		if got := context["correlation_id"]; got != nil && got != "" && got != a.supplied {
			return w.blame(a, "the correlation id of "+a.kind+" is replaced in silence", a.supplied, suites.Print(got))
		}
		for _, ev := range a.replayed.events {
			if a.owns(ev) && coreEvents(ev) && ev.correlation != "" && ev.correlation != a.supplied {
				return w.blame(a, "the correlation id of "+a.kind+" is replaced in the evidence", a.supplied, ev.correlation)
			}
		}
	}
	if err := lost(w.attempts); err != nil {
		return err
	}
	if judged == 0 {
		return suites.Undecided("no such invocation came back with success")
	}
	return nil
}

func (w *world) contextKept() error {
	for _, a := range w.attempts {
		sent, _ := a.correlation.(object)
		if a.outcome() != outcomeSuccess || len(sent) < 2 {
			continue
		}
		contexts := map[string]object{}
		contexts["the result"], _ = a.result["correlation"].(object)
		for _, ev := range a.events() {
			contexts["the event "+ev.kind], _ = ev.members()["correlation"].(object)
		}
		for _, where := range sortedNames(contexts) {
			for _, name := range sortedNames(sent) {
				if got := contexts[where][name]; contexts[where] != nil && !suites.EqualJSON(got, sent[name]) {
					return w.blame(a, "the member "+name+" of the correlation context is lost", suites.Print(sent[name]), suites.Print(got)+" in "+where)
				}
			}
		}
	}
	return nil
}

// noEmptyID is CHP-7-07; a host that makes no ids at all is CHP-7-02's.
func (w *world) noEmptyID(ctx context.Context) error {
	without, err := w.withoutCorrelation(ctx, w.sc)
	if err != nil {
		return err
	}
	for _, a := range without {
		whole := a.form == formAbsent || a.form == formEmpty
		if whole && a.outcome() == outcomeSuccess && a.resultCorrelation() == "" {
			return suites.Undecided("no correlation id is made where none is supplied: see CHP-7-02")
		}
	}
	for _, a := range w.attempts {
		if a.outcome() == outcomeSuccess && a.resultCorrelation() == "" {
			return w.blame(a, "an empty correlation id is carried on", "an id that the host made, or a refusal", suites.Print(a.result["correlation"]))
		}
	}
	return nil
}
