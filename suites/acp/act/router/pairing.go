package router

import (
	"context"

	"github.com/capconform/capconform/suites"
	"github.com/capconform/capconform/suites/acp/environment"
	"github.com/capconform/capconform/suites/acp/history"
	"github.com/capconform/capconform/suites/acp/sample"
	"github.com/capconform/capconform/suites/verdict"
)

// pairing installs two packages that share a trigger, and finds out which of them gets messages with it.
type pairing struct{ bench }

// pairOf returns the pair of a kind. Each pair is installed once per run.
func (c pairing) pairOf(ctx context.Context, l *suites.Laboratory, kind pairKind) pair {
	err := c.Ready()
	if kind == byExpression { // its stimulus must show whether messages reach their package
		err = c.History.Conclusion(history.Installs)
	}
	if err != nil {
		return pair{unavailable: err}
	}
	if c.pairs == nil {
		c.pairs = map[pairKind]pair{}
	}
	if p, known := c.pairs[kind]; known {
		return p
	}
	p := c.makePair(kind)
	for _, s := range []*sample.Package{p.a, p.b} {
		if p.unavailable == nil {
			p.unavailable = c.installValid(ctx, l, s)
		}
	}
	if p.unavailable == nil {
		p.noPreference = c.findPreferred(ctx, l, &p)
	}
	if p.unavailable == nil && p.noPreference == nil {
		p.unreliable = c.checkStaysActive(ctx, l, p)
	}
	if ctx.Err() == nil {
		c.pairs[kind] = p
	}
	return p
}

func (c pairing) makePair(kind pairKind) pair {
	p := pair{a: c.NewPackage(), b: c.NewPackage(), sharedWord: "both" + environment.NewMark()[2:14]}
	if kind == byExpression || kind == byKeyword {
		p.b.Word = "wört" + p.b.Mark[2:14]
	}
	for _, s := range []*sample.Package{p.a, p.b} {
		AddEndingTools(c.Environment.Tools, s)
		s.Triggers = map[pairKind][]environment.Trigger{
			byEither: sample.BothTriggers(s.Word, p.sharedWord),
			byExpression: append(unusedTriggers("regex"), environment.Trigger{Type: "regex", Value: p.sharedWord},
				environment.Trigger{Type: "regex", Value: "please " + s.Word + "|" + splitExpression(s.Word)}), // its own is the last
			byKeyword: append(unusedTriggers("keyword"), environment.Trigger{Type: "keyword", Value: p.sharedWord},
				environment.Trigger{Type: "keyword", Value: s.Word}), // its own is the last
			byCommands: sample.BothTriggers(s.Word, p.sharedWord, "/back", "/switch"),
		}[kind]
	}
	return p
}

// unusedTriggers returns triggers that no message matches.
func unusedTriggers(kind string) []environment.Trigger {
	const many = 8
	var all []environment.Trigger
	for range many {
		all = append(all, environment.Trigger{Type: kind, Value: "unused" + environment.NewMark()[2:14]})
	}
	return all
}

// splitExpression returns a regular expression that matches a text with the word without being a part of
// it. Like the example of the text, it has a group of any characters between two literals.
func splitExpression(word string) string {
	const end = 4
	return word[:len(word)-end] + "(.*)" + word[len(word)-end+1:]
}

// findPreferred finds out which package gets the shared word in a new conversation. It tests twice. If
// the results differ, the shared word proves nothing.
func (c pairing) findPreferred(ctx context.Context, l *suites.Laboratory, p *pair) error {
	var preferred [2]*sample.Package
	for i := range preferred {
		t, err := c.conversation(l, p.a).sendText(ctx, about{history.AboutCase: history.CaseNewConversation},
			sample.TextWith(p.sharedWord), environment.Script{})
		if err != nil {
			return err
		}
		toA, toB := t.Reaches(p.a), t.Reaches(p.b)
		switch {
		case toA && toB:
			return verdict.Undecided("the router passes a message that the triggers of two packages match to both, " +
				"so neither can be shown to be active")
		case toA:
			preferred[i] = p.a
		case toB:
			preferred[i] = p.b
		}
	}
	if preferred[0] != preferred[1] {
		return verdict.Undecided("the router passes a message that the triggers of two packages match to one and then to the other, " +
			"so neither can be shown to be active")
	}
	p.preferred, p.other = preferred[0], p.a
	if p.preferred == p.a {
		p.other = p.b
	}
	return nil
}

// checkStaysActive is the positive control of all stimuli that test which package is active: if the
// package that is not preferred is on top of the stack, it receives the shared word.
func (c pairing) checkStaysActive(ctx context.Context, l *suites.Laboratory, p pair) error {
	k := c.conversation(l, p.other)
	if _, err := k.sendScripted(ctx, nil, environment.Script{}); err != nil {
		return err
	}
	t, err := k.sendText(ctx, nil, sample.TextWith(p.sharedWord), environment.Script{})
	if err == nil && !t.Reaches(p.other) {
		err = verdict.Undecided("a message that the active capability matches does not stay with it, " +
			"so that nothing shows which one is active: see ACP-ROUTE-02")
	}
	return err
}

// withActive returns a conversation in which a package of a pair is active.
func (c pairing) withActive(ctx context.Context, l *suites.Laboratory, p pair,
	active *sample.Package) (conversation, error) {
	if err := p.unusable(); err != nil {
		return conversation{}, err
	}
	k := c.conversation(l, active)
	return k, k.activate(ctx)
}

// twoConversations returns two conversations in which the package that is not preferred is active.
func (c pairing) twoConversations(ctx context.Context, l *suites.Laboratory,
	p pair) (here, there conversation, err error) {
	if here, err = c.withActive(ctx, l, p, p.other); err == nil {
		there, err = c.withActive(ctx, l, p, p.other)
	}
	return here, there, err
}

// sendSharedTrigger sends a message that the triggers of both packages match, so that only the active
// one must get it.
func (k conversation) sendSharedTrigger(ctx context.Context, kind string, p pair, to *sample.Package) error {
	if p.unreliable != nil {
		return p.unreliable
	}
	_, err := k.sendCase(ctx, kind, sample.TextWith(p.sharedWord), to)
	return err
}

// maxPreferenceTests is the number of new conversations that test whether the preferred package has
// changed, before a breach is reported.
const maxPreferenceTests = 10

// testLeft tests whether the package is no longer active. It is sufficient if the subject shows a stack
// without the package. Otherwise testLeft sends the shared word, which the other package receives in a
// new conversation.
func (k conversation) testLeft(ctx context.Context, p pair) error {
	stack := k.readStack(ctx, about{history.AboutCase: history.CaseNotActive})
	if history.HasLeft(stack, k.pkg) {
		return nil
	}
	if p.unreliable != nil {
		return p.unreliable
	}
	t, err := k.sendText(ctx, about{history.AboutCase: history.CaseNotActive}, sample.TextWith(p.sharedWord),
		environment.Script{})
	if err != nil || !t.Reaches(k.pkg) {
		return err
	}
	k.readStack(ctx, nil)
	for range maxPreferenceTests {
		again := k
		again.id = newConversationID()
		t, err := again.sendText(ctx, about{history.AboutCase: history.CaseNewConversation}, sample.TextWith(p.sharedWord),
			environment.Script{})
		if err != nil || t.Reaches(k.pkg) {
			return err
		}
	}
	return nil
}
