package chpsuite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/suites"
)

var outcomeSentences = []sentence{
	say(`each outcome is one of the text`, func(w *world) any { return w.outcomesKnown }),
	say(`success is a boolean and true with the outcome success alone`, func(w *world) any { return w.successMeansSuccess }),
	say(`success is true with the outcome success`, func(w *world) any { return w.successIsSaid }),
	say(`the outcome ([a-z]+) leaves (\w+) and then (\w+)`, func(w *world) any { return w.leavesInOrder }),
	say(`the outcome ([a-z]+) leaves (\w+)`, func(w *world) any { return w.leaves }),
	say(`nothing of it was executed`, func(w *world) any { return w.notExecuted }),
	say(`result and events tell one story with one end`, func(w *world) any { return w.oneStory }),
	say(`failures carry an error and denials a denial`, func(w *world) any { return w.errorsAndDenials }),
	say(`each denied result carries a denial record`, func(w *world) any { return w.denialRecords }),
	say(`each denial record has its ([a-z_]+)`, func(w *world) any { return w.denialMember }),
	say(`each denial record names an invariant, if at all, by its id`, func(w *world) any { return w.invariantNamed }),
	say(`the same denial has the same code`, func(w *world) any { return w.codesStable }),
}

// results are the answers that are InvocationResults, as far as they can be told:
// one that has hardly anything of it is CHP-5-01's.
func (w *world) results() []*attempt {
	return slices.DeleteFunc(slices.Clone(w.attempts), func(a *attempt) bool { return !a.isResult() })
}

func (a *attempt) isResult() bool {
	if a.result["outcome"] == nil && a.result["success"] == nil {
		return false // an envelope that comes back has the other two
	}
	has := 0
	for _, name := range []string{"invocation_id", "outcome", "success", "correlation"} {
		if a.result[name] != nil {
			has++
		}
	}
	return has > 1
}

// code gives the code of a denial, "" where there is none.
func (a *attempt) code() string {
	denial, _ := a.result["denial"].(object)
	code, _ := denial["code"].(string)
	return code
}

// tied tells whether a result is of the invocation that it answers: it bears an id that was sent.
func (a *attempt) tied() bool {
	return a.result["invocation_id"] == a.id || a.supplied != "" && a.resultCorrelation() == a.supplied
}

// needResults is their positive control: one is of the invocation that it answers.
func (w *world) needResults() error {
	if slices.ContainsFunc(w.results(), (*attempt).tied) {
		return nil
	}
	return suites.Undecided("no invocation was answered by a result: see CHP-5-01")
}

func (w *world) outcomesKnown() error {
	for _, a := range w.results() {
		if !a.hasOutcome() {
			return w.blame(a, "the outcome of a result is none of the text", "success, failure, denied or skipped", suites.Print(a.result["outcome"]))
		}
	}
	return w.needResults()
}

// hasOutcome is true for an outcome of the text, or of the newer one.
func (a *attempt) hasOutcome() bool {
	return slices.Contains([]any{outcomeSuccess, outcomeFailure, outcomeDenied, outcomeSkipped, outcomeIndeterminate}, a.result["outcome"])
}

// successMeansSuccess is CHP-8-02: nothing but an outcome that is success goes with success. That
// the member is there, and is a boolean, is CHP-8-03.
func (w *world) successMeansSuccess() error {
	for _, a := range w.results() {
		if a.hasOutcome() && a.outcome() != outcomeSuccess && saysTrue(a.result["success"]) {
			return w.blame(a, "a result says success beside another outcome", "success false with the outcome "+a.outcome(), suites.Print(a.result))
		}
	}
	return w.needResults()
}

// saysTrue takes true in the forms that are met.
func saysTrue(v any) bool {
	return slices.Contains([]string{"true", "yes", "1", "success"}, strings.ToLower(fmt.Sprint(v)))
}

func (w *world) successIsSaid() error {
	for _, a := range w.results() {
		if what, got, wrong := aBoolean.flaw(a.result, "success"); wrong {
			return w.blame(a, "a result: "+what, "success, a boolean", got+" in "+suites.Print(a.result))
		}
		if a.outcome() == outcomeSuccess && a.result["success"] == false {
			return w.blame(a, "a result whose outcome is success says success false", "success true", suites.Print(a.result))
		}
	}
	return nil
}

// ended are the attempts of an outcome whose evidence could be read.
func (w *world) ended(outcome string) ([]*attempt, error) {
	if err := lost(w.attempts); err != nil {
		return nil, err
	}
	those := slices.DeleteFunc(slices.Clone(w.attempts), func(a *attempt) bool { return a.outcome() != outcome || !a.told() })
	denied := slices.ContainsFunc(w.inPart(roleDisabled), func(a *attempt) bool { return a.outcome() == outcomeDenied })
	disabled := w.lacks("with", roleDisabled) == nil
	switch {
	case len(those) > 0:
		return those, nil
	case outcome == outcomeSkipped && !disabled:
		return nil, w.lacks("with", roleDisabled)
	case outcome == outcomeSkipped && denied:
		return nil, suites.NotObserved("a skip, since the host denies what is disabled")
	case outcome == outcomeFailure:
		return nil, w.notShown(roleFails, "no invocation failed")
	}
	return nil, suites.Undecided("no invocation had the outcome %s and left evidence that a replay shows", outcome)
}

// told tells whether the story of an attempt can be read in a replay: not where it may be cut, and
// not where no event is of the attempt, which other requirements are about.
func (a *attempt) told() bool {
	r := a.replayed
	return r.arrived() && r.broken == nil && len(a.events()) > 0 && (!a.crowded || r.whole)
}

func kindsOf(events []event) string {
	var kinds []string
	for _, ev := range events {
		kinds = append(kinds, ev.kind)
	}
	return strings.Join(kinds, ", ")
}

func (w *world) leavesInOrder(outcome, first, second string) error {
	those, err := w.ended(outcome)
	if err != nil {
		return err
	}
	for _, a := range those {
		start := slices.IndexFunc(a.inOrder(), func(ev event) bool { return ev.kind == first })
		end := slices.IndexFunc(a.inOrder(), func(ev event) bool { return ev.kind == second })
		want := first + " and behind it " + second
		switch {
		case start < 0:
			return w.blame(a, "the outcome "+outcome+" leaves no "+first, want, kindsOf(a.events()))
		case end < 0:
			return w.blame(a, "the outcome "+outcome+" leaves no "+second, want, kindsOf(a.events()))
		case lastOf(a.inOrder(), second) < start:
			return w.blame(a, second+" comes before "+first, want, kindsOf(a.inOrder()))
		}
	}
	return nil
}

func (w *world) leaves(outcome, kind string) error {
	those, err := w.ended(outcome)
	if err != nil {
		return err
	}
	for _, a := range those {
		if !a.has(kind) {
			return w.blame(a, "the outcome "+outcome+" leaves no "+kind, kind+" in the evidence of "+a.kind, kindsOf(a.events()))
		}
	}
	return nil
}

// inOrder are the events by their sequence, where each has one that is a number;
// otherwise as they were replayed.
func (a *attempt) inOrder() []event {
	events := a.events()
	for _, ev := range events {
		if _, ok := wholeNumber(ev.sequence); !ok {
			return events
		}
	}
	slices.SortStableFunc(events, func(x, y event) int {
		nx, _ := wholeNumber(x.sequence)
		ny, _ := wholeNumber(y.sequence)
		return nx.Cmp(ny)
	})
	return events
}

func lastOf(events []event, kind string) int {
	last := -1
	for i, ev := range events {
		if ev.kind == kind {
			last = i
		}
	}
	return last
}

// notExecuted is CHP-8-07: no event of an execution that began or ended.
func (w *world) notExecuted() error {
	those, err := w.ended(outcomeSkipped)
	if err != nil {
		return err
	}
	for _, a := range those {
		for _, kind := range []string{eventStarted, eventCompleted, eventFailed} {
			if a.has(kind) {
				return w.blame(a, "a skipped invocation was executed", "no "+kind, kindsOf(a.events()))
			}
		}
		if a.result["data"] != nil {
			return w.blame(a, "a skipped invocation has data", "no data", suites.Print(a.result["data"]))
		}
	}
	return nil
}

// closing events, and the outcome that each stands for.
var closing = map[string]string{
	eventCompleted: outcomeSuccess, eventFailed: outcomeFailure, eventDenied: outcomeDenied, eventSkipped: outcomeSkipped, eventIndeterminate: outcomeIndeterminate,
}

// oneStory is CHP-8-13, judged of invocations that have the events their outcome
// demands: one that is missing is a requirement of its own.
func (w *world) oneStory() error {
	judged := 0
	for _, a := range w.attempts {
		end, known := terminalEvents[a.outcome()]
		if !known || !a.told() || !a.has(end) || a.resent {
			continue
		}
		judged++
		if err := w.storyOf(a, end); err != nil {
			return err
		}
	}
	if judged == 0 {
		return suites.Undecided("no invocation left the evidence that its outcome demands")
	}
	return nil
}

func (w *world) storyOf(a *attempt, end string) error {
	open, last := false, ""
	for _, ev := range a.inOrder() {
		outcome, closes := closing[ev.kind]
		switch {
		case ev.kind == eventStarted:
			open = true
		case closes && last != "" && !open:
			return w.blame(a, "an invocation ends twice", "one closing event, or a new start between two", kindsOf(a.inOrder()))
		case closes:
			open, last = false, ev.kind
		}
		if said, ok := ev.members()["outcome"].(string); closes && ok && said != outcome {
			return w.blame(a, "a closing event bears another outcome than its type", outcome+" in "+ev.kind, said)
		}
	}
	starts := lastOf(a.inOrder(), eventStarted)
	switch {
	case last != end:
		return w.blame(a, "the last closing event contradicts the result", end+" for the outcome "+a.outcome(), kindsOf(a.inOrder()))
	case open && starts > lastOf(a.inOrder(), last) && (a.outcome() == outcomeSuccess || a.outcome() == outcomeFailure) && countOf(a.events(), eventStarted) > 1:
		return w.blame(a, "an execution starts after the end and nothing closes it", end+" as the last of them", kindsOf(a.inOrder()))
	}
	return nil
}

func countOf(events []event, kind string) int {
	n := 0
	for _, ev := range events {
		if ev.kind == kind {
			n++
		}
	}
	return n
}

// errorsAndDenials is advice: a definition, and no sentence that obliges.
func (w *world) errorsAndDenials() error {
	for _, a := range w.results() {
		switch {
		case a.outcome() == outcomeFailure && a.result["denial"] != nil:
			return w.blame(a, "a failure carries a denial", "an error", suites.Print(a.result["denial"]))
		case a.outcome() == outcomeDenied && a.result["denial"] == nil && a.result["error"] != nil:
			return w.blame(a, "a denial carries an error alone", "a denial", suites.Print(a.result["error"]))
		}
	}
	return nil
}

// denied are the attempts with that outcome.
func (w *world) denied() ([]*attempt, error) {
	those := slices.DeleteFunc(slices.Clone(w.attempts), func(a *attempt) bool { return a.outcome() != outcomeDenied })
	if len(those) == 0 {
		return nil, suites.Undecided("no invocation was denied: see CHP-9-02")
	}
	return those, nil
}
