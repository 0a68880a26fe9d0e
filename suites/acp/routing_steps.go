package acpsuite

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/capconform/capconform/schemas"
	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/identifier"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

var routingSentences = []sentence{
	say(`two packages share a trigger and have one each of their own`, func(w *world) any { return w.pairOf(byEither) }),
	say(`two packages have regular expressions of their own`, func(w *world) any { return w.pairOf(byExpression) }),
	say(`two packages have keywords of their own`, func(w *world) any { return w.pairOf(byKeyword) }),
	say(`two packages share a trigger, match every command and have a trigger each of their own`, func(w *world) any { return w.pairOf(byCommands) }),
	say(`the one that (wins|loses) the shared trigger is active`, func(w *world) any { return w.makeActive }),
	say(`the one that loses the shared trigger is active, after the other one was`, func(w *world) any { return w.makeActiveLater }),
	say(`the own trigger of each begins a conversation`, func(w *world) any { return w.beginEach }),
	say(`one conversation goes from one to the other and back`, func(w *world) any { return w.goToAndFro }),
	say(`the user goes back`, func(w *world) any { return w.goBack }),
	say(`the user switches to the other one`, func(w *world) any { return w.switchOver }),
	say(`a message matches the shared trigger`, func(w *world) any { return w.sayShared }),
	say(`a message matches the trigger of the other one alone`, func(w *world) any { return w.askOther }),
	say(`a message goes to the other one and the user goes back`, func(w *world) any { return w.askOtherAndGoBack }),
	say(`a message that no trigger matches begins a conversation`, func(w *world) any { return w.sayNeutral }),
	say(`each message reaches the package of its trigger`, func(w *world) any { return w.eachReaches }),
	say(`the command reaches no capability`, func(w *world) any { return w.commandReachesNone }),
	say(`it reaches the active one`, func(w *world) any { return w.reachesActive }),
	say(`it reaches the other one`, func(w *world) any { return w.reachesOther }),
	say(`the active one is active no more`, func(w *world) any { return w.activeNoMore }),
	say(`the active one is still active`, func(w *world) any { return w.stillActive }),
	say(`the other one is active`, func(w *world) any { return w.otherActive }),
	say(`it is answered and reaches no capability`, func(w *world) any { return w.fallsBack }),
	say(`a message that a trigger matches reaches its package`, func(w *world) any { return w.someReached }),
}

func (w *world) pairOf(kind pairKind) func(context.Context) error {
	return func(ctx context.Context) error {
		if err := w.needPackages(); err != nil && (kind != byExpression || w.blocked != nil) {
			return err // that no message reaches its package is for one scenario to say
		}
		w.pair = w.together(ctx, kind)
		return w.pair.err
	}
}

// makeActive chooses one of the pair.
func (w *world) makeActive(ctx context.Context, which string) error {
	if w.pair.undecided != nil {
		return w.pair.undecided
	}
	w.active = w.pair.loser
	if which == "wins" {
		if w.active = w.pair.winner; w.active == nil {
			w.active = w.pair.other(w.pair.loser)
		}
	}
	return w.activate(ctx)
}

// makeActiveLater goes by way of the other one where it can: who goes back from the
// first capability of all may find nothing to go back to.
func (w *world) makeActiveLater(ctx context.Context) error {
	if w.pair.undecided != nil {
		return w.pair.undecided
	}
	w.active = w.pair.loser
	if err := w.askFor(ctx, w.conversation, w.pair.other(w.active), environment.Script{}).ended(); err != nil {
		return err
	}
	t := w.askFor(ctx, w.conversation, w.active, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if w.reached(t, w.active) {
		return nil
	}
	w.conversation = newConversation()
	return w.activate(ctx)
}

// activate puts the active one on top of the stack of the conversation.
func (w *world) activate(ctx context.Context) error {
	t := w.askFor(ctx, w.conversation, w.active, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if !w.reached(t, w.active) {
		return suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return nil
}

// take keeps a turn for the judgement that follows.
func (w *world) take(t turn) error {
	w.turns = append(w.turns, t)
	return t.ended()
}

func (w *world) beginEach(ctx context.Context) error {
	for _, s := range []*specimen{w.pair.a, w.pair.b} {
		t := w.say(ctx, newConversation(), sample.Amid(s.Word), environment.Script{})
		t.to = s
		if err := w.take(t); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) goToAndFro(ctx context.Context) error {
	for _, s := range []*specimen{w.pair.a, w.pair.b, w.pair.a} {
		if err := w.take(w.askFor(ctx, w.conversation, s, environment.Script{})); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) goBack(ctx context.Context) error { return w.take(w.commanded(ctx, "/back")) }

func (w *world) switchOver(ctx context.Context) error {
	return w.take(w.commanded(ctx, "/switch "+w.argumentOf(w.pair.other(w.active))))
}

// optionSwitch says in the subject's options how the argument of /switch is written.
const optionSwitch = "switch"

// argumentOf writes the argument of /switch, which the text does not define.
func (w *world) argumentOf(s *specimen) string {
	written := cmp.Or(w.subject.Options[optionSwitch], "{name}")
	return strings.NewReplacer("{name}", s.Label, "{cap_uri}", s.ID, "{title}", s.Name).Replace(written)
}

// commanded sends a command. It bears no mark, so that what the model was asked for it
// is found by the packages that could have been meant.
func (w *world) commanded(ctx context.Context, text string) turn {
	t := w.send(ctx, w.conversation, text)
	for _, s := range []*specimen{w.pair.a, w.pair.b} {
		for _, q := range w.Environment.Model.Requests(s.Mark) {
			if users := q.Users(); len(users) > 0 && strings.Contains(users[len(users)-1], text) {
				t.requests = append(t.requests, q)
			}
		}
	}
	return t
}

func (w *world) sayShared(ctx context.Context) error {
	return w.take(w.say(ctx, w.conversation, sample.Amid(w.pair.shared), environment.Script{}))
}

func (w *world) askOther(ctx context.Context) error {
	return w.take(w.askFor(ctx, w.conversation, w.pair.other(w.active), environment.Script{}))
}

func (w *world) askOtherAndGoBack(ctx context.Context) error {
	if err := w.askOther(ctx); err != nil {
		return err
	}
	if t := w.turns[len(w.turns)-1]; !w.reached(t, t.to) {
		return suites.Undecided("a message does not reach the package that its trigger matches: see ACP-ROUTE-03")
	}
	return w.goBack(ctx)
}

func (w *world) sayNeutral(ctx context.Context) error {
	return w.take(w.say(ctx, newConversation(), "Good morning.", environment.Script{}))
}

// someReached is a control: by the package of the scenario, or by the first that was
// installed.
func (w *world) someReached(ctx context.Context) error {
	if err := w.needPackages(); err != nil {
		return err
	}
	s := w.it
	if s == nil {
		s = w.sample
	}
	t := w.askFor(ctx, newConversation(), s, environment.Script{})
	if err := t.ended(); err != nil {
		return err
	}
	if !w.reached(t, s) {
		return suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return nil
}

// last is the turn that is judged.
func (w *world) last() turn { return w.turns[len(w.turns)-1] }

func (w *world) eachReaches(ctx context.Context) error {
	for _, t := range w.turns {
		if len(w.Environment.Gateway.Fetches(t.to.CID)) == 0 {
			return suites.Undecided("the package was never downloaded, so that it can't be reached: see ACP-INST-01")
		}
		if !w.reached(t, t.to) {
			return w.astray(ctx, t, "a message does not reach the package that its trigger alone matches", t.to.ID, idsOf(w.reachedOnes(t)))
		}
	}
	return nil
}

func (w *world) commandReachesNone() error {
	t := w.last()
	if acting := w.reachedOnes(t); len(acting) > 0 {
		w.cite(t.requests...)
		command, _, _ := strings.Cut(t.text, " ")
		return suites.Violated("the command "+command+" is routed to a capability whose trigger matches it", "a command that is obeyed", "a request to the model for "+idsOf(acting))
	}
	return nil
}

func (w *world) reachesActive(ctx context.Context) error {
	t := w.last()
	if !w.reached(t, w.active) {
		return w.astray(ctx, t, "a message that the active capability matches goes elsewhere", w.active.ID, idsOf(w.reachedOnes(t)))
	}
	return nil
}

func (w *world) reachesOther(ctx context.Context) error {
	t := w.last()
	if other := w.pair.other(w.active); !w.reached(t, other) {
		return w.astray(ctx, t, "a message that only another capability matches does not reach it", other.ID, idsOf(w.reachedOnes(t)))
	}
	return nil
}

// stacked gives what the subject lets us see of the stack of a conversation, nil if it
// lets us see nothing.
func (w *world) stacked(ctx context.Context, conversation string) []string {
	answer, err := w.call(ctx, driver.Operation{Name: opState, Params: suites.Encode(object{"conversation": conversation})})
	if err != nil || answer.Outcome != driver.Returned {
		return nil
	}
	list, isList := schemas.ReadObject(answer.Result)["stack"].([]any)
	if !isList {
		return nil
	}
	return append([]string{}, suites.Texts(list)...)
}

// foreignTop gives the capability on top of the stack of a conversation, if that can be
// seen and is none of ours.
func (w *world) foreignTop(ctx context.Context, conversation string) string {
	stack := w.stacked(ctx, conversation)
	if len(stack) == 0 {
		return ""
	}
	top := stack[len(stack)-1]
	for _, s := range w.Samples() {
		if strings.HasPrefix(top, identifier.CapabilityPrefix+s.Label+"@") {
			return ""
		}
	}
	if _, err := identifier.ParseCapability(top); err != nil {
		return ""
	}
	return top
}

// activeNoMore asks by the shared trigger, which another one wins unless the active
// one is on top. Where the stack can be seen and does not hold it, that is enough.
func (w *world) activeNoMore(ctx context.Context) error {
	stack := w.stacked(ctx, w.conversation)
	if stack != nil && !slices.Contains(stack, w.active.ID) {
		return nil
	}
	if err := w.askWhoIsActive(ctx); err != nil {
		return err
	}
	t := w.last()
	if w.reached(t, w.active) {
		if err := w.winnerHolds(ctx); err != nil {
			return err
		}
		return w.astray(ctx, t, "a capability that left the stack is still on top of it", "a message that another one wins in a new conversation, and here too", "it goes to "+w.active.ID)
	}
	return nil
}

// contestsAtMost is how often it is looked at whether the shared trigger still has the
// winner that it had, before anybody is blamed for who got it.
const contestsAtMost = 10

// winnerHolds is undecided where new conversations give the shared trigger to the
// active one as well: who wins may hang on what was used last, on load, or on a lot.
func (w *world) winnerHolds(ctx context.Context) error {
	for range contestsAtMost {
		t := w.say(ctx, newConversation(), sample.Amid(w.pair.shared), environment.Script{})
		if err := t.ended(); err != nil {
			return err
		}
		if w.reached(t, w.active) {
			return suites.Undecided("who gets a message that the triggers of two packages match changes from time to time, so that nothing shows which one is active")
		}
	}
	return nil
}

// askWhoIsActive says what the active one of a pair keeps.
func (w *world) askWhoIsActive(ctx context.Context) error {
	if w.pair.fickle != nil {
		return w.pair.fickle
	}
	return w.sayShared(ctx)
}

func (w *world) stillActive(ctx context.Context) error {
	if err := w.askWhoIsActive(ctx); err != nil {
		return err
	}
	t := w.last()
	if !w.reached(t, w.active) {
		return w.astray(ctx, t, "a capability is taken off the stack though no tool said that it is done", "a message that it matches stays with "+w.active.ID, idsOf(w.reachedOnes(t)))
	}
	return nil
}

func (w *world) otherActive(ctx context.Context) error {
	if err := w.askWhoIsActive(ctx); err != nil {
		return err
	}
	t, other := w.last(), w.pair.other(w.active)
	if !w.reached(t, other) {
		err := w.astray(ctx, t, "the capability that the user switched to is not on top of the stack", "a message that both match goes to "+other.ID, idsOf(w.reachedOnes(t)))
		if v := (*suites.Violation)(nil); errors.As(err, &v) {
			v.Hint = "where /switch takes another argument than the name in the capability URI, say so in the target file: switch: '{cap_uri}'"
		}
		return err
	}
	return nil
}

func (w *world) fallsBack(ctx context.Context) error {
	t := w.last()
	acting := w.reachedOnes(t)
	switch {
	case len(acting) > 0:
		return w.astray(ctx, t, "a message that no trigger matches is routed to a capability", "an answer without one", idsOf(acting))
	case t.answer.Outcome == driver.NotProvided:
		return suites.Undecided("the subject does not serve acp.message: see ACP-EXEC-01")
	case t.answer.Outcome != driver.Returned || t.reply == "" && len(t.requests) == 0:
		return suites.Violated("a message that no trigger matches is not answered", "a text, or a request to the model without any package", suites.Received(t.answer, t.err))
	}
	return nil
}
