package router

import (
	"cmp"
	"context"
	"strings"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
)

// send sends a message that is meant for a package, nil for none. Where it goes elsewhere, the
// subject is asked for its stack: a capability that is not ours may have the message.
func (k talk) send(ctx context.Context, kind, text string, to *sample.Package) (*history.Turn, error) {
	t, err := k.tell(ctx, about{history.AboutCase: kind}, text, environment.Script{})
	if err == nil && (to == nil && len(t.Reached()) > 0 || to != nil && !t.Reaches(to)) {
		k.stack(ctx, nil)
	}
	return t, err
}

// ask sends a message that the own trigger of the package alone matches.
func (k talk) ask(ctx context.Context) error {
	_, err := k.send(ctx, history.CaseOwn, sample.Amid(k.with.Word), k.with)
	return err
}

// stack asks what the subject lets us see of the stack of the conversation, and gives nil if
// that is nothing.
func (k talk) stack(ctx context.Context, how about) []string {
	op := driver.Operation{Name: history.OpState, Params: suites.Encode(object{"conversation": k.id})}
	e, _, _ := k.l.Do(ctx, suites.Call{About: how, Operation: op}) // the entry says what came of it
	for _, c := range k.History.Of(history.OpState) {
		if c.Entry == e.Begun {
			return c.Stack()
		}
	}
	return nil
}

// activate puts the package on top of the stack of the conversation.
func (k talk) activate(ctx context.Context) error {
	t, err := k.tell(ctx, about{history.AboutCase: history.CaseActivates}, sample.Amid(k.with.Word), environment.Script{})
	if err == nil && !t.Reaches(k.with) {
		err = suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// ownTriggers begins a conversation by the own trigger of each package of a pair. That of the second
// one stands behind a paragraph of other words.
func (c *Caller) ownTriggers(kind pairKind) act.Performance {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		if p.err != nil {
			return p.err
		}
		if err := c.talk(l, p.a).ask(ctx); err != nil {
			return err
		}
		text := sample.AtLength(300) + "\n\n" + sample.Amid(p.b.Word)
		_, err := c.talk(l, p.b).send(ctx, history.CaseOwn, text, p.b)
		return err
	}
}

// toAndFro goes from one package to the other and back, in one conversation.
func (c *Caller) toAndFro(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	if p.err != nil {
		return p.err
	}
	k := c.talk(l, p.a)
	for _, s := range []*sample.Package{p.a, p.b, p.a} {
		k.with = s
		if err := k.ask(ctx); err != nil {
			return err
		}
	}
	return nil
}

// back goes back from a capability that is not the first of the conversation, where the subject
// lets it be another: who goes back from the first may find nothing to go back to. A second /back
// is a command, too.
func (c *Caller) back(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	if err := p.open(); err != nil {
		return err
	}
	k := c.talk(l, p.other(p.loser))
	if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	if k.with = p.loser; k.activate(ctx) != nil {
		k = c.talk(l, p.loser)
		if err := k.activate(ctx); err != nil {
			return err
		}
	}
	if err := k.command(ctx, "/back"); err != nil {
		return err
	}
	if err := k.leaves(ctx, p); err != nil {
		return err
	}
	return k.command(ctx, "/back")
}

// backElsewhere goes back in one conversation, and asks in another one in which the same capability is active:
// each conversation has a stack.
func (c *Caller) backElsewhere(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	here, err := c.activated(ctx, l, p, p.loser)
	if err != nil {
		return err
	}
	there, err := c.activated(ctx, l, p, p.loser)
	if err != nil {
		return err
	}
	if err := here.command(ctx, "/back"); err != nil {
		return err
	}
	return there.shared(ctx, history.CaseKept, p, there.with)
}

// command sends a command. It bears no mark.
func (k talk) command(ctx context.Context, text string) error {
	op := driver.Operation{Name: history.OpMessage, Params: suites.Encode(object{"conversation": k.id, "text": text})}
	_, _, err := k.l.Do(ctx, suites.Call{About: about{history.AboutCase: history.CaseCommand}, Operation: op})
	return unanswered(err)
}

// switchOver switches to the package that loses the shared trigger, where the other one is active and
// in a new conversation, and then back to the one that was active.
func (c *Caller) switchOver(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	k, err := c.activated(ctx, l, p, p.first())
	if err != nil {
		return err
	}
	to := p.other(k.with)
	for _, order := range []struct {
		in talk
		to *sample.Package
	}{{k, to}, {c.talk(l, to), to}, {k, k.with}} {
		if err := order.in.switchTo(ctx, order.to); err != nil {
			return err
		}
		if err := order.in.shared(ctx, history.CaseSwitched, p, order.to); err != nil {
			return err
		}
	}
	return nil
}

// switchTo sends the command /switch. The text does not define its argument.
func (k talk) switchTo(ctx context.Context, to *sample.Package) error {
	written := cmp.Or(k.l.Subject.Options["switch"], "{name}")
	argument := strings.NewReplacer("{name}", to.Label, "{cap_uri}", to.ID, "{title}", to.Name).Replace(written)
	return k.command(ctx, "/switch "+argument)
}

// shared sends a message that both packages match, which only the active one gets by being
// active.
func (k talk) shared(ctx context.Context, kind string, p pair, to *sample.Package) error {
	if p.fickle != nil {
		return p.fickle
	}
	_, err := k.send(ctx, kind, sample.Amid(p.shared), to)
	return err
}

// topKeeps sends messages of the shared trigger to a conversation of the one that loses it.
func (c *Caller) topKeeps(kind pairKind) act.Performance {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		k, err := c.activated(ctx, l, p, p.loser)
		if err != nil {
			return err
		}
		for range 2 {
			if _, err = k.send(ctx, history.CaseKept, sample.Amid(p.shared), k.with); err != nil {
				break
			}
		}
		return err
	}
}

// elsewhere sends a message of the other one's own trigger to an active conversation.
func (c *Caller) elsewhere(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	k, err := c.activated(ctx, l, p, p.first())
	if err != nil {
		return err
	}
	k.with = p.other(k.with)
	return k.ask(ctx)
}

// neutral sends a message that no trigger matches, and then one that a trigger does.
func (c *Caller) neutral(ctx context.Context, l *suites.Laboratory) error {
	k := c.talk(l, c.First())
	if _, err := k.send(ctx, history.CaseNone, "Good morning.", nil); err != nil {
		return err
	}
	return c.works(ctx, l)
}

// works is the control that a message still reaches a package.
func (c *Caller) works(ctx context.Context, l *suites.Laboratory) error {
	if err := c.Ready(); err != nil {
		return err
	}
	k := c.talk(l, c.First())
	t, err := k.say(ctx, nil, environment.Script{})
	if err == nil && !t.Reaches(k.with) {
		err = suites.Undecided("a message does not reach the package that its trigger matches: see ACP-FIELD-06")
	}
	return err
}

// contestsAtMost is how often it is looked at whether the shared trigger still has the winner
// that it had, before anybody is blamed for who got it.
const contestsAtMost = 10

// leaves asks whether the package is active no more, by the shared trigger, which another one
// wins in a new conversation. Where the stack can be seen and does not hold it, that is enough.
func (k talk) leaves(ctx context.Context, p pair) error {
	stack := k.stack(ctx, about{history.AboutCase: history.CaseLeft})
	if history.Left(stack, k.with) {
		return nil
	}
	if p.fickle != nil {
		return p.fickle
	}
	t, err := k.tell(ctx, about{history.AboutCase: history.CaseLeft}, sample.Amid(p.shared), environment.Script{})
	if err != nil || !t.Reaches(k.with) {
		return err
	}
	k.stack(ctx, nil)
	for range contestsAtMost {
		again := k
		again.id = newConversation()
		t, err := again.tell(ctx, about{history.AboutCase: history.CaseContest}, sample.Amid(p.shared), environment.Script{})
		if err != nil || t.Reaches(k.with) {
			return err
		}
	}
	return nil
}
