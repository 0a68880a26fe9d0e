package router

import (
	"context"
	"fmt"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/act"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/driver"
	"github.com/capconform/capconform/suites/jsonvalue"
)

// routes are the stimuli for routing: triggers, the stack of the conversation, and commands.
type routes struct{ pairing }

// duties calls each required operation with params that change nothing: no package has an empty CID, and
// the capability is not installed.
func (c routes) duties(ctx context.Context, l *suites.Laboratory) error {
	for _, op := range []driver.Operation{
		{Name: history.OpInstall, Params: jsonvalue.Encode(history.Object{"cid": ""})},
		{Name: history.OpUninstall, Params: jsonvalue.Encode(history.Object{"cap_uri": nobodysURI})},
		{Name: history.OpMessage,
			Params: jsonvalue.Encode(history.Object{"conversation": newConversation(), "text": "Hello."})},
	} {
		_, _, _ = l.Do(ctx, suites.Call{Operation: op}) // the entry contains the result
	}
	return nil
}

// ownTriggers begins a conversation by the own trigger of each package of a pair. That of the second
// one stands behind paragraphs of other words; if it is a regular expression, within a word. A last
// message is longer than what services of messages commonly take.
func (c routes) ownTriggers(kind pairKind) act.Performance {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		if p.err != nil {
			return p.err
		}
		if err := c.talk(l, p.a).ask(ctx); err != nil {
			return err
		}
		word := p.b.Word
		if kind == byExpression {
			word = "qx" + word + "xq"
		}
		text := sample.AtLength(300) + "\n\n" + sample.MarkedUp + "\n\n" + sample.Amid(word)
		if _, err := c.talk(l, p.b).send(ctx, history.CaseOwn, text, p.b); err != nil {
			return err
		}
		text = sample.AtLength(longMessage) + "\n\n" + sample.Amid(p.a.Word)
		_, err := c.talk(l, p.a).send(ctx, history.CaseLong, text, p.a)
		return err
	}
}

// longMessage is the length of a long message in characters.
const longMessage = 9000

// alternate sends messages to one package, to the other, and to the first again, in one conversation.
func (c routes) alternate(ctx context.Context, l *suites.Laboratory) error {
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

// back sends /back while a capability is active that is not the first of the conversation, if the
// subject allows several: on the first one, a subject may have nothing to go back to. A second /back
// must be treated as a command, too.
func (c routes) back(ctx context.Context, l *suites.Laboratory) error {
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

// backElsewhere sends /back in one conversation, and then a message in another one in which the same
// capability is active. Each conversation has its own stack.
func (c routes) backElsewhere(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	here, there, err := c.twice(ctx, l, p)
	if err != nil {
		return err
	}
	if err := here.command(ctx, "/back"); err != nil {
		return err
	}
	return there.shared(ctx, history.CaseKept, p, there.with)
}

// switchOver switches to the loser of the shared trigger, in a conversation in which the other package
// is active and in a new conversation, and then back to the package that was active.
func (c routes) switchOver(ctx context.Context, l *suites.Laboratory) error {
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

// topKeeps sends messages with the shared trigger in a conversation in which its loser is active.
func (c routes) topKeeps(kind pairKind) act.Performance {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		k, err := c.activated(ctx, l, p, p.loser)
		if err != nil {
			return err
		}
		for _, text := range []string{sample.Amid(p.shared), sample.AtLength(300) + "\n\n" + sample.Amid(p.shared)} {
			if _, err = k.send(ctx, history.CaseKept, text, k.with); err != nil {
				break
			}
		}
		return err
	}
}

// elsewhere sends a message with the own trigger of the other package in a conversation with an active
// one.
func (c routes) elsewhere(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	k, err := c.activated(ctx, l, p, p.first())
	if err != nil {
		return err
	}
	k.with = p.other(k.with)
	return k.ask(ctx)
}

// neutral sends a message that no trigger matches, and then one that a trigger matches.
func (c routes) neutral(ctx context.Context, l *suites.Laboratory) error {
	k := c.talk(l, c.First())
	if _, err := k.send(ctx, history.CaseNone, "Good morning.", nil); err != nil {
		return err
	}
	return c.works(ctx, l)
}

// longMessages uses two packages with long prompts and long descriptions of tools: it sends long
// messages, and messages to one, the other and the first again in one conversation.
func (c routes) longMessages(ctx context.Context, l *suites.Laboratory) error {
	var both []talk
	for range 2 {
		k, err := c.beside(ctx, l, lengthen)
		if err != nil {
			return err
		}
		both = append(both, k)
		if _, err := k.converse(ctx, nil, sample.Amid(k.with.Word)+" "+sample.AtLength(1500),
			environment.Script{}); err != nil {
			return err
		}
	}
	for _, n := range []int{0, 1, 0} {
		k := both[n]
		k.id = both[0].id + "-both"
		if _, err := k.say(ctx, nil, environment.Script{}); err != nil {
			return err
		}
	}
	return nil
}

// manyTools is the number of tools that a package has in addition to those of every sample.
const manyTools = 24

// lengthen gives a package a long prompt, long descriptions of its tools, and many further tools.
func lengthen(s *sample.Package) {
	s.Prompt += "\n# Qx\n" + sample.AtLength(3000)
	for i := range s.Tools {
		s.Tools[i].Description += " " + sample.AtLength(400)
	}
	for i := range manyTools {
		s.Binds(fmt.Sprintf("further%d", i), "http_get", s.Bindings[0].Parameters)
	}
}
