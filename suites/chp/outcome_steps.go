package chpsuite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
)

var outcomeSentences = []sentence{
	say(`each outcome is one of the text`, func(w *world) any { return w.outcomesKnown }),
	say(`success is a boolean and true with the outcome success alone`, func(w *world) any { return w.successMeansSuccess }),
	say(`success is true with the outcome success`, func(w *world) any { return w.successIsSaid }),
	say(`the value of the payload is in the data`, func(w *world) any { return w.valueComesBack }),
	say(`the outcome is ([a-z]+)`, func(w *world) any { return w.outcomeIs }),
	say(`the outcome is skipped or denied`, func(w *world) any { return w.skippedOrDenied }),
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
	has := 0
	for _, name := range []string{"invocation_id", "outcome", "success", "correlation"} {
		if a.result[name] != nil {
			has++
		}
	}
	return has > 1
}

// needResults is their positive control: one is of the invocation that it answers.
func (w *world) needResults() error {
	if slices.ContainsFunc(w.results(), func(a *attempt) bool { return a.result["invocation_id"] == a.id }) {
		return nil
	}
	return suites.Undecided("no invocation was answered by a result of its own: see CHP-5-01")
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

func (w *world) successMeansSuccess() error {
	for _, a := range w.results() {
		if !a.hasOutcome() {
			continue // CHP-8-01's
		}
		if what, got, wrong := resultMembers["success"].flaw(a.result, "success"); wrong {
			return w.blame(a, "a result: "+what, "success, a boolean", got+" in "+suites.Print(a.result))
		}
		if a.result["success"] == true && a.outcome() != outcomeSuccess {
			return w.blame(a, "a result says success beside another outcome", "success false with the outcome "+a.outcome(), suites.Print(a.result))
		}
	}
	return w.needResults()
}

func (w *world) successIsSaid() error {
	for _, a := range w.results() {
		if a.outcome() == outcomeSuccess && a.result["success"] == false {
			return w.blame(a, "a result whose outcome is success says success false", "success true", suites.Print(a.result))
		}
	}
	return nil
}

// valueComesBack is CHP-8-04, on the capability that is known to give back what
// it got.
func (w *world) valueComesBack() error {
	for _, a := range w.attempts {
		if a.outcome() != outcomeSuccess {
			return w.blame(a, "a capability that succeeds has another outcome", "the outcome success", suites.Received(a.answer, a.err))
		}
		sent, _ := schemas.ReadObject(suites.Encode(a.payload))["value"].(string)
		encoded := string(suites.Encode(sent))
		if sent != "" && !strings.Contains(string(suites.Encode(a.result["data"])), encoded[1:len(encoded)-1]) {
			return w.blame(a, "a success does not give back the data of its handler", sent+" somewhere in data", suites.Print(a.result["data"]))
		}
	}
	return nil
}

// outcomeIs binds an outcome to its cause. An answer that is no result hides it.
func (w *world) outcomeIs(outcome string) error {
	for _, a := range w.attempts {
		if a.outcome() == outcomeIndeterminate {
			continue
		}
		if a.outcome() != outcome {
			return w.blame(a, a.kind+" does not have the outcome "+outcome, "an InvocationResult with the outcome "+outcome, w.hidden(a))
		}
	}
	return nil
}

// hidden adds the status where the transport answers in place of the protocol.
func (w *world) hidden(a *attempt) string {
	got := suites.Received(a.answer, a.err)
	if status := a.answer.Exchange.Status; a.result == nil && status >= 300 {
		got = fmt.Sprintf("status %d and no InvocationResult (a processed invocation is status 200 whatever its outcome): %s", status, got)
	}
	return got
}

func (w *world) skippedOrDenied() error {
	for _, a := range w.attempts {
		if a.outcome() != outcomeSkipped && a.outcome() != outcomeDenied && a.outcome() != outcomeIndeterminate {
			return w.blame(a, a.kind+" is neither skipped nor denied", "the outcome skipped or denied", w.hidden(a))
		}
	}
	return nil
}

// ended are the attempts of an outcome whose evidence could be read.
func (w *world) ended(outcome string) ([]*attempt, error) {
	if err := lost(w.attempts); err != nil {
		return nil, err
	}
	those := slices.DeleteFunc(slices.Clone(w.attempts), func(a *attempt) bool {
		return a.outcome() != outcome || !a.replayed.arrived() || a.replayed.broken != nil || len(a.replayed.events) == 0
	})
	denied := slices.ContainsFunc(w.attempts, func(a *attempt) bool { return a.outcome() == outcomeDenied })
	if len(those) == 0 && outcome == outcomeSkipped && denied {
		return nil, suites.NotObserved("a skip, since the host denies what is disabled")
	}
	if len(those) == 0 {
		return nil, suites.Undecided("no invocation had the outcome %s and left evidence that a replay shows", outcome)
	}
	return those, nil
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
		if !known || !a.replayed.arrived() || !a.has(end) {
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
