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

// requiredOperations calls each required operation with params that change nothing: no package has an
// empty CID, and the capability is not installed.
func (c routes) requiredOperations(ctx context.Context, l *suites.Laboratory) error {
	for _, op := range []driver.Operation{
		{Name: history.OpInstall, Params: jsonvalue.Encode(history.Object{"cid": ""})},
		{Name: history.OpUninstall, Params: jsonvalue.Encode(history.Object{"cap_uri": nobodysURI})},
		{Name: history.OpMessage,
			Params: jsonvalue.Encode(history.Object{"conversation": newConversationID(), "text": "Hello."})},
	} {
		_, _, _ = l.Do(ctx, suites.Call{Operation: op}) // the entry contains the result
	}
	return nil
}

// ownTriggers begins a conversation by the own trigger of each package of a pair. That of the second
// one stands behind paragraphs of other words; if it is a regular expression, within a word. A last
// message is longer than what services of messages commonly take.
func (c routes) ownTriggers(kind pairKind) act.PerformFunc {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		if p.unavailable != nil {
			return p.unavailable
		}
		if err := c.conversation(l, p.a).sendOwnTrigger(ctx); err != nil {
			return err
		}
		word := p.b.Word
		if kind == byExpression {
			word = "qx" + word + "xq"
		}
		text := sample.TextOfLength(300) + "\n\n" + sample.MarkedUp + "\n\n" + sample.TextWith(word)
		if _, err := c.conversation(l, p.b).sendCase(ctx, history.CaseOwnTrigger, text, p.b); err != nil {
			return err
		}
		text = sample.TextOfLength(longMessage) + "\n\n" + sample.TextWith(p.a.Word)
		_, err := c.conversation(l, p.a).sendCase(ctx, history.CaseLongMessage, text, p.a)
		return err
	}
}

// longMessage is the length of a long message in characters.
const longMessage = 9000

// alternate sends messages to one package, to the other, and to the first again, in one conversation.
func (c routes) alternate(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	if p.unavailable != nil {
		return p.unavailable
	}
	k := c.conversation(l, p.a)
	for _, s := range []*sample.Package{p.a, p.b, p.a} {
		k.pkg = s
		if err := k.sendOwnTrigger(ctx); err != nil {
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
	if err := p.unusable(); err != nil {
		return err
	}
	k := c.conversation(l, p.otherThan(p.other))
	if _, err := k.sendScripted(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	if k.pkg = p.other; k.activate(ctx) != nil {
		k = c.conversation(l, p.other)
		if err := k.activate(ctx); err != nil {
			return err
		}
	}
	if err := k.sendCommand(ctx, "/back"); err != nil {
		return err
	}
	if err := k.testLeft(ctx, p); err != nil {
		return err
	}
	return k.sendCommand(ctx, "/back")
}

// backInOtherConversation sends /back in one conversation, and then a message in another one in which
// the same capability is active. Each conversation has its own stack.
func (c routes) backInOtherConversation(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	here, there, err := c.twoConversations(ctx, l, p)
	if err != nil {
		return err
	}
	if err := here.sendCommand(ctx, "/back"); err != nil {
		return err
	}
	return there.sendSharedTrigger(ctx, history.CaseStillActive, p, there.pkg)
}

// switchOver switches to the package that is not preferred, in a conversation in which the other package
// is active and in a new conversation, and then back to the package that was active.
func (c routes) switchOver(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byCommands)
	k, err := c.withActive(ctx, l, p, p.preferredOrEither())
	if err != nil {
		return err
	}
	to := p.otherThan(k.pkg)
	for _, step := range []struct {
		in conversation
		to *sample.Package
	}{{k, to}, {c.conversation(l, to), to}, {k, k.pkg}} {
		if err := step.in.switchTo(ctx, step.to); err != nil {
			return err
		}
		if err := step.in.sendSharedTrigger(ctx, history.CaseSwitched, p, step.to); err != nil {
			return err
		}
	}
	return nil
}

// activeKeeps sends messages with the shared trigger in a conversation in which the package that is not
// preferred is active.
func (c routes) activeKeeps(kind pairKind) act.PerformFunc {
	return func(ctx context.Context, l *suites.Laboratory) error {
		p := c.pairOf(ctx, l, kind)
		k, err := c.withActive(ctx, l, p, p.other)
		if err != nil {
			return err
		}
		for _, text := range []string{sample.TextWith(p.sharedWord),
			sample.TextOfLength(300) + "\n\n" + sample.TextWith(p.sharedWord)} {
			if _, err = k.sendCase(ctx, history.CaseStillActive, text, k.pkg); err != nil {
				break
			}
		}
		return err
	}
}

// triggerOfOther sends a message with the own trigger of the other package in a conversation with an
// active one.
func (c routes) triggerOfOther(ctx context.Context, l *suites.Laboratory) error {
	p := c.pairOf(ctx, l, byEither)
	k, err := c.withActive(ctx, l, p, p.preferredOrEither())
	if err != nil {
		return err
	}
	k.pkg = p.otherThan(k.pkg)
	return k.sendOwnTrigger(ctx)
}

// noTriggerMatches sends a message that no trigger matches, and then one that a trigger matches.
func (c routes) noTriggerMatches(ctx context.Context, l *suites.Laboratory) error {
	k := c.conversation(l, c.FirstInstalled())
	if _, err := k.sendCase(ctx, history.CaseNoTrigger, "Good morning.", nil); err != nil {
		return err
	}
	return c.checkReachable(ctx, l)
}

// longMessages uses two packages with long prompts and long descriptions of tools: it sends long
// messages, and messages to one, the other and the first again in one conversation.
func (c routes) longMessages(ctx context.Context, l *suites.Laboratory) error {
	var both []conversation
	for range 2 {
		k, err := c.withNewPackage(ctx, l, lengthen)
		if err != nil {
			return err
		}
		both = append(both, k)
		if _, err := k.sendText(ctx, nil, sample.TextWith(k.pkg.Word)+" "+sample.TextOfLength(1500),
			environment.Script{}); err != nil {
			return err
		}
	}
	for _, n := range []int{0, 1, 0} {
		k := both[n]
		k.id = both[0].id + "-both"
		if _, err := k.sendScripted(ctx, nil, environment.Script{}); err != nil {
			return err
		}
	}
	return nil
}

// manyTools is the number of tools that a package has in addition to those of every sample.
const manyTools = 24

// lengthen gives a package a long prompt, long descriptions of its tools, and many further tools.
func lengthen(s *sample.Package) {
	s.Prompt += "\n# Qx\n" + sample.TextOfLength(3000)
	for i := range s.Tools {
		s.Tools[i].Description += " " + sample.TextOfLength(400)
	}
	for i := range manyTools {
		s.AddBoundTool(fmt.Sprintf("further%d", i), "http_get", s.Bindings[0].Parameters)
	}
}
